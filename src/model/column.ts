/**
 * How a column holds what people write: by it a value is stored, shown, withheld and imported. `line` is plain text,
 * `html` clean HTML, `link` an address, `email` a email address, `language` a language tag that is shown only where it is set, `mark` a
 * flag that is shown only where it is yes;
 * `special` ones are handled by code of their own.
 */
export type ColumnKind = 'line' | 'html' | 'link' | 'email' | 'flag' | 'number' | 'language' | 'mark' | 'special'

/** A column of events, venues or organizers. What is derived from it is derived from this entry alone. */
export interface Column<Stored = unknown> {
  readonly kind: ColumnKind
  /** Value of an entry of which nothing was sent; absent where every entry has a value of its own. */
  readonly blank?: Stored
  /** Largest absolute value of a number. */
  readonly limit?: number
}

interface Blank<Stored> extends Column<Stored> {
  readonly blank: Stored
}

/** The columns of a resource by name, in the order in which they are stored and shown. */
export type Columns = Readonly<Record<string, Column>>

/** A row of these columns. */
export type RowOf<Table extends Columns> = {
  -readonly [Name in keyof Table]: Table[Name] extends Column<infer Stored> ? Stored : never
}

/** A line of plain text; '' if there is none. */
export const line: Blank<string> = { kind: 'line', blank: '' }

/** Clean HTML as it is answered; '' if there is none. */
export const html: Blank<string> = { kind: 'html', blank: '' }

/** An address; '' if there is none. */
export const link: Blank<string> = { kind: 'link', blank: '' }

/** An email address; '' if there is none. */
export const email: Blank<string> = { kind: 'email', blank: '' }

/** A language tag; '' if there is none. Responses show it only where it is set, after the members of the interface. */
export const language: Blank<string> = { kind: 'language', blank: '' }

/** Yes or no, stored as 1 or 0. */
export function flag(blank: 0 | 1 = 0): Blank<number> {
  return { kind: 'flag', blank }
}

/** Yes or no, stored as 1 or 0; responses show it only where it is yes, after the members of the interface. */
export const mark: Blank<number> = { kind: 'mark', blank: 0 }

/** A number whose absolute value has a limit; null if there is none. */
export function number(limit: number): Blank<number | null> {
  return { kind: 'number', blank: null, limit }
}

/** A column that code of its own writes and reads, and that every entry has a value for. */
export function special<Stored>(): Column<Stored> {
  return { kind: 'special' }
}

/** The same with a value for entries of which nothing was sent. */
export function specialOr<Stored>(blank: Stored): Blank<Stored> {
  return { kind: 'special', blank }
}

/** The names of the columns. */
export function namesOf<Table extends Columns>(columns: Table): readonly (keyof Table & string)[] {
  return Object.keys(columns)
}

/** The names of the columns that need no code of their own. */
export function plainNamesOf<Table extends Columns>(columns: Table): readonly (keyof Table & string)[] {
  return namesOf(columns).filter((name) => columns[name]?.kind !== 'special')
}

/** The names of the columns that have a blank value. */
type BlankName<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends Blank<unknown> ? Name : never
}[keyof Table]

/** The row of an entry of which nothing was sent: the columns that have a blank value. */
export function blankOf<Table extends Columns>(columns: Table): Pick<RowOf<Table>, BlankName<Table>> {
  const blanks = Object.entries(columns).flatMap(([name, { blank }]) => (blank === undefined ? [] : [[name, blank]]))
  return Object.fromEntries(blanks) as Pick<RowOf<Table>, BlankName<Table>>
}

/** The plain columns of an entry of which nothing was sent. */
export function plainBlankOf<Table extends Columns>(columns: Table): Partial<RowOf<Table>> {
  return Object.fromEntries(plainNamesOf(columns).map((name) => [name, columns[name]?.blank])) as Partial<RowOf<Table>>
}

/** The plain columns of content of this form. */
export type ColumnsOf<Content> = { readonly [Name in keyof Content]: Column<Content[Name]> }

/** Content of which nothing was sent; all its columns have a blank value. */
export function blankContent<Content>(columns: ColumnsOf<Content>): Content {
  return plainBlankOf(columns as Columns) as Content
}

/** What was sent, as plain columns; a column that was not sent is absent. `fieldOf` is the field of a column. */
export function storedOf<Content>(
  columns: ColumnsOf<Content>,
  values: Readonly<Record<string, unknown>>,
  fieldOf: (column: string) => string = (column) => column,
): Partial<Content> {
  const row: Record<string, unknown> = {}
  for (const [name, { kind }] of Object.entries<Column>(columns)) {
    const value = kind === 'special' ? undefined : values[fieldOf(name)]
    if (value !== undefined) row[name] = kind === 'flag' || kind === 'mark' ? Number(value) : value
  }
  return row as Partial<Content>
}
