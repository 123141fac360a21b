import type { Reader, Snapshot } from './engine.ts'
import { snapshotPostgres } from './engines/postgres/snapshot.ts'
import { snapshotSqlite } from './engines/sqlite/snapshot.ts'
import { engineOf, sqlitePath } from './open.ts'
import { written } from './statement-builder.ts'

/** Opens a snapshot of the database of an address, which must be there. @throws database_not_usable */
export function openSnapshot(database: string): Promise<Snapshot> {
  return engineOf(database) === 'sqlite' ? snapshotSqlite(sqlitePath(database)) : snapshotPostgres(database)
}

/** What a step makes of a snapshot of a database, which is closed in the end. @throws database_not_usable */
export async function withSnapshot<T>(database: string, step: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = await openSnapshot(database)
  try {
    return await step(snapshot)
  } finally {
    await snapshot.close()
  }
}

/** The number of rows of each table by name; tables of indexes are left out. */
export async function rowCounts(reader: Reader): Promise<Record<string, number>> {
  const all = <Row>(sql: string): Promise<Row[]> => reader.all<Row>(written(sql))
  const tables = await all<{ name: string }>(
    reader.engine === 'sqlite'
      ? `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name`
      : 'select tablename as name from pg_tables where schemaname = current_schema() order by tablename',
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await all<{ rows: number }>(`select count(*) as rows from "${name.replaceAll('"', '""')}"`)
    counts[name] = Number(row?.rows ?? 0)
  }
  return counts
}
