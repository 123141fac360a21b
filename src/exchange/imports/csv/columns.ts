import type { MessageId } from '../../../base/i18n/translate.ts'
import { EVENT_FIELDS } from '../../../model/event.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import { ORGANIZER_FIELDS } from '../../../model/organizer.ts'
import { VENUE_FIELDS } from '../../../model/venue.ts'

/** What the kinds of tables say. */
export type TableKind = 'event' | 'venue' | 'organizer'

/** A column by its heading, and the field that someone says it is; `none` for one that is left out. */
export type ColumnChoice = readonly [heading: string, field: string]

/** Field of a column that is left out. */
export const LEFT_OUT = 'none'

type Fields = Readonly<Record<string, readonly string[]>>

/** What a table says of the place of an event, each with further headings. */
const PLACE = {
  address: ['venueaddress', 'venueaddress1'],
  city: ['venuecity'],
  province: ['venuestateprovince', 'venueprovince', 'venuestate', 'stateprovince', 'state'],
  zip: ['venuezip', 'postalcode', 'postcode'],
  country: ['venuecountry'],
  geo_lat: ['latitude', 'venuelatitude'],
  geo_lng: ['longitude', 'venuelongitude'],
} as const satisfies Fields

/** What a table says of a field in further columns: without that of the field itself, these say it. */
const FURTHER = {
  start_date: { start_time: ['time'] },
  end_date: { end_time: [] },
  venue: { venues: ['venue'] },
  cost: { currency_symbol: [], currency_position: [] },
  website: { url: [] },
} as const satisfies Readonly<Record<string, Fields>>

/** What a table says besides, by the field that it is a detail of. */
const DETAILS = { venue: PLACE, organizer: { organizer_email: ['organizeremails'] } } as const

const EVENT_CSV: readonly AnyField[] = EVENT_FIELDS.filter(({ csv }) => csv !== undefined)

function partsOf(parts: Readonly<Record<string, Fields>>, name: string): Fields {
  return Object.hasOwn(parts, name) ? (parts[name] ?? {}) : {}
}

/**
 * The fields of events by their names in tables of this program, each with further headings as `headingKey` has them: those
 * of the importer of The Events Calendar (`Event Name`, `Event Start Date`, ...) and what spreadsheets usually say.
 */
const EVENT: Fields = Object.assign(
  {},
  ...EVENT_CSV.map(({ name, csv }) => {
    const further = partsOf(FURTHER, name)
    // Several venues stand in a column that may be called as that of one is.
    const [before, after] = name === 'venue' ? [further, {}] : [{}, further]
    return { ...before, [name]: csv?.also ?? [], ...after, ...partsOf(DETAILS, name) }
  }),
  { uid: ['globalid'] },
)

/** The same for venues, also with the headings that The Events Calendar's importer of venues has. */
const VENUE = {
  venue: ['venuename'],
  description: ['venuedescription'],
  ...PLACE,
  phone: ['venuephone'],
  website: ['venuewebsite', 'venueurl', 'url', 'link'],
  show_map: ['venueshowmap', 'showgooglemap'],
  show_map_link: ['venueshowmaplink', 'showgooglemaplink'],
} as const satisfies Fields

/** The same for organizers. */
const ORGANIZER = {
  organizer: ['organizername'],
  description: ['organizerdescription'],
  organizer_email: ['email', 'mail'],
  phone: ['organizerphone'],
  website: ['organizerwebsite', 'organizerurl', 'url', 'link'],
} as const satisfies Fields

type KeysOf<Parts> = Parts extends object ? keyof Parts & string : never
type Further = KeysOf<(typeof FURTHER)[keyof typeof FURTHER]> | KeysOf<(typeof DETAILS)[keyof typeof DETAILS]> | 'uid'

/** A field of an event in a table. */
export type EventField = (typeof EVENT_FIELDS)[number]['name'] | Further
/** A field that events and venues have. */
export type PlaceField = keyof typeof PLACE
/** A field of a venue, or of an organizer. */
export type EntryField = keyof typeof VENUE | keyof typeof ORGANIZER

const TABLES = { event: EVENT, venue: VENUE, organizer: ORGANIZER } as const

/** Fields without which a row is nothing. */
const NEEDED: Readonly<Record<TableKind, readonly string[]>> = {
  event: ['title', 'start_date'],
  venue: ['venue'],
  organizer: ['organizer'],
}

/** What is missing where a table is none of events. */
const MISSING: readonly (readonly [EventField, MessageId])[] = [
  ['title', 'import.problem.noTitleColumn'],
  ['start_date', 'import.problem.noStartColumn'],
]

/** The fields that a column can be, in the order in which they are offered. */
export const COLUMN_FIELDS: readonly string[] = [
  ...new Set([...Object.keys(EVENT), ...Object.keys(VENUE), ...Object.keys(ORGANIZER)]),
]

/** Names of columns that no form has. */
const FURTHER_LABELS: readonly (readonly [string, MessageId])[] = [
  ['start_time', 'admin.startTime'],
  ['end_time', 'admin.endTime'],
  ['venues', 'admin.import.multipleVenues'],
  ['province', 'fields.stateOrProvince'],
  ['organizer_email', 'fields.email'],
  ['currency_symbol', 'admin.currencySymbol'],
  ['uid', 'common.id'],
]

/** The names of columns, where they have any. */
export const COLUMN_LABELS: ReadonlyMap<string, MessageId> = new Map([
  ...[...ORGANIZER_FIELDS, ...VENUE_FIELDS, ...EVENT_FIELDS].flatMap(({ name, csv, label }: AnyField) => {
    const shown = csv?.label ?? label
    return shown === undefined ? [] : [[name, shown] as const]
  }),
  ...FURTHER_LABELS,
])

/** The columns by which a table says something of a field. */
export function columnsSaying(field: string): readonly string[] {
  return [field, ...Object.keys(partsOf(FURTHER, field))]
}

/** What the columns of a table are. */
export interface ColumnPlan {
  readonly kind: TableKind
  /** The field of each column in their order; '' for those that are not imported. */
  readonly fields: readonly string[]
  /** The missing columns of a table of events; undefined if it has all it needs. */
  readonly lacks: MessageId | undefined
}

/** Fields that only events have: a table with one of them is no table of their venues or organizers. */
const OF_EVENTS: readonly string[] = ['title', 'start_date', 'start_time', 'end_date', 'end_time', 'all_day']

/**
 * Finds out what the columns are: an assignment counts, else their headings. A table without anything that only
 * events have is one of venues, or of organizers, whatever else it says.
 */
export function planColumns(headings: readonly string[], said: readonly ColumnChoice[]): ColumnPlan {
  const chosen = new Map(said.map(([heading, field]) => [headingKey(heading), field]))
  const keys = headings.map(headingKey)
  const fieldsOf = (kind: TableKind): string[] => keys.map((key) => fieldOf(kind, key, chosen.get(key)))
  const hasNeeded = (kind: TableKind, fields: readonly string[]): boolean =>
    NEEDED[kind].every((field) => fields.includes(field))
  const fields = fieldsOf('event')
  if (hasNeeded('event', fields)) return { kind: 'event', fields, lacks: undefined }
  if (!fields.some((field) => OF_EVENTS.includes(field))) {
    const others = (['venue', 'organizer'] as const).map((kind) => ({ kind, fields: fieldsOf(kind), lacks: undefined }))
    const known = (plan: ColumnPlan): number => plan.fields.filter((field) => field !== '').length
    const [best] = others
      .filter((one) => hasNeeded(one.kind, one.fields))
      .toSorted((one, other) => known(other) - known(one))
    if (best !== undefined) return best
  }
  return { kind: 'event', fields, lacks: MISSING.find(([field]) => !fields.includes(field))?.[1] }
}

function fieldOf(kind: TableKind, key: string, said: string | undefined): string {
  const fields: Fields = TABLES[kind]
  if (said !== undefined) return Object.hasOwn(fields, said) ? said : ''
  const found = Object.entries(fields).find(([field, others]) => key === headingKey(field) || others.includes(key))
  return found?.[0] ?? ''
}

/** A heading by its letters alone: `Event Start Date` and `event_start_date` are one, and `Event` in front does not count. */
export function headingKey(heading: string): string {
  const letters = heading
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return letters === 'eventstatus' ? letters : letters.replace(/^event(?=.)/, '')
}
