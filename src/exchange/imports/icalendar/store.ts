import type { Reader, Transaction } from '../../../storage/engine.ts'
import { putRows } from '../../../storage/row-writes.ts'
import type { SourceEventTable } from '../../../storage/schema.ts'
import { inList } from '../../../storage/statement-template.ts'
import { inParts } from '../json/slices.ts'

/** A stored venue, with what distinguishes it from others. */
export interface KnownPlace {
  readonly id: number
  readonly name: string
  readonly address: string
  readonly city: string
  /** As it is shown: of the three columns for it the first that says something. */
  readonly stateprovince: string
  readonly zip: string
  readonly country: string
  /** Name, address and so on, as the exporter writes a place. */
  readonly text: string
  readonly geo_lat: number | null
  readonly geo_lng: number | null
}

/** The venues with these folded names that are not in the trash, the oldest first. */
export async function placesNamed(reader: Reader, names: readonly string[]): Promise<KnownPlace[]> {
  const found: KnownPlace[] = []
  for await (const part of inParts(names, CHUNK)) {
    const query = reader.db
      .selectFrom('venue')
      .select(['id', 'geo_lat', 'geo_lng'])
      .select(['name', 'address', 'city', 'stateprovince', 'state', 'province', 'zip', 'country'])
      .where('status', '!=', 'trash')
      .where(inList(reader.engine, 'venue.name_folded', part))
      .orderBy('id')
    for (const { state, province, ...row } of await reader.all(query)) {
      const { name, address, city, zip, country } = row
      const stateprovince = row.stateprovince || state || province
      const text = [name, address, city, stateprovince, zip, country].filter((part) => part !== '').join(', ')
      found.push({ ...row, stateprovince, text })
    }
  }
  return found
}

/** Names in one question. */
const CHUNK = 500

/** An organizer that is stored. */
export interface KnownOrganizer {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** The organizers with these folded names that are not in the trash, the oldest first. */
export async function organizersNamed(reader: Reader, names: readonly string[]): Promise<KnownOrganizer[]> {
  const found: KnownOrganizer[] = []
  for await (const part of inParts(names, CHUNK)) {
    const query = reader.db
      .selectFrom('organizer')
      .select(['id', 'name', 'email'])
      .where('status', '!=', 'trash')
      .where(inList(reader.engine, 'organizer.name_folded', part))
      .orderBy('id')
    found.push(...(await reader.all(query)))
  }
  return found
}

/** The last imported state of the events with these global IDs. */
export async function digestsOf(reader: Reader, names: readonly string[]): Promise<SourceEventTable[]> {
  const found: SourceEventTable[] = []
  for await (const part of inParts(names, CHUNK)) {
    const query = reader.db
      .selectFrom('source_event')
      .selectAll()
      .where(inList(reader.engine, 'source_event.name', part))
    found.push(...(await reader.all(query)))
  }
  return found
}

/** The last imported state of all events that a subscription has ever had. */
export function saidOfSubscription(reader: Reader, id: number): Promise<SourceEventTable[]> {
  return reader.all(reader.db.selectFrom('source_event').selectAll().where('source_id', '=', id).orderBy('id'))
}

/** Stores the imported state of events. */
export async function storeDigests(tx: Transaction, rows: readonly SourceEventTable[]): Promise<void> {
  await putRows(tx, 'source_event', rows)
}

/** Those of the IDs that events have, or that dates of recurring events have. */
export async function idsThere(
  reader: Reader,
  table: 'event' | 'series_date',
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for await (const part of inParts(ids, CHUNK)) {
    const query = reader.db
      .selectFrom(table)
      .select('id')
      .where(inList(reader.engine, `${table}.id`, part))
    for (const { id } of await reader.all(query)) found.add(id)
  }
  return found
}
