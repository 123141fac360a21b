import type { Column } from './column.ts'
import { EVENT_FIELDS } from './event.ts'
import type { AnyField, FieldStorage } from './kinds/field.ts'

/** A part of an event that is changed as a whole. */
export interface EventPart {
  /** The fields that change it. */
  readonly fields: readonly string[]
  readonly columns: readonly string[]
  /** Stored with the columns, and meaningless without them. */
  readonly along: readonly string[]
  readonly links?: FieldStorage['links']
}

const FIELDS: readonly AnyField[] = EVENT_FIELDS

function partsBy(
  nameOf: (field: AnyField) => string,
  fields: readonly AnyField[],
): Readonly<Record<string, EventPart>> {
  const parts: Record<string, EventPart> = {}
  for (const field of fields) {
    const { columns = [field.name], along = [], links } = field.stored ?? {}
    const name = nameOf(field)
    const { [name]: known = { fields: [], columns: [], along: [] } } = parts
    parts[name] = {
      fields: [...known.fields, field.name],
      columns: [...known.columns, ...columns],
      along: [...known.along, ...along],
      ...(links !== undefined && { links }),
    }
  }
  return parts
}

/** Fields that all dates of a series have in common. */
export const COMMON_FIELDS = EVENT_FIELDS.filter(({ isCommon }) => isCommon === true).map(({ name }) => name)

/** What a date of a series may have for itself, by the name that `event.exception` keeps. */
export const DATE_PARTS: Readonly<Record<string, EventPart>> = {
  ...partsBy(
    ({ name, stored }) => stored?.part ?? name,
    FIELDS.filter(({ isCommon }) => isCommon !== true),
  ),
  // Members of another site, which only imports set.
  extra: { fields: [], columns: ['extra'], along: [] },
}

function groupOf({ name, stored }: AnyField): string {
  return stored?.links ?? stored?.group ?? stored?.part ?? name
}

const GROUPS = partsBy(groupOf, FIELDS)

function groupsWith(isWanted: (field: AnyField) => boolean): Readonly<Record<string, EventPart>> {
  const names = new Set(FIELDS.filter(isWanted).map(groupOf))
  return Object.fromEntries(Object.entries(GROUPS).filter(([name]) => names.has(name)))
}

/** The parts that calendar files have, by the name that people see. */
export const CALENDAR_PARTS = groupsWith(({ icalendar }) => icalendar !== undefined)

/** The parts that tables say. A slug follows the title unless a table names one for something new. */
export const TABLE_PARTS = groupsWith(({ name, csv }) => csv !== undefined && name !== 'slug')

/** The fields with a plain column and an iCalendar property of their own. */
export const PLAIN_PROPERTIES = EVENT_FIELDS.flatMap(({ name, column, icalendar }) =>
  column === undefined || icalendar === undefined ? [] : [{ name, column: column as Column, property: icalendar }],
)

/** The fields with a plain column that stand in tables. */
export const PLAIN_CELLS = EVENT_FIELDS.flatMap(({ name, column, csv }) =>
  column === undefined || csv === undefined
    ? []
    : [{ name, column: column as Column, isOnlyRead: csv.isOnlyRead === true }],
)
