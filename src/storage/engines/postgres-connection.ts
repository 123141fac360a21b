import { type ClientBase, Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import type { Report, Statement } from '../engine.ts'
import { isConnectionGone, isConnectionLoss, isStalePlan } from './postgres-errors.ts'
import { bindable } from './postgres-values.ts'
import { StatementCache } from './statement-cache.ts'

/** Number of statements that the server keeps prepared for each connection. */
const STATEMENT_LIMIT = 200

/** How often a read, which changes nothing, is sent anew after its connection broke. */
const READ_ATTEMPTS = 3

/** What the driver keeps of a connection: its prepared statements by name. */
interface Prepared {
  readonly connection: { readonly parsedStatements: Record<string, string> }
}

/** Connections of one kind. */
export interface ConnectionPool {
  /** Runs the step with a connection of its own, which goes back to the pool unless it broke. */
  use<T>(step: (client: PoolClient) => Promise<T>): Promise<T>
  /** Runs one statement that changes nothing, again with another connection when the first one was broken. */
  read(statement: Statement): Promise<QueryResult>
  /** Runs a statement on a connection of this pool. */
  execute(client: ClientBase, statement: Statement): Promise<QueryResult>
  /** Waits for the connections in use, then closes all. */
  close(): Promise<void>
}

/** What a pool is made from. */
export interface PoolParts {
  readonly config: PoolConfig
  /** Whether the server keeps statements prepared; not behind a pooler that changes connections between transactions. */
  readonly named: boolean
  readonly report: Report
}

/** Opens a pool; connections are made when they are needed. */
export function openPool({ config, named, report }: PoolParts): ConnectionPool {
  const pool = new Pool(config)
  pool.on('error', (error) => report(error, 'an idle connection to the database broke'))
  const names = statementNames()

  function execute(client: ClientBase, { sql, parameters }: Statement): Promise<QueryResult> {
    const values = bindable(parameters)
    return client.query(named ? { name: names(client, sql), text: sql, values } : { text: sql, values })
  }

  // The pool forgets those who still wait for a connection when it ends.
  const running = new Set<Promise<unknown>>()

  function use<T>(step: (client: PoolClient) => Promise<T>): Promise<T> {
    const run = borrowed(step)
    const settled = run.catch(() => undefined).finally(() => running.delete(settled))
    running.add(settled)
    return run
  }

  async function borrowed<T>(step: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    const notice = (error: Error) => {
      broken = error
    }
    client.on('error', notice)
    try {
      return await step(client)
    } catch (error) {
      if (isConnectionGone(error) || isStalePlan(error)) broken ??= error as Error
      throw error
    } finally {
      client.off('error', notice)
      // A connection that stays in a transaction, whatever was thrown, must not get into other hands.
      client.release(broken ?? client.getTransactionStatus() !== 'I')
    }
  }

  return {
    use,
    execute,
    read: (statement) => repeated(() => use(async (client) => execute(client, statement))),
    close: async () => {
      while (running.size > 0) await Promise.all(running)
      await pool.end()
    },
  }
}

/** Gives a statement of a connection its name, under which the server keeps it prepared. */
function statementNames(): (client: ClientBase, sql: string) => string {
  const known = new WeakMap<ClientBase, StatementCache<string>>()
  let made = 0
  const prepare = (): string => {
    made += 1
    return `kalends_${made}`
  }
  return (client, sql) => {
    const own = known.get(client) ?? new StatementCache(STATEMENT_LIMIT, prepare, (name) => forget(client, name))
    known.set(client, own)
    return own.get(sql)
  }
}

async function repeated<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      const mayHelp = isConnectionLoss(error) || isStalePlan(error)
      if (attempt === READ_ATTEMPTS || !mayHelp) throw error
    }
  }
}

/** Frees a prepared statement on the server, if it got there. */
function forget(client: ClientBase, name: string): void {
  const { parsedStatements } = (client as unknown as Prepared).connection
  if (parsedStatements[name] === undefined) return
  delete parsedStatements[name]
  // When it fails, the connection is broken or in a failed transaction: what follows on it says so.
  client.query(`deallocate ${name}`).catch(() => undefined)
}
