import type { Steps } from '../../../base/time/recurrence/steps.ts'
import { toLocal, toUtc } from '../../../base/time/zones.ts'
import { checkingSteps, type Holding, previousStartOfDate } from '../../../calendar/events/index.ts'
import { placeText, type SourceObject, textAt } from '../readers/json/members.ts'
import { seriesAt } from '../readers/json/series-dates.ts'
import type { Skipped } from '../types.ts'
import type { PlannedDate, PlannedEvent } from './planned.ts'

/** A date as it was recorded, and what was read of it. */
export interface ReadDate {
  readonly source: SourceObject
  readonly event: PlannedEvent
}

/** An event with its series; without one where its recurrence cannot be kept, and why. */
export interface WithSeries {
  readonly event: PlannedEvent
  readonly skipped: readonly Skipped[]
}

/**
 * Makes one event of all the dates that were recorded of it, its own among them: by its rule, or, where dates share one
 * ID and no rule is known, by the list of their starts (RDATE). A date that differs from the first is an exception.
 */
export function* planSeries(read: readonly ReadDate[], holding: Holding): Steps<WithSeries | undefined> {
  const ruled = read.find(({ event }) => event.recurrence.length > 0)
  const [first] = read
  if (first === undefined) return undefined
  const planned = ruled === undefined ? sharedId(read) : byRule(ruled, read)
  const { series } = planned.event
  if (series === undefined) return planned
  const { columns } = planned.event
  const checked = yield* checkingSteps(columns, series.lines, holding)
  if (checked.ok || checked.problem.part === 'EXDATE') return planned
  const { series: _, ...plain } = planned.event
  const { part, reason } = checked.problem
  const why = `its recurrence cannot be kept (${part} ${reason}): only its first date was imported`
  return { event: plain, skipped: [...planned.skipped, { what: placeText(plain.place), why, isNote: true }] }
}

/** Of a site like this one: what recurs says how, and further dates have IDs of their own. */
function byRule(head: ReadDate, read: readonly ReadDate[]): WithSeries {
  const others = read.filter((one) => one !== head)
  const dates = others.flatMap(({ source, event }): PlannedDate[] => {
    const series = seriesAt(source)
    if (series === undefined) return []
    const { recurrenceId } = series
    const address = keptAddress(source, { event, usual: `${head.event.entry.slug}/${recurrenceId.slice(0, 10)}` })
    const { wishedId } = event.identity
    return [{ recurrenceId, wishedId, ...(address && { address }), ...(series.isException && { own: event }) }]
  })
  const shown = seriesAt(head.source)
  const { lines, own } = { lines: head.event.recurrence, own: head.event }
  if (shown === undefined || !shown.isException || shown.start === '')
    return { event: { ...own, series: { lines, dates } }, skipped: [] }
  // The event shows its first date, which differs; the dates that do not differ show what all have in common.
  const like = others.find(({ source }) => seriesAt(source)?.isException === false)?.event
  const { timezone } = own.columns
  const times = {
    start_local: shown.start,
    end_local: shown.end,
    start_utc: toUtc(shown.start, timezone),
    end_utc: toUtc(shown.end, timezone),
  }
  const shared = (like ?? own).columns
  const previous_start = previousStartOfDate(shared, shown.start)
  const columns = { ...shared, ...times, previous_start }
  const common = like === undefined ? own : { ...like, ...headOf(own) }
  const first: PlannedDate = { recurrenceId: shown.recurrenceId, wishedId: undefined, own }
  return { event: { ...common, columns, series: { lines, dates: [first, ...dates] } }, skipped: [] }
}

/** The address in the link of a date whose series was moved or divided; undefined where it is the usual one. */
function keptAddress(
  source: SourceObject,
  { event, usual }: { readonly event: PlannedEvent; readonly usual: string },
): string | undefined {
  const [, slug, day] = /\/([^/]+)\/(\d{4}-\d\d-\d\d(?:-\d{1,5})?)\/?$/.exec(textAt(source, 'url')) ?? []
  const address = `${slug}/${day}`
  return address.startsWith(usual) || `${slug}-${day}` !== event.entry.slug ? undefined : address
}

function headOf({ place, identity, entry, parentGlobalId, recurrence }: PlannedEvent) {
  return { place, identity, entry, parentGlobalId, recurrence }
}

/** Of a site whose dates all have the ID of their event. */
function sharedId(read: readonly ReadDate[]): WithSeries {
  const sorted = [...read].sort((a, b) => (a.event.columns.start_local < b.event.columns.start_local ? -1 : 1))
  const [first, ...others] = sorted.map(({ event }) => event)
  if (first === undefined) throw new Error('a series has a date')
  const { timezone, all_day } = first.columns
  const starts = new Map<string, PlannedEvent>()
  for (const one of others) {
    const start = one.columns.timezone === timezone ? one.columns.start_local : toLocal(one.columns.start_utc, timezone)
    const on = all_day === 1 ? `${start.slice(0, 10)} 00:00:00` : start
    if (on !== first.columns.start_local) starts.set(on, one)
  }
  if (starts.size === 0) return { event: first, skipped: [] }
  const lines = [rdateOf([...starts.keys()], all_day === 1)]
  const dates = [...starts].map(([recurrenceId, event]): PlannedDate => {
    const usual = { ...event, entry: { ...event.entry, slug: '' } }
    return { recurrenceId, wishedId: undefined, own: usual }
  })
  return { event: { ...first, series: { lines, dates } }, skipped: [] }
}

function rdateOf(starts: readonly string[], isAllDay: boolean): string {
  const stamps = starts.map((start) => {
    const plain = start.replace(/[-:]/g, '').replace(' ', 'T')
    return isAllDay ? plain.slice(0, 8) : plain
  })
  return `RDATE${isAllDay ? ';VALUE=DATE' : ''}:${stamps.join(',')}`
}
