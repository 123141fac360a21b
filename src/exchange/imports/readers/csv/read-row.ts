import { readCost } from '../../../../base/text/cost.ts'
import { escapeHtml } from '../../../../base/text/entities.ts'
import { cleanHtml, plainText } from '../../../../base/text/html.ts'
import { nameKey } from '../../../../base/text/name-key.ts'
import { slugify } from '../../../../base/text/slug.ts'
import { isZone } from '../../../../base/time/zones.ts'
import { isTrashedSlug } from '../../../../calendar/shared/trash.ts'
import type { Column } from '../../../../model/column.ts'
import { PLAIN_CELLS } from '../../../../model/event-parts.ts'
import { webAddress } from '../../../../model/kinds/address.ts'
import type { EventContent } from '../icalendar/content.ts'
import { meetingIn, readLocation } from '../icalendar/meetings.ts'
import type { SourceCalendarEvent } from '../icalendar/types.ts'
import { zoneCalled } from '../icalendar/zone-labels.ts'
import { LONGEST_HTML, languageTag, storedValue } from '../stored-value.ts'
import { namesIn, organizersIn, placeOf, venuesIn } from './read-entries.ts'
import type { RowCells, TableField } from './row-cells.ts'
import { statusOfRow } from './row-status.ts'
import { timesOfRow } from './row-times.ts'
import { flagIn } from './words.ts'

/** What a row is read with. */
export interface RowReading {
  /** Zone of times that are of none. */
  readonly zone: string
  /** Takes the fields for which a column of another name had words. */
  readonly said: Set<string>
}

/** Characters of texts; what is longer is cut. */
const LONGEST = { title: 1000, html: LONGEST_HTML, names: 20_000 } as const

/** The event of a row, or what is wrong with it. */
export function readRow(cells: RowCells, { zone: siteZone, said }: RowReading): SourceCalendarEvent | string {
  const title = plainText(escapeHtml(cells.cut('title', LONGEST.title)))
  if (title === '') return 'import.problem.noTitle'
  const zone = zoneOf(cells, siteZone)
  const isAllDay = cells.read('all_day', flagIn)
  const times = timesOfRow({
    cell: (field) => cells.text(field),
    written: (...fields) => cells.written(...fields),
    zone,
    isAllDay,
    notes: cells.notes,
  })
  if (typeof times === 'string') return times
  const { publication, event } = statusOfRow(cells)
  if (publication !== undefined) said.add('status')
  if (event !== undefined) said.add('event_status')
  const content = { ...contentOf(cells, title), ...stateOf(event) }
  if (content.isOnline || content.conference !== '') said.add('virtual_url')
  const slug = cells.read('slug', slugIn)
  return {
    uid: cells.text('uid') || ownUid(title, times.startUtc),
    line: cells.line,
    times,
    content,
    recurrence: undefined,
    exceptions: [],
    columns: { ...columnsOf(cells), ...(event !== undefined && event !== 'tentative' && { event_status: event }) },
    entry: {
      excerpt: cleanHtml(cells.cut('excerpt', LONGEST.html)),
      ...(publication !== undefined && { status: publication }),
      ...(slug !== undefined && { slug }),
    },
  }
}

function slugIn(text: string): string | undefined {
  const slug = slugify(text)
  return slug === '' || isTrashedSlug(slug) ? undefined : slug
}

/** The identity of an event whose row names none. */
export function ownUid(title: string, startUtc: string): string {
  return `${nameKey(title)} ${startUtc}`
}

/** What iCalendar calls the status; no column of ours has one that is not sure. */
function stateOf(event: ReturnType<typeof statusOfRow>['event']): Pick<EventContent, 'state' | 'kept'> {
  if (event === 'tentative') return { state: '', kept: ['STATUS:TENTATIVE'] }
  return { state: event === 'canceled' ? 'CANCELLED' : '', kept: [] }
}

function zoneOf(cells: RowCells, used: string): string {
  const zone = cells.text('timezone')
  const known = zoneCalled(zone) ?? zone
  if (isZone(known)) return known
  if (zone !== '') cells.notes.add('import.note.unknownZone', { zone: zone.slice(0, 60), used })
  return used
}

/** What no other form of calendars says. */
function columnsOf(cells: RowCells): SourceCalendarEvent['columns'] {
  const costText = cells.text('cost')
  const read = readCost(costText)
  if (!read.ok) cells.notes.add('import.note.tooLong', { value: costText })
  const cost = read.ok ? read.cost : { text: '', symbol: '', position: '' }
  const plain = PLAIN_CELLS.map(({ name, column }) => [name, storedCell(cells, name, column)])
  const symbol = plainText(cells.text('currency_symbol')).slice(0, 40)
  const position = cells.read(
    'currency_position',
    (text) => /^(?:pre|post|suf)fix$|^(?:before|after)$/i.exec(text)?.[0],
  )
  if (symbol === '' && position !== undefined) cells.unread('currency_position', position)
  const isBehind = /^(?:postfix|suffix|after)$/i.test(position ?? '')
  const currency = symbol === '' ? {} : { cost_symbol: symbol, cost_position: isBehind ? 'postfix' : 'prefix' }
  return {
    ...{ cost: cost.text, cost_symbol: cost.symbol, cost_position: cost.position, ...currency },
    ...(Object.fromEntries(plain) as SourceCalendarEvent['columns']),
  }
}

function storedCell(cells: RowCells, field: TableField, column: Column): unknown {
  if (column.kind === 'flag' || column.kind === 'mark') return cells.read(field, flagIn) === true ? 1 : 0
  const text = cells.text(field)
  const value = storedValue(column, text)
  if (text !== '' && (value === column.blank || value === '')) cells.unread(field, text)
  return value
}

function contentOf(cells: RowCells, title: string): EventContent {
  const link = (field: TableField): string => cells.read(field, webAddress) ?? ''
  const [place, url] = [placesOf(cells), link(cells.has('website') ? 'website' : 'url')]
  const description = cleanHtml(cells.cut('description', LONGEST.html))
  // Who says where people attend online has no further links for it.
  const linked = cells.has('virtual_url') ? '' : meetingIn(description) || meetingIn(url)
  const names = (field: 'categories' | 'tags'): readonly string[] => [
    ...new Set(cells.cutAll(field, LONGEST.names).flatMap(namesIn)),
  ]
  return {
    title,
    description,
    state: '',
    isPrivate: false,
    comment: '',
    categories: names('categories'),
    tags: names('tags'),
    point: undefined,
    ...place,
    organizers: organizersOf(cells),
    url,
    image: link('image'),
    conference: link('virtual_url') || place.conference || linked,
    language: cells.read('language', (text) => languageTag(text) || undefined) ?? '',
    created: undefined,
    modified: undefined,
    kept: [],
  }
}

/** Where an event of a row takes place; addresses and programs for meetings are no places. */
function placesOf(
  cells: RowCells,
): Pick<EventContent, 'location' | 'place' | 'otherPlaces' | 'conference' | 'isOnline'> {
  const online = readLocation(cells.text('venue'))
  const named = venuesIn(online.place, cells.text('venues'))
  // An address without a name is a place as well.
  const [address, city] = [cells.text('address'), cells.text('city')]
  const [venue = address || city, ...others] = named
  const place = placeOf(cells, venue)
  const parts = [...new Set([venue, address, city])].filter((part) => part !== '')
  const otherPlaces = others.map((name) => ({ location: name, point: undefined, place: { name } }))
  return {
    location: venue === '' ? '' : plainText(escapeHtml(parts.join(', '))).slice(0, 1000),
    conference: online.address,
    ...(online.isOnline && { isOnline: true }),
    ...(place !== undefined && { place }),
    ...(others.length > 0 && { otherPlaces }),
  }
}

function organizersOf(cells: RowCells): EventContent['organizers'] {
  const [names, emails] = [cells.text('organizer'), cells.text('organizer_email')]
  const organizers = organizersIn(names, emails)
  const written = emails.split(/[,;|]/).map((one) => one.trim())
  const lost = written.filter((one) => one !== '' && organizers.every(({ email }) => email !== one.slice(0, 200)))
  if (lost.length > 0) cells.unread('organizer_email', lost.join(', '))
  return organizers
}
