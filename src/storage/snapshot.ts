import type { Reader, Snapshot } from './engine.ts'
import { snapshotPostgres } from './engines/postgres/snapshot.ts'
import { snapshotSqlite } from './engines/sqlite/snapshot.ts'
import { engineOf, sqlitePath } from './open.ts'

/** Opens a snapshot of the database of an address, which must be there. @throws database_not_usable */
export function openSnapshot(database: string): Promise<Snapshot> {
  return engineOf(database) === 'sqlite' ? snapshotSqlite(sqlitePath(database)) : snapshotPostgres(database)
}

/** The number of rows of each table by name; tables of indexes are left out. */
export async function rowCounts(reader: Reader): Promise<Record<string, number>> {
  const all = <Row>(sql: string): Promise<Row[]> => reader.all<Row>({ compile: () => ({ sql, parameters: [] }) })
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
