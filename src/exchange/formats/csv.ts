import { presentCost } from '../../base/text/cost.ts'
import type { EventWithRelations } from '../../calendar/events/index.ts'
import { pageUrl } from '../../calendar/shared/present.ts'
import { named, text } from '../../http/openapi/parts.ts'
import { PLAIN_CELLS } from '../../model/event-parts.ts'
import { ownUid } from '../icalendar/event.ts'
import { imageAddress } from './facts.ts'
import { type EventFormat, type FormatContext, fromEvents } from './format.ts'

type Cell = string | number | null
type Column = (event: EventWithRelations, context: FormatContext) => Cell

/** The columns by name, those that the interface has too under its names. */
const COLUMNS: Readonly<Record<string, Column>> = {
  id: ({ row }) => row.id,
  title: ({ row }) => row.title,
  slug: ({ row }) => row.slug,
  url: ({ row }, { call }) => pageUrl('event', row, call.urls),
  status: ({ row }) => row.status,
  event_status: ({ row }) => row.event_status,
  start_date: ({ row }) => row.start_local,
  end_date: ({ row }) => row.end_local,
  timezone: ({ row }) => row.timezone,
  utc_start_date: ({ row }) => row.start_utc,
  utc_end_date: ({ row }) => row.end_utc,
  all_day: ({ row }) => yesOrNo(row.all_day),
  venue: ({ venues }) => list(venues),
  address: ({ venues: [venue] }) => venue?.address ?? '',
  city: ({ venues: [venue] }) => venue?.city ?? '',
  province: ({ venues: [venue] }) => (venue && (venue.stateprovince || venue.state || venue.province)) ?? '',
  zip: ({ venues: [venue] }) => venue?.zip ?? '',
  country: ({ venues: [venue] }) => venue?.country ?? '',
  geo_lat: ({ venues: [venue] }) => venue?.geo_lat ?? '',
  geo_lng: ({ venues: [venue] }) => venue?.geo_lng ?? '',
  organizer: ({ organizers }) => list(organizers),
  organizer_email: ({ organizers }) => emails(organizers),
  categories: ({ categories }) => list(categories),
  tags: ({ tags }) => list(tags),
  cost: costCell,
  website: ({ row }) => row.website,
  is_virtual: ({ row }) => yesOrNo(row.is_virtual),
  virtual_url: ({ row }) => row.virtual_url,
  image: (event, { call }) => imageAddress(event, call.urls),
  ...plainColumns(),
  modified_utc: ({ row }) => row.modified_at,
  excerpt: ({ row }) => row.excerpt,
  description: ({ row }) => row.description,
  uid: ({ row }, { site }) => ownUid(row, site),
}

/** The fields that need no code of their own. */
function plainColumns(): Readonly<Record<string, Column>> {
  const written = PLAIN_CELLS.filter(({ isOnlyRead }) => !isOnlyRead)
  return Object.fromEntries(
    written.map(({ name, column: { kind } }): [string, Column] => {
      const isFlag = kind === 'flag' || kind === 'mark'
      const cellOf = (value: string | number | null): Cell => (isFlag ? yesOrNo(Number(value)) : value)
      return [name, ({ row }) => cellOf(Reflect.get(row, name) as string | number | null)]
    }),
  )
}

function yesOrNo(flag: number): string {
  return flag === 1 ? 'true' : 'false'
}

function list(items: readonly { readonly name: string }[]): string {
  return items.map(({ name }) => (/[,;|"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(', ')
}

/** Mail addresses, each at the place of its organizer; '' where none has one. */
function emails(organizers: readonly { readonly email: string }[]): string {
  return organizers.some(({ email }) => email !== '') ? organizers.map(({ email }) => email).join(', ') : ''
}

function costCell({ row }: EventWithRelations, { site }: FormatContext): string {
  const position = row.cost_position === 'prefix' || row.cost_position === 'postfix' ? row.cost_position : ''
  const stored = { text: row.cost, symbol: row.cost_symbol, position } as const
  return presentCost(stored, { symbol: site.currencySymbol, position: site.currencyPosition }).cost
}

/** What programs for tables take for a formula, also in the wide letters of East Asia. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A cell (RFC 4180). An apostrophe keeps text that would be a formula what it is; numbers are none. */
function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const plain = (value ?? '').replaceAll('\0', '')
  const safe = FORMULA.test(plain) ? `'${plain}` : plain
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`

/** Events as a table, one line for each. */
export const CSV: EventFormat = {
  ending: 'csv',
  said: {
    list: 'api.formats.csv.list',
    aboutList: 'api.formats.csv.listAbout',
  },
  type: 'text/csv',
  parameters: '; charset=utf-8; header=present',
  schema: named('EventTable', text('api.formats.csvTableRfc4180', HEAD)),
  texts: fromEvents(
    (event, context) =>
      `${Object.values(COLUMNS)
        .map((column) => csvCell(column(event, context)))
        .join(',')}\r\n`,
  ),
  begin: () => HEAD,
  between: '',
  end: () => '',
}
