import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** How a statement is executed, as the driver names it; `exec` is a script without values. */
export type Execution = 'all' | 'get' | 'run' | 'exec'

/** A statement with its values, `[]` for a script. */
export interface Recorded {
  readonly sql: string
  readonly by: Execution
  readonly parameters: readonly unknown[]
}

/** What the connection that writes has done. */
export interface Recording {
  /** The pragmas that were set on it, as statements. */
  readonly settings: readonly string[]
  /** Its transactions that were committed, each without its `begin` and `commit`. */
  readonly transactions: readonly (readonly Recorded[])[]
}

/** What is being recorded on all connections of this process. */
export interface Tape {
  /** Forgets what was recorded but the settings of the connections. */
  rewind(): void
  /** What the connection has done that has committed anything. @throws Error when none has */
  recording(): Recording
  /** Takes the driver back to what it was. */
  stop(): void
}

interface Log {
  readonly settings: string[]
  statements: Recorded[]
}

/** Records every statement that connections of this class execute from now on. */
export function recordStatements(driver: typeof DatabaseSync): Tape {
  const logs = new Map<DatabaseSync, Log>()
  const { prepare, exec } = driver.prototype
  const logOf = (database: DatabaseSync): Log => {
    const log = logs.get(database) ?? { settings: [], statements: [] }
    logs.set(database, log)
    return log
  }
  driver.prototype.exec = function (this: DatabaseSync, sql: string) {
    logOf(this).statements.push({ sql, by: 'exec', parameters: [] })
    return exec.call(this, sql)
  }
  driver.prototype.prepare = function (this: DatabaseSync, sql: string) {
    const log = logOf(this)
    if (sql.startsWith('pragma') && sql.includes('=')) log.settings.push(sql)
    return listening(prepare.call(this, sql), (by, parameters) => log.statements.push({ sql, by, parameters }))
  }
  return {
    rewind: () => {
      for (const log of logs.values()) log.statements = []
    },
    recording: () => {
      const log = [...logs.values()].find((one) => one.statements.some(({ sql }) => sql === 'commit'))
      if (log === undefined) throw new Error('no transaction was recorded')
      return { settings: log.settings, transactions: transactionsOf(log.statements) }
    },
    stop: () => {
      driver.prototype.prepare = prepare
      driver.prototype.exec = exec
    },
  }
}

/** The statements of each transaction that was committed; what stands outside of transactions is left out. */
export function transactionsOf(statements: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const committed: (readonly Recorded[])[] = []
  let open: Recorded[] | undefined
  for (const statement of statements) {
    const { sql } = statement
    if (sql.startsWith('begin')) open = []
    else if (sql === 'commit' || sql === 'rollback') {
      if (sql === 'commit' && open !== undefined) committed.push(open)
      open = undefined
    } else open?.push(statement)
  }
  return committed
}

/** Joins transactions, so that each has at least so many statements of the wanted kind, but for the last one. */
export function joined(
  transactions: readonly (readonly Recorded[])[],
  { least, isWanted }: { readonly least: number; isWanted(statement: Recorded): boolean },
): readonly (readonly Recorded[])[] {
  const groups: Recorded[][] = []
  let found = least
  for (const statements of transactions) {
    if (found >= least) {
      groups.push([])
      found = 0
    }
    groups.at(-1)?.push(...statements)
    found += statements.filter(isWanted).length
  }
  return groups
}

function listening(
  statement: StatementSync,
  heard: (by: Execution, parameters: readonly unknown[]) => void,
): StatementSync {
  for (const name of ['all', 'get', 'run'] as const) {
    const own = statement[name] as (...values: unknown[]) => unknown
    Object.defineProperty(statement, name, {
      value: (...values: unknown[]) => {
        heard(name, values)
        return own.apply(statement, values)
      },
    })
  }
  return statement
}
