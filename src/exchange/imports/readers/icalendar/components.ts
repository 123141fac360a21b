import { fail } from '../../../../base/errors.ts'
import { type MessageId, type MessageValues, withValues } from '../../../../base/i18n/translate.ts'
import { notCalendar } from '../not-calendar.ts'
import { type Property, readProperty, type SharedHeads, unfoldedLines } from './content-lines.ts'

/** A component of a file: `VCALENDAR`, `VEVENT`, `VTIMEZONE`, ... */
export interface Component {
  /** In capitals. */
  readonly name: string
  /** The line of its BEGIN. */
  readonly line: number
  readonly properties: readonly Property[]
  /** Who reads them may take them out: of a large file they are most of what is in memory. */
  readonly components: Component[]
}

/** An item of a file that was skipped, or a value that was read differently or left out. */
export interface LineProblem {
  readonly line: number
  /** In a few words, with the value as it was written: the ID of a message, perhaps with values. */
  readonly why: string
  /** Whether the item is imported all the same; absent where it is skipped. */
  readonly isNote?: true
  /** Title of the item, where the line does not show it: in tables. */
  readonly title?: string
}

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

/** What a file holds. */
interface ParsedFile {
  /** Calendars, and events outside of any. */
  readonly components: readonly Component[]
  /** UIDs of all events that the file starts, broken ones too. */
  readonly mentioned: ReadonlySet<string>
  /** Whether every component ends: a file that was cut off says nothing of what it lacks. */
  readonly isWhole: boolean
  readonly problems: readonly LineProblem[]
}

/** Components inside each other. */
const DEEPEST = 8
/** Components and properties of a file, and properties of one component. */
const MOST = { components: 100_000, properties: 20_000 } as const
/** Problems that are reported one by one. */
const MOST_PROBLEMS = 1_000

interface Open {
  readonly name: string
  readonly line: number
  readonly properties: Property[]
  readonly components: Component[]
  isBroken: boolean
}

/**
 * Reads the components of an iCalendar file. Lines that are no property are left out, and components that do not end
 * where they should.
 * @throws calendar_not_readable when it holds neither a calendar nor an event, or too much
 */
export function parseComponents(file: string, bytes: Buffer): ParsedFile {
  const parser = new Parser(file)
  for (const { text, line } of unfoldedLines(bytes)) parser.take(text, line)
  return parser.end(bytes)
}

class Parser {
  readonly #file: string
  readonly #common: SharedHeads = new Map()
  readonly #stack: Open[] = []
  readonly #done: Component[] = []
  readonly #problems: LineProblem[] = []
  readonly #mentioned = new Set<string>()
  #count = 0
  #isWhole = true

  constructor(file: string) {
    this.#file = file
  }

  take(text: string | undefined, line: number): void {
    const property = text === undefined ? undefined : readProperty({ text, line }, this.#common)
    if (property === undefined) {
      if (text === undefined) this.#note(line, 'import.note.lineTooLong')
      else if (text.trim() !== '')
        this.#note(line, withValues('import.note.notProperty', { value: text.slice(0, 100) }))
    } else if (property.name === 'BEGIN') this.#begin(property)
    else if (property.name === 'END') this.#end(property)
    else this.#add(property)
  }

  end(bytes: Buffer): ParsedFile {
    const open = this.#stack[0]
    if (open !== undefined) this.#close(0, open.line)
    const components = this.#done.filter(({ name }) => name === 'VCALENDAR' || name === 'VEVENT')
    if (components.length === 0 && open?.name !== 'VCALENDAR')
      throw fail('calendar_not_readable', { file: this.#file, reason: notCalendar(bytes) })
    return { components, mentioned: this.#mentioned, isWhole: this.#isWhole, problems: this.#problems }
  }

  #begin({ value, line }: Property): void {
    this.#count += 1
    if (this.#count > MOST.components)
      throw fail('calendar_not_readable', {
        file: this.#file,
        reason: withValues('import.problem.tooManyComponents', { count: MOST.components }),
      })
    const name = value.trim().toUpperCase()
    const isDeep = this.#stack.length >= DEEPEST
    const isNested = name === 'VEVENT' && this.#stack.some((open) => open.name === 'VEVENT')
    const last = this.#stack.at(-1)
    // What is inside something broken is broken with it, so that nothing of it is taken for an event.
    const isBroken = isDeep || isNested || last?.isBroken === true
    if (isNested && last?.isBroken === false) {
      this.#report({ line, why: 'import.problem.nested' })
      last.isBroken = true
    }
    this.#stack.push({ name, line, properties: [], components: [], isBroken })
  }

  #end({ value, line }: Property): void {
    const name = value.trim().toUpperCase()
    const at = this.#stack.findLastIndex((open) => open.name === name)
    if (at < 0) {
      this.#note(line, withValues('import.problem.notStarted', { name: name.slice(0, 40) }))
      return
    }
    const inner = this.#stack[at + 1]
    if (inner !== undefined) this.#close(at + 1, inner.line)
    const open = this.#stack.pop()
    if (open === undefined) return
    if (open.isBroken) this.#tell('import.problem.broken', open)
    else (this.#stack.at(-1)?.components ?? this.#done).push(open)
  }

  /** Drops the components from one place of the stack on; a calendar keeps the events that it has got. */
  #close(at: number, line: number): void {
    this.#isWhole = false
    const dropped = this.#stack.splice(at)
    const [outer] = dropped
    if (outer?.name === 'VCALENDAR') this.#done.push(outer)
    if (outer !== undefined) this.#tell('import.problem.cutOff', { ...outer, line })
    const event = dropped.find(({ name }) => name === 'VEVENT')
    if (event !== undefined && event !== outer) this.#tell('import.problem.cutOff', event)
  }

  /** Reports a component that is left out: of events that is an item, of others a note. */
  #tell(id: MessageId, { name, line }: Pick<Open, 'name' | 'line'>): void {
    const isNote = name !== 'VEVENT'
    this.#report({ line, why: withValues(id, { name: name.slice(0, 40) }), ...(isNote && { isNote }) })
  }

  #add(property: Property): void {
    const open = this.#stack.at(-1)
    if (open === undefined) {
      const value = `${property.name}:${property.value}`.slice(0, 100)
      this.#note(property.line, withValues('import.note.outsideComponents', { value }))
      return
    }
    if (property.name === 'UID' && open.name === 'VEVENT') this.#mentioned.add(property.value.trim())
    if (open.properties.length < MOST.properties) open.properties.push(property)
    else open.isBroken = true
  }

  #note(line: number, why: string): void {
    this.#report({ line, why, isNote: true })
  }

  #report(problem: LineProblem): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem)
  }
}
