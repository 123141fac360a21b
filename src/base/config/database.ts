import { choice, integer, isAnything, isDatabase, isReplica, text } from './kinds.ts'
import { option } from './option.ts'

/** Options of where events are stored and how they are read. */
export const DATABASE_OPTIONS = {
  data: option({
    flag: '--data',
    env: 'KALENDS_DATA',
    kind: text('FOLDER', 'a folder', isAnything),
    default: './data',
    description: 'Folder for all data of the server; created if missing.',
  }),
  database: option({
    flag: '--database',
    env: 'DATABASE_URL',
    kind: text('URL', 'sqlite:PATH or postgres://...', isDatabase),
    default: '',
    defaultText: '`sqlite:` and `kalends.db` in the data folder',
    secret: true,
    description: 'Where the calendar is stored. For TLS to PostgreSQL: `?sslmode=verify-full`.',
  }),
  databaseRead: option({
    flag: '--database-read',
    env: 'DATABASE_READ_URL',
    kind: text('URL', 'postgres://...', isReplica),
    default: '',
    secret: true,
    description:
      'A replica of the PostgreSQL in `--database`, for reads whenever it has everything that this server knows of.',
  }),
  databaseConnections: option({
    flag: '--database-connections',
    env: 'KALENDS_DATABASE_CONNECTIONS',
    kind: integer(1, 1000),
    default: 10,
    description:
      'Most connections that read at the same time (PostgreSQL); one more writes, and one is notified of changes.',
  }),
  databasePooler: option<'none' | 'transaction'>({
    flag: '--database-pooler',
    env: 'KALENDS_DATABASE_POOLER',
    kind: choice('none', 'transaction'),
    default: 'none',
    description:
      "Set to `transaction` when PostgreSQL is behind a pooler that gives each transaction another connection: statements are then not prepared, there are no notifications of other processes' commits, and the process that works in the background occupies one connection of the pooler.",
  }),
  synchronous: option<'FULL' | 'NORMAL'>({
    flag: '--synchronous',
    env: 'KALENDS_SYNCHRONOUS',
    kind: choice('FULL', 'NORMAL'),
    default: 'FULL',
    description: 'FULL survives a power failure without losing an acknowledged write, NORMAL is faster.',
  }),
  offloadWorkers: option({
    flag: '--offload-workers',
    env: 'KALENDS_OFFLOAD_WORKERS',
    kind: integer(0, 64),
    default: 1,
    description:
      'Processes for long queries (SQLite); 0 runs them in the server itself, where they cannot be interrupted.',
  }),
  readTimeout: option({
    flag: '--read-timeout',
    env: 'KALENDS_READ_TIMEOUT',
    kind: integer(100, 3_600_000),
    default: 2000,
    description:
      'Milliseconds that a query of a request may wait for its turn, and that it may then take; beyond that it is stopped and the request gets 503 `rest_query_too_costly`.',
  }),
  statementTimeout: option({
    flag: '--statement-timeout',
    env: 'KALENDS_STATEMENT_TIMEOUT',
    kind: integer(100, 3_600_000),
    default: 30_000,
    description:
      'Milliseconds after which a statement of a write is cancelled (PostgreSQL); migrations and `import` of an export have no limit.',
  }),
} as const
