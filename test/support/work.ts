import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Compilable, Lane, Statement, Storage } from '../../src/storage/engine.ts'
import { bindable } from '../../src/storage/engines/sqlite/connection.ts'

/** A statement that was read, and where. */
export interface ReadStatement extends Statement {
  readonly lane: Lane
}

/** What a database does for some statements. */
export interface Work {
  /** Amount of data looked at: rows with PostgreSQL, pages with SQLite, which does not count rows. 0 for no statement. */
  readonly amount: number
  /** Names of the indexes that are searched or walked; `[]` when none is. */
  readonly indexes: readonly string[]
}

/** Whether `workOf` can measure here: the pages that SQLite reads are known from Linux alone. */
export const CAN_MEASURE = process.platform === 'linux'

/** Size of a page in the files of SQLite, in bytes. */
const PAGE = 4096

/** The statements that a storage reads while a step runs, in their order. */
export async function statementsDuring(storage: Storage, step: () => Promise<unknown>): Promise<ReadStatement[]> {
  const { all, first } = storage
  const asked: ReadStatement[] = []
  const note = (query: Compilable<unknown>, lane: Lane = 'inline'): void =>
    void asked.push({ ...query.compile(), lane })
  const recorded: Pick<Storage, 'all' | 'first'> = {
    all: (query, lane) => {
      note(query, lane)
      return all(query, lane)
    },
    first: (query, lane) => {
      note(query, lane)
      return first(query, lane)
    },
  }
  Object.assign(storage, recorded)
  try {
    await step()
    return asked
  } finally {
    Object.assign(storage, { all, first })
  }
}

/** Executes statements that read once more, and says what that took; nothing is cached for them. */
export async function workOf(storage: Storage, statements: readonly Statement[]): Promise<Work> {
  const work = storage.engine === 'sqlite' ? statements.map(sqliteWork(storage.location)) : []
  if (storage.engine === 'postgres')
    for (const statement of statements) work.push(await postgresWork(storage, statement))
  return {
    amount: work.reduce((sum, { amount }) => sum + amount, 0),
    indexes: [...new Set(work.flatMap(({ indexes }) => indexes))],
  }
}

// A connection of its own has read no page yet, and each page that it reads is a call of the system.
const sqliteWork =
  (path: string) =>
  ({ sql, parameters }: Statement): Work => {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const plan = database.prepare(`explain query plan ${sql}`).all(...bindable(parameters))
      const statement = database.prepare(sql)
      database.exec('begin; select * from sqlite_schema')
      const before = bytesRead()
      statement.all(...bindable(parameters))
      const amount = Math.round((bytesRead() - before) / PAGE)
      return { amount, indexes: plan.flatMap(({ detail }) => indexIn(String(detail))) }
    } finally {
      database.close()
    }
  }

function bytesRead(): number {
  return Number(/^rchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1])
}

function indexIn(line: string): string[] {
  const [, table = '', how = ''] = /^(?:SEARCH|SCAN) (\w+) (.*)/.exec(line) ?? []
  if (how.startsWith('VIRTUAL TABLE')) return [table]
  const [, index] = /INDEX (\w+)/.exec(how) ?? []
  return index !== undefined ? [index] : how.includes('PRIMARY KEY') ? [`${table}_pkey`] : []
}

/** A part of a plan of PostgreSQL; numbers of rows are those of one of its loops. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

async function postgresWork(storage: Storage, { sql, parameters }: Statement): Promise<Work> {
  const text = `explain (analyze, format json) ${sql}`
  const rows = await storage.all<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] | string }>({
    compile: () => ({ sql: text, parameters }),
  })
  const found = rows[0]?.['QUERY PLAN'] ?? []
  const [plan] = typeof found === 'string' ? (JSON.parse(found) as { Plan: PlanNode }[]) : found
  const nodes = plan === undefined ? [] : nodesBelow(plan.Plan)
  const scans = nodes.filter((node) => node['Node Type'].endsWith('Scan'))
  const looked = (node: PlanNode): number =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops']
  return {
    amount: Math.round(scans.reduce((sum, node) => sum + looked(node), 0)),
    indexes: scans.flatMap((node) => node['Index Name'] ?? []),
  }
}

function nodesBelow(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesBelow)]
}
