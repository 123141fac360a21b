import { Socket } from 'node:net'
import { type ClientBase, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg'
import type { Report, Statement } from '../../engine.ts'
import { CLOSE_TIMEOUT } from './close-quietly.ts'
import { isConnectionGone, isStalePlan } from './errors.ts'
import type { Presence } from './presence.ts'
import { bindable } from './values.ts'

/** Number of statements that the server keeps prepared for each connection. */
const STATEMENT_LIMIT = 200

/** How often a statement is retried because a migration came in between. */
const ATTEMPTS = 3

/** The driver's internals of a connection: its prepared statements by name. */
interface Prepared {
  readonly connection: { readonly parsedStatements: Record<string, string> }
}

/** Connections of one kind. */
export interface ConnectionPool {
  /** Runs the step with its own connection, which returns to the pool unless it broke. */
  use<T>(step: (client: PoolClient) => Promise<T>): Promise<T>
  /** Runs one statement that changes nothing, with the time limit of the connection unless it is unlimited. */
  read(statement: Statement, isUnlimited?: boolean): Promise<QueryResult>
  /** Runs a statement on a connection of this pool; `limits` may name another time limit than that of the pool. */
  execute(client: ClientBase, statement: Statement, limits?: StatementLimits): Promise<QueryResult>
  /** Its connections now. */
  stats(): { readonly open: number; readonly idle: number }
  /** Waits for the connections in use, then closes all. */
  close(): Promise<void>
}

/** Milliseconds after which the response to a statement is not waited for any more. */
export interface StatementLimits {
  readonly query_timeout?: number
}

/** What a pool needs. */
export interface PoolDeps {
  readonly config: PoolConfig
  readonly report: Report
  /** Probes the database while a response is overdue; when it is away all connections break. Undefined: never. */
  readonly presence?: Presence
}

/** Opens a pool; connections are made when they are needed. */
export function openPool({ config, report, presence }: PoolDeps): ConnectionPool {
  const sockets = new SocketSet()
  const pool = new Pool({ ...config, stream: () => sockets.open(presence?.isAway === true) })
  pool.on('error', (error) => {
    // The pool adds the whole connection, with the key to cancel its statements, which no log may have.
    if ('client' in error) delete error.client
    report(error, 'an idle connection to the database broke')
  })
  // One that the server ends as soon as it is made is nobody's yet: whoever gets it learns that from its first statement.
  pool.on('connect', (client) => client.on('error', () => undefined))
  presence?.onAway(() => sockets.destroy())
  const names = statementNames()

  function execute(client: ClientBase, { sql, parameters }: Statement, limits?: StatementLimits): Promise<QueryResult> {
    const query: QueryConfig = { text: sql, values: bindable(parameters), ...limits, name: names(client, sql) }
    return client.query(query)
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
    const watch = presence && setInterval(() => void presence.look(), presence.silence).unref()
    try {
      const result = await withClient(await pool.connect(), step)
      presence?.responded()
      return result
    } finally {
      clearInterval(watch)
    }
  }

  return {
    use,
    execute,
    read: (statement, isUnlimited = false) =>
      repeated(() =>
        use((client) =>
          isUnlimited
            ? withoutLimit(client, () => execute(client, statement, { query_timeout: DAY }))
            : execute(client, statement),
        ),
      ),
    stats: () => ({ open: pool.totalCount, idle: pool.idleCount }),
    close: async () => {
      while (running.size > 0) await Promise.all(running)
      await pool.end()
      setTimeout(() => sockets.destroy(), CLOSE_TIMEOUT).unref()
    },
  }
}

/** Milliseconds. */
const DAY = 86_400_000

/** Runs a statement in a transaction without a time limit. */
async function withoutLimit<T>(client: ClientBase, step: () => Promise<T>): Promise<T> {
  await client.query('begin read only; set local statement_timeout = 0')
  try {
    return await step()
  } finally {
    // After an error this rolls back, and a broken connection is detected when it is released.
    await client.query('commit').catch(() => undefined)
  }
}

/** Runs a step with a connection, which returns to its pool unless it broke. */
async function withClient<T>(client: PoolClient, step: (client: PoolClient) => Promise<T>): Promise<T> {
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

/** The connections of a pool below the driver, which waits for the farewell of a server that has vanished. */
class SocketSet {
  readonly #sockets = new Set<Socket>()

  /** A new connection; one that leads nowhere ends as soon as it opens, so that its caller is notified. */
  open(leadsNowhere: boolean): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (leadsNowhere) process.nextTick(() => socket.destroy())
    return socket
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** Names the statements of a connection, so that the server keeps them prepared. */
function statementNames(): (client: ClientBase, sql: string) => string {
  const known = new WeakMap<ClientBase, Map<string, string>>()
  let made = 0
  return (client, sql) => {
    const own = known.get(client) ?? new Map<string, string>()
    const name = own.get(sql)
    if (name !== undefined) return name
    made += 1
    own.set(sql, `kalends_${made}`)
    known.set(client, own)
    if (own.size > STATEMENT_LIMIT) dropOldest(client, own)
    return `kalends_${made}`
  }
}

async function repeated<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (attempt === ATTEMPTS || !isStalePlan(error)) throw error
    }
  }
}

/** Frees the oldest prepared statement on the server, if it got there. */
function dropOldest(client: ClientBase, names: Map<string, string>): void {
  const [[sql, name] = ['', '']] = names
  names.delete(sql)
  const { parsedStatements } = (client as unknown as Prepared).connection
  if (parsedStatements[name] === undefined) return
  delete parsedStatements[name]
  // If this fails, the connection is broken or in a failed transaction, which the next statement reports.
  client.query(`deallocate ${name}`).catch(() => undefined)
}
