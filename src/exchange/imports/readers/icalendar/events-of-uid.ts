import { readClock, writeClock } from '../../../../base/time/clock.ts'
import type { Recurrence } from '../../../../base/time/recurrence/lines.ts'
import type { Component, Note } from './components.ts'
import { type EventContent, isPrivateIn, readContent } from './content.ts'
import type { Property } from './content-lines.ts'
import { resolveRecurring } from './recurring.ts'
import { resolveTimes, type WrittenTimes } from './times.ts'
import type { ReadingOptions, SourceCalendarEvent, SourceException, SourceTimes } from './types.ts'
import type { WrittenTime } from './values.ts'
import { readRecurring } from './written-recurrence.ts'
import { instantOfTime, type SourceZones } from './zones.ts'

/** A component of an event with what identifies it. */
export interface EventComponent {
  readonly component: Component
  readonly uid: string
  readonly written: WrittenTimes
  /** The date of the event that it is about; undefined for the event itself. */
  readonly of: { readonly property: Property; readonly time: WrittenTime } | undefined
  readonly sequence: number
  readonly stamp: string
}

/** What reading the components with one UID takes. */
export interface GroupContext {
  /** The calendar that they are in; undefined outside of any. */
  readonly calendar: Component | undefined
  readonly zones: SourceZones
  /** Whether the whole file takes its events back (METHOD:CANCEL). */
  readonly isCancelled: boolean
  /** Whether it is how a guest would have them (METHOD:COUNTER), and no version of them. */
  readonly isProposal: boolean
  readonly options: ReadingOptions
  readonly budget: { left: number; isSpent: boolean }
  readonly note: Note
  tell(line: number, why: string): void
}

interface Group {
  readonly master: EventComponent
  /** The older ones first. */
  readonly overrides: readonly EventComponent[]
}

function contentOf(component: Component, { isCancelled, ...context }: GroupContext): EventContent {
  const content = readContent(component, context)
  return isCancelled ? { ...content, state: 'CANCELLED' } : content
}

/** The events that components with one UID are. */
export function eventsOf({ master, overrides }: Group, context: GroupContext): SourceCalendarEvent[] {
  const { zones, options, budget } = context
  const { component, uid, written } = master
  const { line } = component
  const recurring = readRecurring(component, context.note)
  const resolved = recurring && resolveRecurring({ written, recurring, zones, options, budget })
  for (const [id, values] of resolved?.notes ?? [])
    context.note({ name: 'RRULE', parameters: new Map(), value: '', line }, id, values)
  const times =
    resolved?.times ?? resolveTimes(written, zones, { recurs: recurring !== undefined || overrides.length > 0 })
  if (times === undefined) {
    context.tell(line, 'import.problem.outOfRange')
    return []
  }
  const content = contentOf(component, context)
  const plain = { uid, line, content, times, recurrence: undefined, exceptions: [] }
  if (resolved === undefined) {
    // Of an event that does not recur, an override of its only date is the event itself.
    return [plain, ...overrides.flatMap((one) => detached(one, context))]
  }
  const series = { ...plain, recurrence: resolved.recurrence, exceptions: periodsOf(resolved.periods) }
  const excluded = new Set(recurring?.excluded.map(resolved.wallOf))
  const given = { event: series, sequence: master.sequence, excluded, starts: resolved.starts, wallOf: resolved.wallOf }
  return withOverrides(given, overrides, context)
}

function periodsOf(periods: ReadonlyMap<string, SourceTimes>): SourceException[] {
  return [...periods].map(([recurrenceId, times]) => ({ recurrenceId, times, content: undefined }))
}

interface Series {
  readonly event: SourceCalendarEvent
  readonly sequence: number
  /** Wall clock seconds of EXDATE. */
  readonly excluded: ReadonlySet<number>
  /** Wall clock seconds. */
  readonly starts: readonly number[]
  wallOf(time: WrittenTime): number
}

/** A series with the dates that are described by themselves. */
function withOverrides(
  { event, sequence, excluded, starts, wallOf }: Series,
  overrides: readonly EventComponent[],
  context: GroupContext,
): SourceCalendarEvent[] {
  const own = new Map<string, SourceException>(event.exceptions.map((one) => [one.recurrenceId, one]))
  const loose: EventComponent[] = []
  let recurrence = event.recurrence
  const known = new Set(starts)
  for (const one of overrides) {
    const wall = wallOf(one.of?.time ?? one.written.start)
    const recurrenceId = writeClock(wall)
    // Calendars of today end a series for another one instead.
    if (one.of?.property.parameters.has('RANGE') === true) context.note(one.of.property, 'import.note.onlyOneDate', {})
    if (one.of !== undefined && excluded.has(wall) && one.sequence < sequence) {
      context.note(one.of.property, 'import.note.excludedDate', {})
      continue
    }
    const times = resolveTimes(one.written, context.zones, { recurs: false, zone: zoneFor(one, event) })
    if (times === undefined || recurrenceId < event.times.start) loose.push(one)
    else if (isPrivateIn(one.component, context.calendar) && !event.content.isPrivate) {
      // All dates of a series are public or none is.
      loose.push(one)
      own.delete(recurrenceId)
      if (known.delete(wall)) recurrence = withoutDate(recurrence, wall)
    } else {
      own.set(recurrenceId, { recurrenceId, times, content: contentOf(one.component, context) })
      if (!known.has(wall)) recurrence = withDate(recurrence, recurrenceId, event.times.start)
    }
  }
  const exceptions = [...own.values()]
  const isKept = known.size + own.size > 0
  if (!isKept && loose.length === 0) context.tell(event.line, 'import.problem.noDate')
  const others = loose.flatMap((one) => detached(one, context))
  return [...(isKept ? [{ ...event, recurrence, exceptions }] : []), ...others]
}

/** The clock of a date is that of the event, unless it is written on another one, or the file names another. */
function zoneFor({ written }: EventComponent, { times }: SourceCalendarEvent): string | undefined {
  const { isUtc, isDate } = written.start.stamp
  return isUtc || isDate ? (written.told ?? times.zone) : undefined
}

/** A recurrence with a date that it did not have. */
function withDate(recurrence: Recurrence | undefined, recurrenceId: string, start: string): Recurrence | undefined {
  if (recurrenceId === start && recurrence === undefined) return undefined
  const { rule, added, excluded } = recurrence ?? { rule: undefined, added: [], excluded: [] }
  const seconds = readClock(recurrenceId)
  const left = excluded.filter((date) => date.seconds !== seconds)
  const isOut = left.length < excluded.length
  const more = isOut ? added : [...added, { seconds, zone: undefined }]
  return { rule, added: more.toSorted((one, other) => one.seconds - other.seconds), excluded: left }
}

function withoutDate(recurrence: Recurrence | undefined, seconds: number): Recurrence {
  const { rule, added, excluded } = recurrence ?? { rule: undefined, added: [], excluded: [] }
  const isOther = (date: Recurrence['added'][number]): boolean => date.seconds !== seconds
  return { rule, added: added.filter(isOther), excluded: [...excluded, { seconds, zone: undefined }] }
}

/** A date without its event is an event by itself. */
export function detached(one: EventComponent, context: GroupContext): SourceCalendarEvent[] {
  const times = resolveTimes(one.written, context.zones, { recurs: false })
  const moment = one.of && instantOfTime(one.of.time, context.zones)
  if (times === undefined || moment === undefined) {
    context.tell(one.component.line, 'import.problem.outOfRange')
    return []
  }
  const uid = `${one.uid} ${writeClock(moment)}`
  const content = contentOf(one.component, context)
  return [{ uid, line: one.component.line, times, content, recurrence: undefined, exceptions: [] }]
}
