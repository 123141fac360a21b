import type { LinkedTable } from '../entries/linked/room.ts'
import { idsStatement } from '../storage/ids-statement.ts'
import { LINKED_COLUMNS, type VenueTable } from '../storage/schema.ts'
import type { VenueContent } from './shape.ts'

const COLUMNS = [
  ...LINKED_COLUMNS,
  'address',
  'city',
  'country',
  'province',
  'state',
  'zip',
  'stateprovince',
  'show_map',
  'show_map_link',
  'geo_lat',
  'geo_lng',
] as const satisfies readonly (keyof VenueTable)[]

const rowsWith = idsStatement((reader, among) => reader.db.selectFrom('venue').select(COLUMNS).where(among('venue.id')))

/** The table of venues. */
export const VENUE_TABLE: LinkedTable<VenueContent> = {
  rows: (reader, ids) => reader.all(rowsWith(reader, ids)),
  insert: async (tx, row) => {
    await tx.run(tx.db.insertInto('venue').values(row))
  },
  update: async (tx, row) => {
    await tx.run(tx.db.updateTable('venue').set(row).where('id', '=', row.id))
  },
}
