import { choice, integer, isAnything, isDatabase, isReplica, text } from './kinds.ts'
import { option } from './option.ts'

/** Options of where events are stored and how they are read. */
export const DATABASE_OPTIONS = {
  data: option({
    flag: '--data',
    env: 'KALENDS_DATA',
    kind: text('FOLDER', 'a folder', isAnything),
    default: './data',
    description: 'Folder for all data; created if missing.',
  }),
  database: option({
    flag: '--database',
    env: 'DATABASE_URL',
    kind: text('URL', 'sqlite:PATH or postgres://...', isDatabase),
    default: '',
    defaultText: '`sqlite:` and `kalends.db` in the data folder',
    secret: true,
    description: 'Database of the calendar. For TLS to PostgreSQL: `?sslmode=verify-full`.',
  }),
  databaseRead: option({
    flag: '--database-read',
    env: 'DATABASE_READ_URL',
    kind: text('URL', 'postgres://...', isReplica),
    default: '',
    secret: true,
    description: 'Replica of the PostgreSQL database in `--database`, used for reads whenever it is up to date.',
  }),
  databaseConnections: option({
    flag: '--database-connections',
    env: 'KALENDS_DATABASE_CONNECTIONS',
    kind: integer(1, 1000),
    default: 10,
    description:
      'Maximum number of connections for reading (PostgreSQL); one more writes, and one listens for changes.',
  }),
  synchronous: option<'FULL' | 'NORMAL'>({
    flag: '--synchronous',
    env: 'KALENDS_SYNCHRONOUS',
    kind: choice('FULL', 'NORMAL'),
    default: 'FULL',
    description: '`FULL` loses no confirmed write in a power failure; `NORMAL` is faster.',
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
      'Milliseconds that a query may wait, and then run; after that it is stopped and the request gets 503 `rest_query_too_costly`.',
  }),
  statementTimeout: option({
    flag: '--statement-timeout',
    env: 'KALENDS_STATEMENT_TIMEOUT',
    kind: integer(100, 3_600_000),
    default: 30_000,
    description:
      'Milliseconds after which a statement of a write is canceled (PostgreSQL); migrations and imports of an export have no limit.',
  }),
} as const
