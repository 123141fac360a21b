import type { LinkedTable } from '../entries/linked/room.ts'
import { idsStatement } from '../storage/ids-statement.ts'
import { LINKED_COLUMNS, type OrganizerTable } from '../storage/schema.ts'
import type { OrganizerContent } from './shape.ts'

const COLUMNS = [...LINKED_COLUMNS, 'email'] as const satisfies readonly (keyof OrganizerTable)[]

const rowsWith = idsStatement((reader, among) =>
  reader.db.selectFrom('organizer').select(COLUMNS).where(among('organizer.id')),
)

/** The table of organizers. */
export const ORGANIZER_TABLE: LinkedTable<OrganizerContent> = {
  rows: (reader, ids) => reader.all(rowsWith(reader, ids)),
  insert: async (tx, row) => {
    await tx.run(tx.db.insertInto('organizer').values(row))
  },
  update: async (tx, row) => {
    await tx.run(tx.db.updateTable('organizer').set(row).where('id', '=', row.id))
  },
}
