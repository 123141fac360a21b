import { sql } from 'kysely'
import { idsTemplate } from './expressions.ts'
import { areLong, entryOf } from './text-rows.ts'

/** The rows of long texts of some entries. */
export const rowsOfLong = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('entry_text')
    .select('id')
    .where(areLong(sql.ref('entry_text.id')))
    .where(hasId(entryOf(sql.ref('entry_text.id')))),
)
