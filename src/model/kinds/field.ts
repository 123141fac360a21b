import type { MessageId } from '../../base/i18n/translate.ts'
import type { Column } from '../column.ts'
import type { Declared, Kind, ValueOf } from './kind.ts'

/** What JSON null means for a field: empty it, as if it had not been sent, or an error. */
export type NullMeaning = 'clear' | 'unsent' | 'refuse'

/**
 * A default that the documents compute for each call, from the day that it is in the zone of the site (`2026-12-31`)
 * and the namespace that was called.
 */
export type ComputedDefault = (today: string, namespace: string) => unknown

/** A field of a resource or a parameter of a route, written once: validation, documents and types are read from it. */
export interface Field<
  Name extends string = string,
  Value = unknown,
  Own extends Column | undefined = Column | undefined,
> extends StoredField<Own> {
  /** Wire name. */
  readonly name: Name
  readonly kind: Kind<Value>
  /** Must be sent on create (or, for a path parameter, always). */
  readonly required: boolean
  /** Declared default; filled in on lists and on create only. */
  readonly default?: unknown
  /** Default as the documents show it, where it differs from the one in force; a ComputedDefault is called. */
  readonly shownDefault?: unknown
  /** Declaration as the wire shows it, where it differs from the kind's. */
  readonly declared: Declared
  readonly description: MessageId
  readonly whenNull: NullMeaning
  /** The value of a cleared field; only for whenNull 'clear'. */
  readonly cleared?: unknown
  /** A value for the documents; example bodies are made of these. */
  readonly example?: unknown
  /** True for parameters of a route to which the interface document gives none: the index leaves them out. */
  readonly unlisted?: boolean
  /** Short name beside its control in forms; the description if absent. */
  readonly label?: MessageId
  /** Where a form has it. */
  readonly section?: Section
}

/** Where a field of events is stored, and where else than in the API and in forms it is found. */
export interface StoredField<Own extends Column | undefined = Column | undefined> {
  /** Its column, of its name; absent where code of its own stores it. */
  readonly column?: Own
  /** How it stands in tables of events; absent where it does not. */
  readonly csv?: CsvColumn
  /** The iCalendar property that says it; absent where none does. */
  readonly icalendar?: string
  /** Whether all dates of a series have it in common; otherwise a single one may differ in it. */
  readonly isCommon?: boolean
  /** What code of its own stores it in. */
  readonly stored?: FieldStorage
}

/** A field in tables. */
export interface CsvColumn {
  /** Further headings that name it, by their letters alone (`headingKey`). */
  readonly also: readonly string[]
  /** Whether tables are read with it and not written. */
  readonly isOnlyRead?: boolean
  /** Name where people say what a column is, if it is not the label. */
  readonly label?: MessageId
}

/** What a field without a plain column is stored in. */
export interface FieldStorage {
  /** Absent for the column of its name. */
  readonly columns?: readonly string[]
  /** Columns that are stored with these, and meaningless without them. */
  readonly along?: readonly string[]
  /** What the event is linked to instead. */
  readonly links?: 'venue' | 'organizer' | 'category' | 'tag'
  /** Name of the part that it changes in with other fields, for a date of a series. */
  readonly part?: string
  /** The same for an import, where it is another one. */
  readonly group?: string
}

/** The parts of a form, in their order: first those that every event needs. */
export const SECTIONS = [
  'form.section.what',
  'form.section.when',
  'form.section.where',
  'form.section.image',
  'form.section.text',
  'form.section.terms',
  'form.section.repeats',
  'form.section.price',
  'fields.organizers',
  'form.section.details',
  'form.section.more',
  'form.section.status',
  'form.section.publishing',
] as const satisfies readonly MessageId[]

/** A part of a form. */
export type Section = (typeof SECTIONS)[number]

/** Any field. */
export type AnyField = Field<string, unknown>

/** Options of `field`. */
export interface FieldOptions<Own extends Column | undefined = Column | undefined> extends StoredField<Own> {
  readonly required?: boolean
  readonly default?: unknown
  /** A value, or a ComputedDefault. */
  readonly shownDefault?: unknown
  readonly declared?: Declared
  /** Value given by null and, for text, by ''. Its presence means that the field may be cleared. */
  readonly cleared?: unknown
  readonly example?: unknown
  readonly unlisted?: boolean
  readonly label?: MessageId
  readonly section?: Section
}

/** Declares a field. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
export function field<const Name extends string, Value, Own extends Column | undefined = undefined>(
  name: Name,
  kind: Kind<Value>,
  description: MessageId,
  options: FieldOptions<Own> = {},
): Field<Name, Value, Own> {
  const required = options.required ?? false
  const whenNull = required ? 'refuse' : 'cleared' in options ? 'clear' : 'unsent'
  return { name, kind, required, declared: kind.declared, description, whenNull, ...options }
}

/** The parsed values of a list of fields: each is absent when it was not sent and has no default. */
export type ValuesOf<Fields extends readonly AnyField[]> = {
  readonly [F in Fields[number] as F['name']]?: ValueOf<F['kind']>
}

/** The same fields, none of them required: for updates. */
export function allOptional<const Fields extends readonly AnyField[]>(fields: Fields): Fields {
  // The element types are kept: only the data member `required` differs.
  return fields.map((one) => ({ ...one, required: false })) as unknown as Fields
}

/** The plain columns of fields, by name. */
export type ColumnsOfFields<Fields extends readonly AnyField[]> = {
  readonly [F in Fields[number] as [NonNullable<F['column']>] extends [never] ? never : F['name']]: NonNullable<
    F['column']
  >
}

/** The plain columns of fields, in their order. */
export function columnsOfFields<const Fields extends readonly AnyField[]>(fields: Fields): ColumnsOfFields<Fields> {
  const columns = fields.flatMap(({ name, column }) => (column === undefined ? [] : [[name, column] as const]))
  return Object.fromEntries(columns) as ColumnsOfFields<Fields>
}
