import { fail } from '../../errors.ts'
import { webAddress } from '../../fields/address.ts'
import { booleanOf } from '../../fields/boolean.ts'
import { STATUSES } from '../../model/status.ts'
import { readCost } from '../../text/cost.ts'
import { escapeHtml } from '../../text/entities.ts'
import { cleanHtml } from '../../text/html.ts'
import { plainText } from '../../text/plain.ts'
import { readClock } from '../../time/clock.ts'
import { parseDate } from '../../time/parse.ts'
import { isZone } from '../../time/zones.ts'
import type { LineProblem } from '../icalendar-import/components.ts'
import type { EventContent } from '../icalendar-import/content.ts'
import { timesAt, timesOfDays } from '../icalendar-import/times.ts'
import type { SourceCalendarEvent, SourceTimes } from '../icalendar-import/types.ts'
import { windowsZone } from '../icalendar-import/windows-zones.ts'
import { instantIn } from '../icalendar-import/zones.ts'
import { readTable, type TableRow } from './table.ts'

/** What was read of a table. */
export interface ReadTable {
  readonly events: readonly SourceCalendarEvent[]
  readonly problems: readonly LineProblem[]
}

/**
 * The columns that are understood, as `columnName` has them: those of the importer of The Events Calendar (`Event Name`,
 * `Event Start Date`, ...), of this program (`title`, `start_date`, ...) and what spreadsheets usually say.
 */
const COLUMNS = {
  title: ['name', 'title', 'summary', 'subject'],
  description: ['description', 'content', 'details'],
  excerpt: ['excerpt', 'shortdescription'],
  startDate: ['startdate', 'start', 'date', 'begin'],
  startTime: ['starttime', 'time'],
  endDate: ['enddate', 'end'],
  endTime: ['endtime'],
  zone: ['timezone', 'zone'],
  allDay: ['allday', 'alldayevent', 'wholeday'],
  venue: ['venuename', 'venue', 'location', 'place'],
  address: ['venueaddress', 'address'],
  city: ['venuecity', 'city'],
  organizer: ['organizername', 'organizernames', 'organizer', 'organizers'],
  email: ['organizeremail'],
  categories: ['category', 'categories'],
  tags: ['tags', 'tag'],
  cost: ['cost', 'price'],
  symbol: ['currencysymbol'],
  position: ['currencyposition'],
  website: ['website', 'url', 'link'],
  image: ['featuredimage', 'image', 'picture'],
  showMap: ['showmap', 'showgooglemap'],
  showMapLink: ['showmaplink', 'showgooglemaplink'],
  hidden: ['hidefromlistings', 'hidefromeventlistings', 'hideeventfromeventlistings', 'hidefromupcoming'],
  sticky: ['sticky', 'stickyinmonthview'],
  featured: ['featured', 'feature', 'featureevent'],
  status: ['status', 'publishstatus'],
  conference: ['virtualurl', 'onlineurl'],
  uid: ['uid', 'globalid'],
  language: ['language'],
} as const

type ColumnKey = keyof typeof COLUMNS

/** Columns without which no row is an event, and what they hold. */
const NEEDED: readonly (readonly [ColumnKey, string])[] = [
  ['title', 'titles (such as "title" or "Event Name")'],
  ['startDate', 'starts (such as "start_date" or "Event Start Date")'],
]

type Cell = (key: ColumnKey) => string

/** Reads the events of a table, one for each row. @throws calendar_not_readable */
export function readCsv(file: string, bytes: Buffer, { zone }: { readonly zone: string }): ReadTable {
  const problems: LineProblem[] = []
  const events: SourceCalendarEvent[] = []
  readTable(file, bytes, {
    onHead: (names) => {
      for (const [key, what] of NEEDED)
        if (!COLUMNS[key].some((name) => names.has(name)))
          throw fail('calendar_not_readable', { file, reason: `has no column with ${what}` })
    },
    onRow: (row) => {
      const event = eventOf(row, zone)
      if (typeof event === 'string') problems.push({ line: row.line, why: event })
      else events.push(event)
    },
  })
  return { events, problems }
}

/** The event of a row, or what is wrong with it. */
function eventOf({ cells, line }: TableRow, siteZone: string): SourceCalendarEvent | string {
  const cell: Cell = (key) => {
    const name = COLUMNS[key].find((one) => (cells.get(one) ?? '') !== '')
    return name === undefined ? '' : (cells.get(name) ?? '')
  }
  const title = plainText(escapeHtml(cell('title'))).slice(0, 1000)
  if (title === '') return 'has no title'
  const named = cell('zone')
  const zone = named === '' ? siteZone : (windowsZone(named) ?? named)
  if (!isZone(zone)) return `names the unknown time zone ${zone.slice(0, 60)}`
  const times = timesOfRow(cell, zone)
  if (typeof times === 'string') return times
  const cost = readCost(cell('cost'))
  if (!cost.ok) return 'has a cost that is too long'
  const flag = (key: ColumnKey): number => (booleanOf(cell(key).toLowerCase()) === true ? 1 : 0)
  const symbol = plainText(cell('symbol')).slice(0, 40)
  const isBehind = /^(?:postfix|suffix|after)$/i.test(cell('position'))
  const currency = symbol === '' ? {} : { cost_symbol: symbol, cost_position: isBehind ? 'postfix' : 'prefix' }
  const status = STATUSES.find((one) => one === cell('status').toLowerCase() && one !== 'trash' && one !== 'future')
  return {
    uid: cell('uid') || `${title} ${times.startUtc}`,
    line,
    times,
    content: contentOf(cell, title),
    recurrence: undefined,
    exceptions: [],
    columns: {
      ...{ cost: cost.cost.text, cost_symbol: cost.cost.symbol, cost_position: cost.cost.position, ...currency },
      ...{ show_map: flag('showMap'), show_map_link: flag('showMapLink'), hide_from_listings: flag('hidden') },
      ...{ sticky: flag('sticky'), featured: flag('featured') },
    },
    entry: { excerpt: cleanHtml(cell('excerpt')), ...(status !== undefined && { status }) },
  }
}

function contentOf(cell: Cell, title: string): EventContent {
  const place = [cell('venue'), cell('address'), cell('city')].filter((part) => part !== '')
  const [organizer = ''] = namesIn(cell('organizer'))
  const email = cell('email')
  return {
    title,
    description: cleanHtml(cell('description').slice(0, 500_000)),
    state: '',
    isPrivate: false,
    comment: '',
    categories: namesIn(cell('categories')),
    tags: namesIn(cell('tags')),
    location: cell('venue') === '' ? '' : plainText(escapeHtml(place.join(', '))).slice(0, 1000),
    point: undefined,
    organizer:
      organizer === '' ? undefined : { name: organizer, email: /^[^@\s<>]+@[^@\s<>]+$/.test(email) ? email : '' },
    url: webAddress(cell('website')) ?? '',
    image: webAddress(cell('image')) ?? '',
    conference: webAddress(cell('conference')) ?? '',
    language: '',
    created: undefined,
    modified: undefined,
    kept: [],
  }
}

function namesIn(text: string): string[] {
  const names = text.split(/[,;|]/).map((one) => plainText(escapeHtml(one.trim())).slice(0, 200))
  return [...new Set(names.filter((one) => one !== ''))].slice(0, 50)
}

interface Moment {
  readonly seconds: number
  readonly isUtc: boolean
  readonly hasTime: boolean
}

/** When the event of a row takes place; without times it lasts the whole day. */
function timesOfRow(cell: Cell, zone: string): SourceTimes | string {
  const start = momentOf(cell('startDate'), cell('startTime'), zone)
  if (start === undefined) return cell('startDate') === '' ? 'has no start' : 'has a start that is no date'
  const hasEnd = cell('endDate') !== '' || cell('endTime') !== ''
  const endDate = cell('endDate') || cell('startDate').replace(/[ T]\d.*$/, '')
  const end = hasEnd ? momentOf(endDate, cell('endTime'), zone) : start
  if (end === undefined) return 'has an end that is no date'
  const isAllDay =
    cell('allDay') === '' ? !start.hasTime && !end.hasTime : booleanOf(cell('allDay').toLowerCase()) === true
  const utc = (one: Moment): number => (one.isUtc ? one.seconds : instantIn(one.seconds, zone))
  const isOpen = start.hasTime && !end.hasTime && !isAllDay
  if (isOpen ? end.seconds < start.seconds - 86_400 : utc(end) < utc(start)) return 'ends before it starts'
  const times = isAllDay
    ? timesOfDays({ zone, first: start.seconds, last: end.seconds })
    : timesAt({ from: utc(start), to: isOpen ? utc(start) : utc(end), zone })
  return times ?? 'lies outside of the years that are kept'
}

/** A date with its time, together or in two columns; words such as `tomorrow` are none, because they pass. */
function momentOf(date: string, time: string, zone: string): Moment | undefined {
  if (!/\d/.test(date)) return undefined
  const parsed = parseDate(`${date} ${time}`.trim(), { now: 0, zone })
  if (!parsed.ok) return undefined
  const isUtc = parsed.kind === 'instant'
  return { seconds: readClock(isUtc ? parsed.utc : parsed.local), isUtc, hasTime: parsed.hasTime }
}
