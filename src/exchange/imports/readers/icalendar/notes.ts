import { type MessageId, type MessageValues, withValues } from '../../../../base/i18n/translate.ts'
import type { LineProblem } from './components.ts'
import type { Property } from './content-lines.ts'

/** The ID of a note. */
export type NoteId = Extract<MessageId, `import.note.${string}`>

/** Reports a value that was left out or read differently; by default with the property and the value as written. */
export type Note = (property: Property, id: NoteId, values?: MessageValues) => void

/** Characters of a value that are reported. */
const LONGEST = 100

/** A note as a problem of its line. */
export function noteOf({ name, value, line }: Property, id: NoteId, values?: MessageValues): LineProblem {
  const told = values ?? { property: name, value: value.trim().slice(0, LONGEST) }
  return { line, why: Object.keys(told).length === 0 ? id : withValues(id, told), isNote: true }
}
