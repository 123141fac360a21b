import { cleanHtml } from '../../../base/text/html.ts'
import type { OrganizerContent } from '../../../calendar/organizers/index.ts'
import type { VenueContent } from '../../../calendar/venues/index.ts'
import { webAddress } from '../../../model/kinds/address.ts'
import { booleanOf } from '../../../model/kinds/boolean.ts'
import type { NamedOrganizer } from '../icalendar/content.ts'
import { emailsIn, lineIn } from '../stored-value.ts'
import type { EntryField, PlaceField } from './columns.ts'

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

type Cell = (field: EntryField) => string

/** The venue or organizer of a row, or what is wrong with it. */
export function entryOf(kind: TableEntry['kind'], cell: Cell, line: number): TableEntry | string {
  const name = lineIn(cell(kind))
  if (name === '') return 'import.problem.hasNoName'
  const said = { name, description: cleanHtml(cell('description').slice(0, 500_000)), phone: lineIn(cell('phone')) }
  const common = { ...said, website: webAddress(cell('website')) ?? '' }
  if (kind === 'organizer') {
    const [email = ''] = emailsIn(cell('organizer_email'))
    return { kind, line, content: { ...common, email } }
  }
  const flags = { ...flagIn('show_map', cell), ...flagIn('show_map_link', cell) }
  return { kind, line, content: { ...common, ...(placeOf(cell, name) ?? {}), ...flags } }
}

function flagIn(field: 'show_map' | 'show_map_link', cell: Cell): Partial<VenueContent> {
  const isSet = booleanOf(cell(field).toLowerCase())
  return isSet === undefined ? {} : { [field]: isSet ? 1 : 0 }
}

/** Where the venue of this name in a row is; undefined for no name. */
export function placeOf(cell: (field: PlaceField) => string, name: string): TableVenue['content'] | undefined {
  if (name === '') return undefined
  const [lat, lng] = [degreesIn(cell('geo_lat'), 90), degreesIn(cell('geo_lng'), 180)]
  return {
    name,
    address: lineIn(cell('address')),
    city: lineIn(cell('city')),
    stateprovince: lineIn(cell('province')),
    zip: lineIn(cell('zip')),
    country: lineIn(cell('country')),
    ...(lat !== undefined && lng !== undefined && { geo_lat: lat, geo_lng: lng }),
  }
}

function degreesIn(text: string, most: number): number | undefined {
  const number = text === '' ? Number.NaN : Number(text.replace(',', '.'))
  return Math.abs(number) <= most ? number : undefined
}

/** Names in a cell, separated by `,`, `;` or `|`; one that has such a character stands in quotes. */
export function namesIn(text: string): string[] {
  const parts = text.slice(0, 20_000).match(/\s*"(?:[^"]|"")*"\s*(?=[,;|]|$)|[^,;|]+/g) ?? []
  const names = parts.map((one) => {
    const quoted = /^\s*"(.*)"\s*$/s.exec(one)
    return lineIn((quoted?.[1]?.replaceAll('""', '"') ?? one).trim()).slice(0, 200)
  })
  return [...new Set(names.filter((one) => one !== ''))].slice(0, 50)
}

/** Names of the venues of an event, the one first that has the address: `one` is a cell for one name, `several` one for more. */
export function venuesIn(one: string, several: string): string[] {
  const name = lineIn(one)
  return name === '' ? namesIn(several) : [name]
}

/** Organizers of an event: each has the email address at its place, if there are as many of these. */
export function organizersIn(names: string, emails: string): NamedOrganizer[] {
  const named = namesIn(names)
  const addresses = emailsIn(emails)
  return named.map((name, index) => ({
    name,
    email: addresses.length === named.length ? (addresses[index] ?? '') : '',
  }))
}
