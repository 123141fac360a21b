import { withValues } from '../../../../base/i18n/translate.ts'
import type { LineProblem } from '../icalendar/components.ts'
import type { NoteId } from '../icalendar/notes.ts'

/** Characters of a value in a note. */
const LONGEST = 100

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** What was read differently or left out of one row of a table. */
export class RowNotes {
  readonly all: LineProblem[] = []
  readonly #line: number
  readonly #title: string

  constructor(line: number, title: string) {
    this.#line = line
    this.#title = short(title)
  }

  /** Adds a note with values as they were written; undefined, for whoever has no other value. */
  add(why: NoteId, values: Readonly<Record<string, string>>): undefined {
    const written = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, short(value)]))
    this.all.push({ line: this.#line, title: this.#title, why: withValues(why, written), isNote: true })
  }
}
