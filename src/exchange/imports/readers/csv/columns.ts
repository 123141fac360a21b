import { LANGUAGES } from '../../../../base/i18n/languages.ts'
import { type MessageId, translate } from '../../../../base/i18n/translate.ts'
import { EVENT_FIELDS } from '../../../../model/event.ts'
import type { AnyField } from '../../../../model/kinds/field.ts'
import { ORGANIZER_FIELDS } from '../../../../model/organizer.ts'
import { VENUE_FIELDS } from '../../../../model/venue.ts'
import headings from './headings.json' with { type: 'json' }
import { wordKey } from './words.ts'

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
  status: { private: ['sensitivity', 'visibility', 'class'] },
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
  ['private', 'admin.import.private'],
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
  const fieldsOf = (kind: TableKind): string[] =>
    secondColumns(
      keys,
      keys.map((key) => fieldOf(kind, key, chosen.get(key))),
    )
  const hasNeeded = (kind: TableKind, fields: readonly string[]): boolean =>
    NEEDED[kind].every((field) => fields.includes(field))
  const fields = fieldsOf('event')
  if (hasNeeded('event', fields)) return { kind: 'event', fields, lacks: undefined }
  if (!fields.some((field) => OF_EVENTS.includes(field))) {
    const others = (['venue', 'organizer'] as const).map((kind) => ({ kind, fields: fieldsOf(kind), lacks: undefined }))
    const known = (plan: ColumnPlan): number => plan.fields.filter((field) => field !== '').length
    const [best] = others
      .filter((one) => hasNeeded(one.kind, one.fields))
      // Words such as "Ort" are headings of events as well: where little else is known, someone has to say what it is.
      .filter((one) => keys.some((key) => ownField(one.kind, key) === one.kind) || 2 * known(one) > keys.length)
      .toSorted((one, other) => known(other) - known(one))
    if (best !== undefined) return best
  }
  return { kind: 'event', fields, lacks: MISSING.find(([field]) => !fields.includes(field))?.[1] }
}

/** Whether a text is what columns for whole days are called, such as `All day` in place of a time. */
export function isAllDayWord(text: string): boolean {
  return /^\D+$/.test(text) && fieldOf('event', headingKey(text), undefined) === 'all_day'
}

function fieldOf(kind: TableKind, key: string, said: string | undefined): string {
  const fields: Fields = TABLES[kind]
  if (said !== undefined) return Object.hasOwn(fields, said) ? said : ''
  return ownField(kind, key) ?? translatedFields(kind).get(key) ?? ''
}

/** The field of a heading of ours, or of The Events Calendar. */
function ownField(kind: TableKind, key: string): string | undefined {
  const fields: Fields = TABLES[kind]
  return Object.entries(fields).find(([field, others]) => key === headingKey(field) || others.includes(key))?.[0]
}

const TRANSLATED = new Map<TableKind, ReadonlyMap<string, string>>()

/** The fields of a kind of tables by their headings in all languages and other programs, and by their names here. */
function translatedFields(kind: TableKind): ReadonlyMap<string, string> {
  const made = TRANSLATED.get(kind)
  if (made !== undefined) return made
  const found = new Map<string, string>()
  const add = (field: string, heading: string): void => {
    const key = headingKey(heading)
    if (!found.has(key)) found.set(key, field)
  }
  const fields = Object.keys(TABLES[kind])
  const listed: Readonly<Record<string, Readonly<Record<string, string>>>> = headings
  for (const field of fields)
    for (const list of Object.values(listed[field] ?? {})) for (const one of list.split(', ')) add(field, one)
  for (const field of fields) {
    const label = field === 'uid' ? undefined : COLUMN_LABELS.get(field)
    if (label !== undefined) for (const language of LANGUAGES) add(field, translate(language, label))
  }
  TRANSLATED.set(kind, found)
  return found
}

/** What a second column of a field says where no other does: `Date` and `Start`, `Début` twice, `Location Name` and `Location`. */
const SECOND = { start_date: 'start_time', end_date: 'end_time', venue: 'address' } as const

function secondColumns(keys: readonly string[], fields: readonly string[]): string[] {
  const found = [...fields]
  for (const [field, second] of Object.entries(SECOND)) {
    const places = [...found.keys()].filter((index) => found[index] === field)
    if (places.length < 2 || found.includes(second)) continue
    const first = places.find((index) => keys[index]?.endsWith('name')) ?? places[0]
    const next = places.find((index) => index !== first)
    if (next !== undefined) found[next] = second
  }
  return found
}

/**
 * A heading by its letters alone, without accents: `Event Start Date` and `event_start_date` are one, and `Event`, or
 * EventON's `evcal`, in front does not count.
 */
export function headingKey(heading: string): string {
  const letters = wordKey(heading.slice(0, 100))
  return letters === 'eventstatus' ? letters : letters.replace(/^(?:event|evcal)(?=.)/, '')
}
