import { cleanHtml } from '../../../../base/text/html.ts'
import type { OrganizerContent } from '../../../../calendar/organizers/index.ts'
import type { VenueContent } from '../../../../calendar/venues/index.ts'
import { webAddress } from '../../../../model/kinds/address.ts'
import type { NamedOrganizer } from '../icalendar/content.ts'
import { emailsIn, LONGEST_HTML, lineIn } from '../stored-value.ts'
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
  const name = lineIn(cells.text(kind))
  if (name === '') return 'import.problem.hasNoName'
  const said = {
    name,
    description: cleanHtml(cells.cut('description', LONGEST_HTML)),
    phone: lineIn(cells.text('phone')),
  }
  const common = { ...said, website: cells.read('website', webAddress) ?? '' }
  if (kind === 'organizer') {
    const email = cells.read('organizer_email', (text) => emailsIn(text)[0] || undefined) ?? ''
    return { kind, line, content: { ...common, email } }
  }
  const flags = { ...shownIn('show_map', cells), ...shownIn('show_map_link', cells) }
  return { kind, line, content: { ...common, ...(placeOf(cells, name) ?? {}), ...flags } }
}

function shownIn(field: 'show_map' | 'show_map_link', cells: RowCells): Partial<VenueContent> {
  const isSet = cells.read(field, flagIn)
  return isSet === undefined ? {} : { [field]: isSet ? 1 : 0 }
}

/** Where the venue of this name in a row is; undefined for no name. */
export function placeOf(cells: RowCells, name: string): TableVenue['content'] | undefined {
  const lat = cells.read('geo_lat', (text) => degreesIn(text, 90))
  const lng = cells.read('geo_lng', (text) => degreesIn(text, 180))
  const isPoint = lat !== undefined && lng !== undefined
  const unused =
    name === ''
      ? PLACE_FIELDS
      : isPoint
        ? []
        : lat !== undefined
          ? ['geo_lat' as const]
          : lng !== undefined
            ? ['geo_lng' as const]
            : []
  for (const field of unused)
    if (cells.text(field) !== '') cells.notes.add('import.note.noPlace', { value: cells.text(field) })
  if (name === '') return undefined
  return {
    name,
    address: lineIn(cells.text('address')),
    city: lineIn(cells.text('city')),
    stateprovince: lineIn(cells.text('province')),
    zip: lineIn(cells.text('zip')),
    country: lineIn(cells.text('country')),
    ...(isPoint && { geo_lat: lat, geo_lng: lng }),
  }
}

const PLACE_FIELDS = ['province', 'zip', 'country', 'geo_lat', 'geo_lng'] as const

function degreesIn(text: string, most: number): number | undefined {
  const number = Number(text.replace(',', '.'))
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
  return [...new Set([lineIn(one), ...namesIn(several)])].filter((name) => name !== '')
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
