import { sql } from 'kysely'
import { idsStatement } from './ids-statement.ts'
import { areLong, entryOf } from './text-rows.ts'

/** The rows of long texts of some entries. */
export const rowsOfLong = idsStatement((reader, among) =>
  reader.db
    .selectFrom('entry_text')
    .select('id')
    .where(areLong(sql.ref('entry_text.id')))
    .where(among(entryOf(sql.ref('entry_text.id')))),
)
