import type { OrganizerContent } from '../../../../calendar/organizers/index.ts'
import type { VenueContent } from '../../../../calendar/venues/index.ts'
import { webAddress } from '../../../../model/kinds/address.ts'
import { emailsIn } from '../stored-value.ts'
import type { RowCells } from './row-cells.ts'
import { flagIn } from './words.ts'

/** A venue or an organizer of a table of such: what its row says, and nothing else. */
export type TableEntry = TableVenue | TableOrganizer

/** A venue of a table; its content has a name. */
export interface TableVenue {
  readonly kind: 'venue'
  /** Line of the file on which its row ends. */
  readonly line: number
  readonly content: Partial<VenueContent> & { readonly name: string }
}

/** An organizer of a table; its content has a name. */
export interface TableOrganizer {
  readonly kind: 'organizer'
  readonly line: number
  readonly content: Partial<OrganizerContent> & { readonly name: string }
}

/** The venue or organizer of a row, or what is wrong with it. */
export function entryOf(kind: TableEntry['kind'], cells: RowCells): TableEntry | string {
  const { line } = cells
  const name = cells.plain(kind)
  if (name === '') return 'import.problem.hasNoName'
  const website = cells.read('website', webAddress) ?? ''
  const common = { name, description: cells.html('description'), phone: cells.plain('phone'), website }
  if (kind === 'organizer') {
    const email = cells.read('organizer_email', (text) => emailsIn(text)[0] || undefined) ?? ''
    return { kind, line, content: { ...common, email } }
  }
  const flags = { ...shownIn('show_map', cells), ...shownIn('show_map_link', cells) }
  return { kind, line, content: { ...common, ...placeOf(cells, name), ...flags } }
}

function shownIn(field: 'show_map' | 'show_map_link', cells: RowCells): Partial<VenueContent> {
  const isSet = cells.read(field, flagIn)
  return isSet === undefined ? {} : { [field]: isSet ? 1 : 0 }
}

/** Where the venue of this name in a row is; undefined for no name. */
export function placeOf(
  cells: RowCells,
  name: string,
  address = cells.text('address'),
): TableVenue['content'] | undefined {
  const lat = cells.read('geo_lat', (text) => degreesIn(text, 90))
  const lng = cells.read('geo_lng', (text) => degreesIn(text, 180))
  const isPoint = lat !== undefined && lng !== undefined
  const half = (['geo_lat', 'geo_lng'] as const).filter((_field, index) => [lat, lng][index] !== undefined)
  const unused = name === '' ? PLACE_FIELDS : isPoint ? [] : half
  for (const field of unused)
    if (cells.text(field) !== '') cells.note('import.note.noPlace', { value: cells.text(field) })
  if (name === '') return undefined
  return {
    name,
    address: cells.lineOf(address),
    city: cells.plain('city'),
    stateprovince: cells.plain('province'),
    zip: cells.plain('zip'),
    country: cells.plain('country'),
    ...(isPoint && { geo_lat: lat, geo_lng: lng }),
  }
}

const PLACE_FIELDS = ['province', 'zip', 'country', 'geo_lat', 'geo_lng'] as const

function degreesIn(text: string, most: number): number | undefined {
  const number = Number(text.replace(',', '.'))
  return Math.abs(number) <= most ? number : undefined
}
