import { IMPORT_WORK } from '../../../../base/time/recurrence/dates.ts'
import { type Component, type LineProblem, type Note, noteOf, parseComponents } from './components.ts'
import type { Property } from './content-lines.ts'
import { detached, type EventComponent, eventsOf, type GroupContext } from './events-of-uid.ts'
import { readTimes } from './times.ts'
import type { ReadingOptions, SourceCalendarEvent } from './types.ts'
import { propertyOf, textOf, timeOf } from './values.ts'
import { fromVcalendar, isVcalendar } from './vcalendar.ts'
import { type SourceZones, zonesOf } from './zones.ts'

/** What was read of a file. */
export interface ReadCalendar {
  readonly events: SourceCalendarEvent[]
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
export function readCalendar(file: string, bytes: Buffer, options: ReadingOptions): ReadCalendar {
  const parsed = parseComponents(file, bytes)
  const reader = new Reader(options, [...parsed.problems])
  const calendars = parsed.components.filter(({ name }) => name === 'VCALENDAR')
  const loose = parsed.components.filter(({ name }) => name === 'VEVENT')
  for (const calendar of calendars) reader.read(calendar.components, calendar)
  if (loose.length > 0) reader.read(loose, undefined)
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
  read(components: Component[], calendar: Component | undefined): void {
    const zones = zonesOf(calendar, this.#options)
    const stated = calendar && propertyOf(calendar, 'X-WR-TIMEZONE')
    if (stated !== undefined && zones.isUnknown)
      this.#note(stated, 'import.note.unknownZone', { zone: stated.value.slice(0, 60), used: zones.own })
    const isOld = calendar !== undefined && isVcalendar(calendar)
    const groups = this.#groupsOf(isOld ? components.map(fromVcalendar) : components, zones)
    components.length = 0
    const method = calendar === undefined ? '' : textOf(calendar, 'METHOD').toUpperCase()
    const given = { calendar, zones, isCancelled: method === 'CANCEL', isProposal: method === 'COUNTER' }
    for (const [uid, group] of groups) {
      groups.delete(uid)
      const work = Math.min(WORK.event, this.#left)
      const budget = { left: work, isSpent: false }
      this.#group(group, { ...given, budget })
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
    const written = readTimes(component, zones, this.#note)
    if (typeof written === 'string') return this.#leave(component.line, written)
    for (const { property, tzid } of unknownZones(component, zones))
      this.#note(property, 'import.note.unknownZone', { zone: tzid.slice(0, 60), used: zones.own })
    const property = propertyOf(component, 'RECURRENCE-ID')
    const time = property && timeOf(property)
    if (property !== undefined && time === undefined)
      return this.#leave(property.line, 'import.problem.badRecurrenceId')
    const uid = textOf(component, 'UID').slice(0, 400) || unnamed(component)
    const sequence = Number(textOf(component, 'SEQUENCE')) || 0
    const stamp = textOf(component, 'LAST-MODIFIED') || textOf(component, 'DTSTAMP')
    return { component, uid, written, of: property && time && { property, time }, sequence, stamp }
  }

  #group(
    group: readonly EventComponent[],
    given: Pick<GroupContext, 'calendar' | 'zones' | 'isCancelled' | 'isProposal' | 'budget'>,
  ): void {
    const context = { ...given, options: this.#options, tell: this.#tell.bind(this), note: this.#note }
    const masters = this.#newest(group.filter((one) => one.of === undefined).sort(byAge))
    const overrides = group.filter((one) => one.of !== undefined).sort(byAge)
    const master = masters.find(({ component }) => /^R(?:RULE|DATE)$/m.test(namesOf(component))) ?? masters.at(-1)
    if (master === undefined) this.events.push(...overrides.flatMap((one) => detached(one, context)))
    for (const one of masters) {
      const isOne = masters.length === 1
      const start = textOf(one.component, 'DTSTART')
      const event = isOne ? this.#apart(one, given) : { ...one, uid: `${one.uid} ${start}` }
      if (!isOne && one !== masters[0]) this.#noteUid(one)
      this.events.push(...eventsOf({ master: event, overrides: one === master ? overrides : [] }, context))
    }
  }

  /** The newest version of each event that some program has given the same UID: those of one version on other dates. */
  #newest(masters: readonly EventComponent[]): EventComponent[] {
    const newest = masters.at(-1)
    const byStart = new Map(masters.map((one) => [textOf(one.component, 'DTSTART'), one]))
    const events = [...byStart.values()].filter(({ sequence }) => sequence === newest?.sequence)
    for (const one of masters)
      if (!events.includes(one) && !events.some(({ component }) => isSame(component, one.component)))
        this.#tell(one.component.line, 'import.problem.olderVersion')
    return events
  }

  #noteUid({ component }: EventComponent): void {
    const property = propertyOf(component, 'UID') ?? component.properties[0]
    if (property !== undefined) this.#note(property, 'import.note.sameUid', {})
  }

  /** The event, under a name of its own where an earlier calendar of the file has its UID for one on another date. */
  #apart(master: EventComponent, { isProposal }: Pick<GroupContext, 'isProposal'>): EventComponent {
    const { uid, component } = master
    const start = textOf(component, 'DTSTART')
    const known = this.#starts.get(uid)
    if (known === undefined) this.#starts.set(uid, start)
    if (known === undefined || (known === start && !isProposal)) return master
    this.#noteUid(master)
    return { ...master, uid: `${uid} ${start}${isProposal ? ' COUNTER' : ''}` }
  }

  readonly #note: Note = (...note) => {
    if (this.problems.length < MOST_TOLD) this.problems.push(noteOf(...note))
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

function namesOf({ properties }: Component): string {
  return properties.map(({ name }) => name).join('\n')
}

/** Whether a component is repeated as it is. */
function isSame(one: Component, other: Component): boolean {
  const linesOf = ({ properties }: Component): string =>
    JSON.stringify(properties.map(({ name, value, parameters }) => [name, value, [...parameters]]))
  return linesOf(one) === linesOf(other)
}

function byAge(one: EventComponent, other: EventComponent): number {
  if (one.sequence !== other.sequence) return one.sequence - other.sequence
  if (one.stamp !== other.stamp) return one.stamp < other.stamp ? -1 : 1
  return one.component.line - other.component.line
}
