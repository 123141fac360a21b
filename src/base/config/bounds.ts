import { integer } from './kinds.ts'
import { option } from './option.ts'

/** Options of how much all clients together may take of a process at a time. */
export const BOUND_OPTIONS = {
  bodyLimit: option({
    flag: '--body-limit',
    env: 'KALENDS_BODY_LIMIT',
    kind: integer(1024, 1024 ** 3),
    default: 2 * 1024 ** 2,
    description:
      'Maximum size of a request body in bytes; callers without valid credentials may send 64 KiB, or 16 MiB with the form for visitors.',
  }),
  bodyMemory: option({
    flag: '--body-memory',
    env: 'KALENDS_BODY_MEMORY',
    kind: integer(1024 ** 2, 1024 ** 4),
    default: 64 * 1024 ** 2,
    description:
      'Maximum bytes of request bodies in memory at a time, at least one body of maximum size; more get 503. Callers without valid credentials share half of it.',
  }),
  requestLimit: option({
    flag: '--request-limit',
    env: 'KALENDS_REQUEST_LIMIT',
    kind: integer(4, 1_000_000),
    default: 4000,
    description:
      'Maximum number of requests in progress, counted separately with and without a body; one client may have a quarter. More get 503.',
  }),
  connectionLimit: option({
    flag: '--connection-limit',
    env: 'KALENDS_CONNECTION_LIMIT',
    kind: integer(1, 1_000_000),
    default: 10_000,
    description: 'Maximum number of connections; more are closed at once.',
  }),
  clientConnectionLimit: option({
    flag: '--client-connection-limit',
    env: 'KALENDS_CLIENT_CONNECTION_LIMIT',
    kind: integer(1, 1_000_000),
    default: 2000,
    description: 'Maximum number of connections of one client address; `--trusted-proxies` are exempt.',
  }),
}
