import type { SourceItem } from './items.ts'
import { isObject, type SourceObject, valueAt } from './members.ts'

/** Which date of which series of ours an event is. */
export interface SourceSeries {
  /** ID of the event that recurs. */
  readonly id: number
  /** Start as the rule gives it. */
  readonly recurrenceId: string
  /** Whether the date differs from the series. */
  readonly isException: boolean
  /** The first date as the rule has it, where the event shows another one; '' for others. */
  readonly start: string
  readonly end: string
}

/** The series that an event says it is a date of; undefined when it says none, or another program's. */
export function seriesAt(source: SourceObject): SourceSeries | undefined {
  const value = valueAt(source, 'series')
  if (!isObject(value)) return undefined
  const { id, recurrence_id: recurrenceId, exception, start_date: start, end_date: end } = value
  if (typeof id !== 'number' || typeof recurrenceId !== 'string') return undefined
  const textOf = (one: unknown): string => (typeof one === 'string' ? one : '')
  return { id, recurrenceId, isException: exception === true, start: textOf(start), end: textOf(end) }
}

/** The items, in which events that recur have the dates that were recorded of them. */
export function withDates(items: readonly SourceItem[]): SourceItem[] {
  const heads = new Set(items.flatMap(({ key, source }) => (key === 'event' ? headIdOf(source) : [])))
  const isDate = ({ key, source }: SourceItem): boolean => {
    const series = key === 'event' ? seriesAt(source) : undefined
    return series !== undefined && series.id !== source.members['id'] && heads.has(series.id)
  }
  const dates = Map.groupBy(items.filter(isDate), ({ source }) => seriesAt(source)?.id)
  return items.flatMap((item) => {
    if (isDate(item)) return []
    const own = item.key === 'event' ? (headIdOf(item.source)[0] ?? -1) : -1
    const further = dates.get(own)?.map(({ source }) => source)
    return further === undefined ? [item] : [{ ...item, dates: further }]
  })
}

/** The ID of an event that says how it recurs; `[]` for others. */
function headIdOf({ members }: SourceObject): number[] {
  return typeof members['id'] === 'number' && Array.isArray(members['recurrence']) ? [members['id']] : []
}
