import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A statement with its values; without values it was executed as a script (`savepoint job`). */
export interface Recorded {
  readonly sql: string
  readonly parameters: readonly unknown[] | undefined
}

/** What is being recorded on all connections of this process. */
export interface Tape {
  /** Forgets what was recorded but the settings of the connections. */
  rewind(): void
  /** Statements between the last `begin` and its `commit`, without the two, and the pragmas of that connection. */
  lastTransaction(): { readonly settings: readonly string[]; readonly statements: readonly Recorded[] }
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
    logOf(this).statements.push({ sql, parameters: undefined })
    return exec.call(this, sql)
  }
  driver.prototype.prepare = function (this: DatabaseSync, sql: string) {
    const log = logOf(this)
    if (sql.startsWith('pragma') && sql.includes('=')) log.settings.push(sql)
    return listening(prepare.call(this, sql), (parameters) => log.statements.push({ sql, parameters }))
  }
  return {
    rewind: () => {
      for (const log of logs.values()) log.statements = []
    },
    lastTransaction: () => {
      const log = [...logs.values()].find((one) => one.statements.some(({ sql }) => sql === 'commit'))
      if (log === undefined) throw new Error('no transaction was recorded')
      return { settings: log.settings, statements: transactionOf(log.statements) }
    },
    stop: () => {
      driver.prototype.prepare = prepare
      driver.prototype.exec = exec
    },
  }
}

/** The statements of the last whole transaction. */
export function transactionOf(statements: readonly Recorded[]): readonly Recorded[] {
  const end = statements.findLastIndex(({ sql }) => sql === 'commit')
  const begin = statements.slice(0, end).findLastIndex(({ sql }) => sql.startsWith('begin'))
  return statements.slice(begin + 1, end)
}

function listening(statement: StatementSync, heard: (parameters: readonly unknown[]) => void): StatementSync {
  for (const name of ['all', 'get', 'run'] as const) {
    const own = statement[name] as (...values: unknown[]) => unknown
    Object.defineProperty(statement, name, {
      value: (...values: unknown[]) => {
        heard(values)
        return own.apply(statement, values)
      },
    })
  }
  return statement
}

/**
 * The values of a statement for another create: ids and what counts on with every create are moved by `add`, slugs get
 * a number of their own, and everything else stays.
 */
export function replayed(
  parameters: readonly unknown[],
  { id, add }: { readonly id: number; readonly add: number },
): unknown[] {
  return parameters.map((value) => {
    if (value === BigInt(id)) return BigInt(id + add)
    if (typeof value === 'string' && SLUG.test(value)) return `${value}-again-${add}`
    if (typeof value === 'bigint' && value > BigInt(id)) return value + BigInt(add)
    return value
  })
}

/** The slugs of `creates` in `workloads.ts`. */
const SLUG = /^benchmark-evening-[\d-]+$/
