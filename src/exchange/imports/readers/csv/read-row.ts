import { readCost } from '../../../../base/text/cost.ts'
import { plainText } from '../../../../base/text/html.ts'
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
import { emailsIn, LONGEST_HTML, LONGEST_LINE, languageTag, lineIn, storedValue } from '../stored-value.ts'
import { placeOf } from './read-entries.ts'
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

/** The event of a row, or what is wrong with it. */
export function readRow(cells: RowCells, { zone: siteZone, said }: RowReading): SourceCalendarEvent | string {
  const title = cells.plain('title')
  if (title === '') return 'import.problem.noTitle'
  const zone = zoneOf(cells, siteZone)
  const isAllDay = cells.read('all_day', flagIn)
  const times = timesOfRow(cells, { zone, isAllDay })
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
      excerpt: cells.html('excerpt'),
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
  if (zone !== '') cells.note('import.note.unknownZone', { zone: zone.slice(0, 60), used })
  return used
}

/** What no other form of calendars says. */
function columnsOf(cells: RowCells): SourceCalendarEvent['columns'] {
  const costText = cells.text('cost')
  const read = readCost(costText)
  if (!read.ok) cells.note('import.note.tooLong', { value: costText })
  const cost = read.ok ? read.cost : { text: '', symbol: '', position: '' }
  const plain = PLAIN_CELLS.map(({ name, column }) => [name, storedCell(cells, name, column)])
  const symbol = plainText(cells.cut('currency_symbol', 40))
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
  const limit = { html: LONGEST_HTML, line: LONGEST_LINE }[String(column.kind)] ?? Number.POSITIVE_INFINITY
  const text = cells.cut(field, limit)
  const value = storedValue(column, text)
  if (text !== '' && (value === column.blank || value === '')) cells.unread(field, text)
  return value
}

function contentOf(cells: RowCells, title: string): EventContent {
  const [place, url, description] = [placesOf(cells), websiteOf(cells), cells.html('description')]
  // Who says where people attend online has no further links for it.
  const linked = cells.has('virtual_url') ? '' : meetingIn(description) || meetingIn(url)
  return {
    title,
    description,
    state: '',
    isPrivate: false,
    comment: '',
    categories: cells.names('categories'),
    tags: cells.names('tags'),
    point: undefined,
    ...place,
    organizers: organizersOf(cells),
    url,
    image: linkIn(cells, 'image'),
    conference: place.conference || linked,
    language: cells.read('language', (text) => languageTag(text) || undefined) ?? '',
    created: undefined,
    modified: undefined,
    kept: [],
  }
}

function linkIn(cells: RowCells, field: TableField): string {
  return cells.read(field, webAddress) ?? ''
}

/** The website; an address beside it that has the slug, or the ID of a draft, is the page of the event where the table comes from. */
function websiteOf(cells: RowCells): string {
  const [website, url, slug] = [cells.text('website'), cells.text('url'), cells.text('slug')]
  const isPage = cells.has('website') && slug !== '' && (url.includes(slug) || /[?&]p=\d+$/.test(url))
  if (website === '' && !isPage) return linkIn(cells, 'url')
  if (url !== '' && url !== website && !isPage) cells.note('import.note.otherValue', { value: url })
  return linkIn(cells, 'website')
}

/** Where an event of a row takes place; addresses and programs for meetings are no places. */
function placesOf(
  cells: RowCells,
): Pick<EventContent, 'location' | 'place' | 'otherPlaces' | 'conference' | 'isOnline'> {
  const [one, several] = [readLocation(cells.cut('venue', LONGEST_LINE)), readLocation(cells.text('venues'))]
  const street = readLocation(cells.text('address'))
  const online = [one, several, street].filter(({ isOnline }) => isOnline)
  const links = [linkIn(cells, 'virtual_url'), ...online.map(({ address: link }) => link)]
  const [conference = '', ...unused] = [...new Set(links)].filter((link) => link !== '')
  for (const value of unused) cells.note('import.note.otherValue', { value })
  const listed = cells.names('venues', several.place)
  const named = [...new Set([lineIn(one.place), ...listed])].filter((name) => name !== '')
  // An address without a name is a place as well.
  const [address, city] = [street.place, cells.text('city')]
  const [venue = address || city, ...others] = named
  const place = placeOf(cells, venue, address)
  const parts = [...new Set([venue, address, city])].filter((part) => part !== '')
  const otherPlaces = others.map((name) => ({ location: name, point: undefined, place: { name } }))
  return {
    location: venue === '' ? '' : lineIn(parts.join(', ')),
    conference,
    ...(online.length > 0 && { isOnline: true }),
    ...(place !== undefined && { place }),
    ...(others.length > 0 && { otherPlaces }),
  }
}

/** Organizers: each has the email address at its place, if there are as many of these. */
function organizersOf(cells: RowCells): EventContent['organizers'] {
  const [names, text] = [cells.names('organizer'), cells.text('organizer_email')]
  const emails = emailsIn(text)
  const organizers = names.map((name, index) => ({
    name,
    email: emails.length === names.length ? (emails[index] ?? '') : '',
  }))
  const written = text.split(/[,;|]/).map((one) => one.trim())
  const lost = written.filter((one) => one !== '' && organizers.every(({ email }) => email !== one))
  if (lost.length > 0) cells.unread('organizer_email', lost.join(', '))
  return organizers
}
