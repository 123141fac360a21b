import type { Reader } from '../../../storage/engine.ts'
import { inList } from '../../../storage/statement-template.ts'
import { askInParts } from '../slices.ts'

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
  const rows = await askInParts(names, (part) =>
    reader.all(
      reader.db
        .selectFrom('venue')
        .select(['id', 'geo_lat', 'geo_lng'])
        .select(['name', 'address', 'city', 'stateprovince', 'state', 'province', 'zip', 'country'])
        .where('status', '!=', 'trash')
        .where(inList(reader.engine, 'venue.name_folded', part))
        .orderBy('id'),
    ),
  )
  return rows.map(({ state, province, ...row }) => {
    const { name, address, city, zip, country } = row
    const stateprovince = row.stateprovince || state || province
    const text = [name, address, city, stateprovince, zip, country].filter((part) => part !== '').join(', ')
    return { ...row, stateprovince, text }
  })
}

/** An organizer that is stored. */
export interface KnownOrganizer {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** The organizers with these folded names that are not in the trash, the oldest first. */
export function organizersNamed(reader: Reader, names: readonly string[]): Promise<KnownOrganizer[]> {
  return askInParts(names, (part) =>
    reader.all(
      reader.db
        .selectFrom('organizer')
        .select(['id', 'name', 'email'])
        .where('status', '!=', 'trash')
        .where(inList(reader.engine, 'organizer.name_folded', part))
        .orderBy('id'),
    ),
  )
}
