import type { Storage } from '../../src/storage/engine.ts'
import { TABLE_KEYS, TABLES, type TableName } from '../../src/storage/export/tables.ts'
import { type Row, rowsOf } from '../support/storage.ts'
import type { Entry } from './secrets.ts'

/** Every row of the calendar, by table and key. */
export type Snapshot = ReadonlyMap<TableName, ReadonlyMap<string, Row>>

/**
 * What requests leave behind that belongs to nobody else: when credentials were used, and what is kept for a retry. The
 * log of a subscription is written whenever the server visits it, and goes with it.
 */
const OWN: readonly TableName[] = ['session', 'application_password', 'idempotency_key', 'source_visit']

/** Columns of webhooks and subscriptions that say how far they have come: the server writes them whenever it likes. */
const PROGRESS: Partial<Readonly<Record<TableName, Row>>> = {
  webhook: { seq: 0, failures: 0, problem: '', succeeded_at: null },
  source: {
    ...{ etag: '', last_modified: '', digest: '', refresh: 0, next_at: '', checked_at: null, synced_at: null },
    ...{ failures: 0, failing_since: null, problem: '', report: null, visiting_since: null },
  },
}

/** Reads everything that is stored, the numbers that tables count on apart. */
export async function snapshotOf(storage: Storage): Promise<Snapshot> {
  const tables = new Map<TableName, Map<string, Row>>()
  for (const table of TABLES.filter((one) => !OWN.includes(one))) {
    const condition = table === 'meta' ? "where key not like '%.last'" : ''
    const found = await rowsOf(storage, `select * from "${table}" ${condition}`)
    const rows = found.map((row): Row => ({ ...row, ...PROGRESS[table] }))
    tables.set(table, new Map(rows.map((row) => [TABLE_KEYS[table].map((name) => row[name]).join(' '), row])))
  }
  return tables
}

/** Rows that are other ones now, of some tables or of all: `event 12`. */
export function changedRows(before: Snapshot, after: Snapshot, tables: Iterable<TableName> = before.keys()): string[] {
  return [...tables].flatMap((table) => {
    const [old, now] = [before.get(table) ?? new Map(), after.get(table) ?? new Map()]
    const keys = new Set([...old.keys(), ...now.keys()])
    return [...keys]
      .filter((key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)))
      .map((key) => `${table} ${key}`)
  })
}

/** The row of an entry, as changes name it. */
export function rowOf({ kind, id }: Entry): string {
  return `${kind} ${id}`
}
