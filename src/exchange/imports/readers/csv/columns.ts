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

/** What a table says of a place. */
const PLACE = ['address', 'city', 'province', 'zip', 'country', 'geo_lat', 'geo_lng'] as const

/** What a table says of a field in further columns: without that of the field itself, these say it. */
const FURTHER = {
  status: ['private'],
  start_date: ['start_time'],
  end_date: ['end_time'],
  venue: ['venues'],
  cost: ['currency_symbol', 'currency_position'],
  website: ['url'],
} as const

/** What a table says besides, by the field that it is a detail of. */
const DETAILS = { venue: PLACE, organizer: ['organizer_email'] } as const

const EVENT_CSV: readonly AnyField[] = EVENT_FIELDS.filter(({ csv }) => csv !== undefined)

function partsOf(parts: Readonly<Record<string, readonly string[]>>, name: string): readonly string[] {
  return Object.hasOwn(parts, name) ? (parts[name] ?? []) : []
}

/**
 * The fields of the kinds of tables by their names in those of this program: columns of other programs, such as those of
 * The Events Calendar (`Event Name`, `Event Start Date`, ...), are in `headings.json` and in the fields themselves.
 */
const TABLES = {
  event: [...EVENT_CSV.flatMap(({ name }) => [name, ...partsOf(FURTHER, name), ...partsOf(DETAILS, name)]), 'uid'],
  venue: ['venue', 'description', ...PLACE, 'phone', 'website', 'show_map', 'show_map_link'],
  organizer: ['organizer', 'description', 'organizer_email', 'phone', 'website'],
} as const

type Further = (typeof FURTHER)[keyof typeof FURTHER][number] | (typeof DETAILS)[keyof typeof DETAILS][number] | 'uid'

/** A field of an event in a table. */
export type EventField = (typeof EVENT_FIELDS)[number]['name'] | Further
/** A field of a venue, or of an organizer. */
export type EntryField = (typeof TABLES)['venue' | 'organizer'][number]

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
export const COLUMN_FIELDS: readonly string[] = [...new Set([...TABLES.event, ...TABLES.venue, ...TABLES.organizer])]

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
  return [field, ...partsOf(FURTHER, field)]
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
      keys.map((key, index) => fieldOf(kind, key, chosen.get(key) ?? listHeading(kind, headings[index] ?? ''))),
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

/** The field of the column of venues that our own tables have: several stand in it; `Venue` elsewhere is one. */
function listHeading(kind: TableKind, heading: string): string | undefined {
  return kind === 'event' && heading.trim() === 'venue' ? 'venues' : undefined
}

function fieldOf(kind: TableKind, key: string, said: string | undefined): string {
  const fields: readonly string[] = TABLES[kind]
  if (said !== undefined) return fields.includes(said) ? said : ''
  // `Venue Phone` in a table of venues.
  const own = kind !== 'event' && key.startsWith(kind) ? key.slice(kind.length) : ''
  for (const one of [key, own]) {
    const field = ownField(kind, one) ?? translatedFields(kind).get(one)
    if (field !== undefined) return field
  }
  return ''
}

/** The field of a heading of ours, or of The Events Calendar. */
function ownField(kind: TableKind, key: string): string | undefined {
  const also = (field: string): readonly string[] =>
    kind === 'event' ? (EVENT_CSV.find(({ name }) => name === field)?.csv?.also ?? []) : []
  return TABLES[kind].find(
    (field) => key === headingKey(field) || (field === kind && key === `${kind}name`) || also(field).includes(key),
  )
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
  const fields: readonly string[] = TABLES[kind]
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
