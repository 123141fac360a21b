import { setImmediate } from 'node:timers/promises'
import { withValues } from '../../../base/i18n/translate.ts'
import { readClock, writeClock } from '../../../base/time/clock.ts'
import { divideRecurrence } from '../../../base/time/recurrence/change.ts'
import { IMPORT_WORK } from '../../../base/time/recurrence/dates.ts'
import type { Recurrence } from '../../../base/time/recurrence/lines.ts'
import { type Component, type LineProblem, parseComponents } from './components.ts'
import { type EventContent, readContent } from './content.ts'
import type { Property } from './content-lines.ts'
import { NO_DATE, readRecurring, resolveRecurring } from './recurring.ts'
import { readTimes, resolveTimes, type WrittenTimes } from './times.ts'
import type { ReadingOptions, SourceCalendarEvent, SourceException, SourceTimes } from './types.ts'
import { propertyOf, textOf, timeOf, type WrittenTime } from './values.ts'
import { instantOfTime, type SourceZones, zonesOf } from './zones.ts'

/** What was read of a file. */
export interface ReadCalendar {
  readonly events: readonly SourceCalendarEvent[]
  /** UIDs of all events of the file, also of those that were left out. */
  readonly mentioned: ReadonlySet<string>
  /** Whether the file says what it lacks: it was not cut off. */
  readonly isWhole: boolean
  /** Milliseconds after which the calendar wants to be asked again; undefined where it does not say. */
  readonly refresh: number | undefined
  /** Name of the calendar; ''. */
  readonly name: string
  readonly problems: readonly LineProblem[]
}

/** Work for the rules of one event, and of all of a file together, whose dates are listed one by one: 100 ms, a second. */
const WORK = { event: IMPORT_WORK, file: 10 * IMPORT_WORK } as const

/**
 * Reads the events of an iCalendar file (RFC 5545, 7986). Events that cannot be read are left out with their line.
 * @throws calendar_not_readable when it is none, or too large
 */
export async function readCalendar(file: string, bytes: Buffer, options: ReadingOptions): Promise<ReadCalendar> {
  const parsed = parseComponents(file, bytes)
  const reader = new Reader(options, [...parsed.problems])
  const calendars = parsed.components.filter(({ name }) => name === 'VCALENDAR')
  const loose = parsed.components.filter(({ name }) => name === 'VEVENT')
  for (const calendar of calendars) await reader.read(calendar.components, calendar)
  if (loose.length > 0) await reader.read(loose, undefined)
  const [first] = calendars
  return {
    events: reader.events,
    mentioned: parsed.mentioned,
    isWhole: parsed.isWhole,
    refresh: first && refreshOf(first),
    name: first === undefined ? '' : textOf(first, 'NAME') || textOf(first, 'X-WR-CALNAME'),
    problems: reader.problems,
  }
}

function refreshOf(calendar: Component): number | undefined {
  const text = textOf(calendar, 'REFRESH-INTERVAL') || textOf(calendar, 'X-PUBLISHED-TTL')
  const match = /^P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/i.exec(text)
  if (match === null) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  const length = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  return length === 0 ? undefined : length * 1000
}

/** A component of an event with what identifies it. */
interface EventComponent {
  readonly component: Component
  readonly uid: string
  readonly written: WrittenTimes
  /** The date of the event that it is about; undefined for the event itself. */
  readonly of: { readonly property: Property; readonly time: WrittenTime } | undefined
  readonly sequence: number
  readonly stamp: string
}

class Reader {
  readonly events: SourceCalendarEvent[] = []
  readonly problems: LineProblem[]
  readonly #options: ReadingOptions
  /** DTSTART of the first event with a UID. */
  readonly #starts = new Map<string, string>()
  #left: number = WORK.file

  constructor(options: ReadingOptions, problems: LineProblem[]) {
    this.#options = options
    this.problems = problems
  }

  /** Reads the events among components, and takes these out of the list: what was read is no longer in memory. */
  async read(components: Component[], calendar: Component | undefined): Promise<void> {
    const zones = zonesOf(calendar, this.#options)
    const stated = calendar && propertyOf(calendar, 'X-WR-TIMEZONE')
    if (stated !== undefined && zones.isUnknown)
      this.#note(stated, withValues('import.note.unknownZone', { zone: stated.value.slice(0, 60), used: zones.own }))
    const groups = this.#groupsOf(components, zones)
    components.length = 0
    const method = calendar === undefined ? '' : textOf(calendar, 'METHOD')
    const isCancelled = /^cancel$/i.test(method)
    const isProposal = /^counter$/i.test(method)
    let done = 0
    for (const [uid, group] of groups) {
      groups.delete(uid)
      // The server answers meanwhile.
      if (++done % 20 === 0) await setImmediate()
      const work = Math.min(WORK.event, this.#left)
      const budget = { left: work, isSpent: false }
      this.#group(group, { zones, isCancelled, isProposal, budget })
      this.#left -= work - Math.max(0, budget.left)
    }
  }

  /** Events by their UID. */
  #groupsOf(components: readonly Component[], zones: SourceZones): Map<string, EventComponent[]> {
    const groups = new Map<string, EventComponent[]>()
    for (const component of components) {
      if (component.name !== 'VEVENT') continue
      const one = this.#component(component, zones)
      if (one === undefined) continue
      const group = groups.get(one.uid)
      if (group === undefined) groups.set(one.uid, [one])
      else group.push(one)
    }
    return groups
  }

  #component(component: Component, zones: SourceZones): EventComponent | undefined {
    const written = readTimes(component, zones)
    if (typeof written === 'string') return this.#leave(component.line, `VEVENT ${written}`)
    for (const { property, tzid } of unknownZones(component, zones))
      this.#note(property, withValues('import.note.unknownZone', { zone: tzid.slice(0, 60), used: zones.own }))
    const property = propertyOf(component, 'RECURRENCE-ID')
    const time = property && timeOf(property)
    if (property !== undefined && time === undefined)
      return this.#leave(property.line, 'VEVENT has a RECURRENCE-ID that is no date')
    const uid = textOf(component, 'UID').slice(0, 400) || unnamed(component)
    const sequence = Number(textOf(component, 'SEQUENCE')) || 0
    const stamp = textOf(component, 'LAST-MODIFIED') || textOf(component, 'DTSTAMP')
    return { component, uid, written, of: property && time && { property, time }, sequence, stamp }
  }

  #group(
    group: readonly EventComponent[],
    given: Pick<GroupContext, 'zones' | 'isCancelled' | 'isProposal' | 'budget'>,
  ): void {
    const context = { ...given, options: this.#options, tell: this.#tell.bind(this) }
    const masters = group.filter((one) => one.of === undefined).sort(byAge)
    const master = masters.at(-1)
    const others = new Map(masters.map((one) => [`${one.uid} ${textOf(one.component, 'DTSTART')}`, one]))
    for (const other of masters.slice(0, -1)) {
      this.#tell(other.component.line, 'VEVENT has the UID of another one')
      // Two events that some program has given one UID: no later version of it, and on another date.
      const key = `${other.uid} ${textOf(other.component, 'DTSTART')}`
      const isOther = other.sequence === master?.sequence && others.get(key) === other
      if (isOther) this.events.push(...eventsOf({ master: { ...other, uid: key }, overrides: [] }, context))
    }
    const overrides = group.filter((one) => one.of !== undefined).sort(byAge)
    if (master !== undefined) this.events.push(...eventsOf({ master: this.#apart(master, given), overrides }, context))
    else for (const one of overrides) this.events.push(...detached(one, context))
  }

  /** The event, under a name of its own where an earlier calendar of the file has its UID for one on another date. */
  #apart(master: EventComponent, { isProposal }: Pick<GroupContext, 'isProposal'>): EventComponent {
    const { uid, component } = master
    const start = textOf(component, 'DTSTART')
    const known = this.#starts.get(uid)
    if (known === undefined) this.#starts.set(uid, start)
    if (known === undefined || (known === start && !isProposal)) return master
    this.#tell(component.line, 'VEVENT has the UID of another one')
    return { ...master, uid: `${uid} ${start}${isProposal ? ' COUNTER' : ''}` }
  }

  #note({ line }: Property, why: string): void {
    if (this.problems.length < MOST_TOLD) this.problems.push({ line, why, isNote: true })
  }

  #leave(line: number, why: string): undefined {
    this.#tell(line, why)
  }

  #tell(line: number, why: string): void {
    if (this.problems.length < MOST_TOLD) this.problems.push({ line, why })
  }
}

const MOST_TOLD = 2_000

/** Labels of zones in an event that nobody knows, each once with the first property that has it. */
function unknownZones(
  { properties }: Component,
  zones: SourceZones,
): { readonly property: Property; readonly tzid: string }[] {
  const seen = new Set<string>()
  return properties.flatMap((property) => {
    const { tzid } = timeOf({ ...property, value: property.value.split(/[,/]/, 1)[0] ?? '' }) ?? {}
    if (tzid === undefined || seen.has(tzid) || zones.find(tzid) !== undefined) return []
    seen.add(tzid)
    return [{ property, tzid }]
  })
}

/** An event without UID is identified by its content: different content is another event. */
function unnamed(component: Component): string {
  return `${textOf(component, 'DTSTART')} ${textOf(component, 'SUMMARY').replace(/\s+/g, ' ')}`.slice(0, 200).trim()
}

function byAge(one: EventComponent, other: EventComponent): number {
  if (one.sequence !== other.sequence) return one.sequence - other.sequence
  if (one.stamp !== other.stamp) return one.stamp < other.stamp ? -1 : 1
  return one.component.line - other.component.line
}

interface GroupContext {
  readonly zones: SourceZones
  /** Whether the whole file takes its events back (METHOD:CANCEL). */
  readonly isCancelled: boolean
  /** Whether it is how a guest would have them (METHOD:COUNTER), and no version of them. */
  readonly isProposal: boolean
  readonly options: ReadingOptions
  readonly budget: { left: number; isSpent: boolean }
  tell(line: number, why: string): void
}

interface Group {
  readonly master: EventComponent
  /** The older ones first. */
  readonly overrides: readonly EventComponent[]
}

function contentOf(component: Component, { isCancelled }: GroupContext): EventContent {
  const content = readContent(component)
  return isCancelled ? { ...content, state: 'CANCELLED' } : content
}

function eventsOf({ master, overrides }: Group, context: GroupContext): SourceCalendarEvent[] {
  const { zones, options, budget } = context
  const { component, uid, written } = master
  const { line } = component
  const problems: string[] = []
  const recurring = readRecurring(component, problems)
  const resolved = recurring && resolveRecurring({ written, recurring, zones, options, budget })
  for (const problem of [...problems, ...(resolved?.problems ?? [])]) context.tell(line, `VEVENT ${problem}`)
  const times =
    resolved?.times ?? resolveTimes(written, zones, { recurs: recurring !== undefined || overrides.length > 0 })
  if (times === undefined) {
    context.tell(line, 'VEVENT lies outside of the years that are kept')
    return []
  }
  const content = contentOf(component, context)
  const plain = { uid, line, content, times, recurrence: undefined, exceptions: [] }
  if (resolved === undefined) {
    // Of an event that does not recur, an override of its only date is the event itself.
    return [plain, ...overrides.flatMap((one) => detached(one, context))]
  }
  const isEmpty = resolved.problems.includes(NO_DATE)
  const series = { ...plain, recurrence: resolved.recurrence, exceptions: periodsOf(resolved.periods) }
  return withOverrides({ event: series, isEmpty, starts: resolved.starts, wallOf: resolved.wallOf }, overrides, context)
}

function periodsOf(periods: ReadonlyMap<string, SourceTimes>): SourceException[] {
  return [...periods].map(([recurrenceId, times]) => ({ recurrenceId, times, content: undefined }))
}

interface Series {
  readonly event: SourceCalendarEvent
  /** Whether EXDATE leaves none of its dates. */
  readonly isEmpty: boolean
  /** Wall clock seconds. */
  readonly starts: readonly number[]
  wallOf(time: WrittenTime): number
}

/** A series with the dates that are described by themselves; one from which on all are different ends it for another. */
function withOverrides(
  { event, isEmpty, starts, wallOf }: Series,
  overrides: readonly EventComponent[],
  context: GroupContext,
): SourceCalendarEvent[] {
  const own = new Map<string, SourceException>(event.exceptions.map((one) => [one.recurrenceId, one]))
  const loose: EventComponent[] = []
  const divisions: EventComponent[] = []
  let recurrence = event.recurrence
  const known = new Set(starts)
  for (const one of overrides) {
    const recurrenceId = writeClock(wallOf(one.of?.time ?? one.written.start))
    if (/THISANDFUTURE/i.test(one.of?.property.parameters.get('RANGE') ?? '')) {
      divisions.push(one)
      continue
    }
    const times = resolveTimes(one.written, context.zones, { recurs: false, zone: zoneFor(one, event) })
    if (times === undefined || recurrenceId < event.times.start) loose.push(one)
    else {
      own.set(recurrenceId, { recurrenceId, times, content: contentOf(one.component, context) })
      if (!known.has(readClock(recurrenceId))) recurrence = withDate(recurrence, recurrenceId, event.times.start)
    }
  }
  const exceptions = [...own.values()]
  const whole = { ...event, recurrence, exceptions }
  const isKept = !isEmpty || overrides.length > 0
  const others = loose.flatMap((one) => detached(one, context))
  return [...(isKept ? divided(whole, { divisions, wallOf }, context) : []), ...others]
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

/** A series in parts, one for each date from which on it is another (RANGE=THISANDFUTURE). */
function divided(
  event: SourceCalendarEvent,
  { divisions, wallOf }: { readonly divisions: readonly EventComponent[]; wallOf(time: WrittenTime): number },
  context: GroupContext,
): SourceCalendarEvent[] {
  const parts: SourceCalendarEvent[] = []
  let rest = event
  const sorted = divisions.toSorted((one, other) => startOf(one, wallOf) - startOf(other, wallOf))
  // Starts are those of the first recurrence: a part that was moved has its dates that much later.
  let shift = 0
  for (const one of sorted) {
    const at = startOf(one, wallOf) + shift
    const times = resolveTimes(one.written, context.zones, {
      recurs: true,
      zone: one.written.start.tzid === undefined ? rest.times.zone : undefined,
    })
    const split =
      rest.recurrence && times && at > readClock(rest.times.start)
        ? divideRecurrence(rest.recurrence, rest.times, writeClock(at))
        : undefined
    if (split === undefined || times === undefined || split.begin !== writeClock(at)) {
      context.tell(one.component.line, 'VEVENT has a RANGE that begins with none of its later dates')
      continue
    }
    const by = readClock(times.start) - at
    const isLater = ({ recurrenceId }: SourceException): boolean => recurrenceId >= writeClock(at)
    parts.push({
      ...rest,
      recurrence: orNone(split.before),
      exceptions: rest.exceptions.filter((one) => !isLater(one)),
    })
    rest = {
      uid: `${event.uid} ${writeClock(at)}`,
      line: one.component.line,
      times,
      content: contentOf(one.component, context),
      recurrence: orNone(shifted(split.after, by)),
      exceptions: rest.exceptions.filter(isLater).map((other) => ({
        ...other,
        recurrenceId: writeClock(readClock(other.recurrenceId) + by),
      })),
    }
    shift += by
  }
  return [...parts, rest]
}

function startOf(one: EventComponent, wallOf: (time: WrittenTime) => number): number {
  return wallOf(one.of?.time ?? one.written.start)
}

function orNone(recurrence: Recurrence): Recurrence | undefined {
  const { rule, added } = recurrence
  return rule === undefined && added.length === 0 ? undefined : recurrence
}

/** A recurrence whose dates are so many seconds of the clock later. What the rule itself says of days and times follows. */
function shifted(recurrence: Recurrence, by: number): Recurrence {
  if (by === 0) return recurrence
  const move = ({ seconds, zone }: Recurrence['added'][number]) => ({ seconds: seconds + by, zone })
  const { rule } = recurrence
  const days = Math.floor(by / 86_400)
  const until = rule?.until && { ...rule.until, seconds: rule.until.seconds + by }
  const moved = rule && {
    ...rule,
    until,
    byHour: [],
    byMinute: [],
    bySecond: [],
    byDay: days === 0 ? rule.byDay : [],
    byMonthDay: days === 0 ? rule.byMonthDay : [],
  }
  return { rule: moved, added: recurrence.added.map(move), excluded: recurrence.excluded.map(move) }
}

/** A date without its event is an event by itself. */
function detached(one: EventComponent, context: GroupContext): SourceCalendarEvent[] {
  const times = resolveTimes(one.written, context.zones, { recurs: false })
  const moment = one.of && instantOfTime(one.of.time, context.zones)
  if (times === undefined || moment === undefined) {
    context.tell(one.component.line, 'VEVENT lies outside of the years that are kept')
    return []
  }
  const uid = `${one.uid} ${writeClock(moment)}`
  const content = contentOf(one.component, context)
  return [{ uid, line: one.component.line, times, content, recurrence: undefined, exceptions: [] }]
}
