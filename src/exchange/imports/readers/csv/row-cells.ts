import { withValues } from '../../../../base/i18n/translate.ts'
import { escapeHtml } from '../../../../base/text/entities.ts'
import { cleanHtml, plainText } from '../../../../base/text/html.ts'
import type { LineProblem, NoteId } from '../icalendar/components.ts'
import { LONGEST_HTML, LONGEST_LINE, lineIn } from '../stored-value.ts'
import type { EntryField, EventField } from './columns.ts'
import type { DateOrders } from './date-order.ts'
import { tidy } from './moments.ts'
import type { TableRow } from './table.ts'

/** A field in tables. */
export type TableField = EventField | EntryField

/** A cell with the heading of its column. */
interface Cell {
  readonly heading: string
  readonly text: string
  /** The text as it was written, where a date was put in order. */
  readonly written: string
}

/** What is known of the columns of a row. */
interface Columns {
  readonly headings: readonly string[]
  /** The field of each column; '' for none. */
  readonly fields: readonly string[]
  readonly orders: DateOrders
}

/** Fields of which every column counts. */
const SEVERAL: readonly string[] = ['status', 'event_status', 'private', 'categories', 'tags']

/** Characters of a cell of names, and of a name; names. */
const NAMES = { cell: 20_000, name: 200, count: 50 } as const

/** Characters of a value in a note. */
const LONGEST_SHOWN = 100

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line
}

/** The cells of a row by field, and the notes on it. */
export class RowCells {
  readonly line: number
  /** Plain text; '' for none. */
  readonly title: string
  /** What was read differently or left out. */
  readonly notes: LineProblem[] = []
  readonly #cells = new Map<string, Cell[]>()

  constructor(row: TableRow, { headings, fields, orders }: Columns) {
    this.line = row.line
    for (const [index, field] of fields.entries()) {
      if (field === '') continue
      const text = row.cellAt(index)
      const isDate = /^(?:start|end)_(?:date|time)$/.test(field)
      const plain = isDate ? orders.plain(tidy(text)) : text
      const cell = { heading: headings[index] ?? '', text: plain, written: text }
      this.#cells.set(field, [...(this.#cells.get(field) ?? []), cell])
    }
    this.title = plainText(
      escapeHtml(this.has('title') ? this.text('title') : this.text('venue') || this.text('organizer')),
    )
  }

  /** Whether the table has a column for a field. */
  has(field: TableField): boolean {
    return this.#cells.has(field)
  }

  /** The first text of a field; '' for none. */
  text(field: TableField): string {
    return this.all(field)[0]?.text ?? ''
  }

  /** What some fields say, as it was written. */
  written(...fields: readonly TableField[]): string {
    const found = fields.map((field) => this.all(field)[0]?.written ?? '')
    return found.join(' ').trim()
  }

  /** All cells of a field with a text; `[]` for none. */
  all(field: TableField): readonly Cell[] {
    return (this.#cells.get(field) ?? []).filter(({ text }) => text !== '')
  }

  /** What a field says, read in some way; undefined and a note where that fails. */
  read<Value>(field: TableField, parse: (text: string) => Value | undefined): Value | undefined {
    const text = this.text(field)
    if (text === '') return undefined
    return parse(text) ?? this.unread(field, text)
  }

  /** Notes a value of a field that cannot be read; undefined. */
  unread(field: TableField, value: string): undefined {
    return this.note('import.note.unread', { property: this.all(field)[0]?.heading ?? field, value })
  }

  /** A text of a field, cut where it is too long. */
  cut(field: TableField, limit: number): string {
    return this.#cutText(this.text(field), limit)
  }

  #cutText(text: string, limit: number): string {
    if (text.length > limit) this.note('import.note.tooLong', { value: text })
    return text.slice(0, limit)
  }

  /** A text of one line. */
  plain(field: TableField): string {
    return this.lineOf(this.text(field))
  }

  /** What is read of a cell, in one line. */
  lineOf(text: string): string {
    return lineIn(this.#cutText(text, LONGEST_LINE))
  }

  /** Clean HTML. */
  html(field: TableField): string {
    return cleanHtml(this.cut(field, LONGEST_HTML))
  }

  /** Names in a cell, or in all that count, separated by `,`, `;` or `|`; one that has such a character stands in quotes. `text` is what is read of the cell, all of it if absent. */
  names(field: TableField, text?: string): string[] {
    const cells = this.all(field).slice(0, SEVERAL.includes(field) ? Number.POSITIVE_INFINITY : 1)
    const parts = (text === undefined ? cells.map((cell) => cell.text) : [text]).flatMap(
      (list) => this.#cutText(list, NAMES.cell).match(/\s*"(?:[^"]|"")*"\s*(?=[,;|]|$)|[^,;|]+/g) ?? [],
    )
    const names = parts.map((one) => {
      const quoted = /^\s*"(.*)"\s*$/s.exec(one)
      return lineIn(this.#cutText((quoted?.[1]?.replaceAll('""', '"') ?? one).trim(), NAMES.name))
    })
    const found = [...new Set(names.filter((one) => one !== ''))]
    const left = found.slice(NAMES.count)
    if (left.length > 0) this.note('import.note.tooLong', { value: left.join(', ') })
    return found.slice(0, NAMES.count)
  }

  /** Adds a note with values as they were written; undefined, for whoever has no other value. */
  note(why: NoteId, values: Readonly<Record<string, string>>): undefined {
    const written = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, short(value)]))
    this.notes.push({ line: this.line, title: short(this.title), why: withValues(why, written), isNote: true })
  }

  /** Notes what further columns of the same fields say. */
  noteOthers(): void {
    for (const [field, cells] of this.#cells) {
      if (SEVERAL.includes(field)) continue
      const [first, ...others] = [...new Set(cells.map(({ text }) => text).filter((text) => text !== ''))]
      if (first !== undefined) for (const other of others) this.note('import.note.otherValue', { value: other })
    }
  }
}
