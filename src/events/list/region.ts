import { addToLocal } from '../../time/zones.ts'
import type { EventQuery } from './filters.ts'

/**
 * The bounds of a list as half-open ranges of wall clock text: an occurrence lies in the region when its start is at or
 * after `startFrom` and before `startBefore`, and its end likewise. Absent bounds are open.
 */
export interface Region {
  readonly startFrom?: string
  readonly startBefore?: string
  readonly endFrom?: string
  readonly endBefore?: string
}

/** Several steps of a request ask for the region of the same bounds. */
const regions = new WeakMap<EventQuery['bounds'], { readonly region: Region | undefined }>()

/** The region of a query; undefined where a bound is the last second there is, which no half-open range reaches. */
export function regionOf(bounds: EventQuery['bounds']): Region | undefined {
  const known = regions.get(bounds)
  if (known !== undefined) return known.region
  const region = readRegion(bounds)
  regions.set(bounds, { region })
  return region
}

function readRegion(bounds: EventQuery['bounds']): Region | undefined {
  const { start_date, starts_after, starts_before, ends_after, ends_before, end_date } = bounds
  const [afterStart, endFrom, afterEnd] = [starts_after, ends_after, end_date].map(
    (moment) => moment && addToLocal(moment, { seconds: 1 }),
  )
  const isLast = (moment: string | undefined, after: string | undefined): boolean =>
    moment !== undefined && after === moment
  if (isLast(starts_after, afterStart) || isLast(ends_after, endFrom) || isLast(end_date, afterEnd)) return undefined
  const startFrom = later(start_date, afterStart)
  const endBefore = earlier(ends_before, afterEnd)
  return {
    ...(startFrom !== undefined && { startFrom }),
    ...(starts_before !== undefined && { startBefore: starts_before }),
    ...(endFrom !== undefined && { endFrom }),
    ...(endBefore !== undefined && { endBefore }),
  }
}

/** The later of two moments, of which either may be absent. */
export function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one > other ? one : other
}

/** The earlier of two moments, of which either may be absent. */
function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

/** A corner: the occurrences that start before the one moment and end before the other; absent ones do not matter. */
export interface Corner {
  readonly sign: 1 | -1
  readonly startBefore: string | undefined
  readonly endBefore: string | undefined
}

/**
 * The corners whose numbers, added with their signs, are the number of a region. A region without occurrences, because a
 * range of it ends before it begins, has none.
 */
export function cornersOf({ startFrom, startBefore, endFrom, endBefore }: Region): readonly Corner[] {
  if (isEmpty(startFrom, startBefore) || isEmpty(endFrom, endBefore)) return []
  const starts = [{ sign: 1, at: startBefore }, ...(startFrom === undefined ? [] : [{ sign: -1, at: startFrom }])]
  const ends = [{ sign: 1, at: endBefore }, ...(endFrom === undefined ? [] : [{ sign: -1, at: endFrom }])]
  return starts.flatMap((start) =>
    ends.map((end) => ({
      sign: start.sign === end.sign ? 1 : -1,
      startBefore: start.at,
      endBefore: end.at,
    })),
  )
}

function isEmpty(from: string | undefined, before: string | undefined): boolean {
  return from !== undefined && before !== undefined && before <= from
}
