import { escapeHtml } from '../../../../base/text/entities.ts'
import { plainText } from '../../../../base/text/html.ts'
import type { EntryField, EventField } from './columns.ts'
import type { DateOrders } from './date-order.ts'
import { tidy } from './moments.ts'
import { RowNotes } from './row-notes.ts'
import type { TableRow } from './table.ts'

/** A field in tables. */
export type TableField = EventField | EntryField

/** A cell with the heading of its column. */
export interface Cell {
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

/** The cells of a row by field, and the notes on it. */
export class RowCells {
  readonly line: number
  /** Plain text; '' for none. */
  readonly title: string
  readonly notes: RowNotes
  readonly #cells = new Map<string, Cell[]>()

  constructor(row: TableRow, { headings, fields, orders }: Columns) {
    this.line = row.line
    for (const [index, field] of fields.entries()) {
      if (field === '') continue
      const text = row.cellAt(index)
      const isDate = /^(?:start|end)_(?:date|time)$/.test(field)
      const plain = isDate ? orders.plain(field, tidy(text)) : text
      const cell = { heading: headings[index] ?? '', text: plain, written: text }
      this.#cells.set(field, [...(this.#cells.get(field) ?? []), cell])
    }
    this.title = plainText(
      escapeHtml(this.has('title') ? this.text('title') : this.text('venue') || this.text('organizer')),
    )
    this.notes = new RowNotes(row.line, this.title)
  }

  /** Whether the table has a column for a field. */
  has(field: TableField): boolean {
    return this.#cells.has(field)
  }

  /** The first text of a field; '' for none. */
  text(field: TableField): string {
    return this.#cells.get(field)?.find(({ text }) => text !== '')?.text ?? ''
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
    const property = this.#cells.get(field)?.find(({ text }) => text !== '')?.heading ?? field
    return this.notes.add('import.note.unread', { property, value })
  }

  /** A text of a field, cut where it is too long. */
  cut(field: TableField, limit: number): string {
    return this.#cutText(this.text(field), limit)
  }

  /** All texts of a field, cut where they are too long. */
  cutAll(field: TableField, limit: number): readonly string[] {
    return this.all(field).map(({ text }) => this.#cutText(text, limit))
  }

  #cutText(text: string, limit: number): string {
    if (text.length > limit) this.notes.add('import.note.tooLong', { value: text })
    return text.slice(0, limit)
  }

  /** Notes what further columns of the same fields say. */
  noteOthers(): void {
    for (const [field, cells] of this.#cells) {
      if (SEVERAL.includes(field)) continue
      const [first, ...others] = [...new Set(cells.map(({ text }) => text).filter((text) => text !== ''))]
      if (first !== undefined) for (const other of others) this.notes.add('import.note.otherValue', { value: other })
    }
  }
}
