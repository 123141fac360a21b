import { readClock } from '../../../base/time/clock.ts'
import type { Lane, Reader } from '../../../storage/engine.ts'
import { windowOf } from './placements.ts'
import { type TakenTime, takenTimes, type VenueWindow } from './store.ts'
import { type Overlap, overlapsOf, type VenueTime } from './taken.ts'

/** Times that are compared at once: some milliseconds. */
const SLICE = 50

/** Seconds without any of them, from which on another slice starts: what takes the venue meanwhile need not be read. */
const GAP = 31 * 86_400

/** Taken times that are read for a slice; where there are more, it is halved. */
const READ = 2_000

/** What takes the venues. */
export interface Others {
  /** IDs of events and dates of which what is stored does not count. */
  readonly without: ReadonlySet<number>
  /** Times that count without being stored. */
  readonly pending: readonly TakenTime[]
  /** Overlaps that are found for one time at most. */
  readonly limit: number
  /** Where what is stored is read; inline if absent. */
  readonly lane?: Lane
}

/**
 * The times that overlap those asked for, slice by slice and each by the start of these; none for an empty slice.
 * Whoever has read enough stops. Other work of the process runs between two slices.
 */
export async function* overlapsInSlices<Asked extends VenueTime>(
  reader: Reader,
  asked: readonly Asked[],
  others: Others,
): AsyncGenerator<Overlap<Asked, TakenTime>[]> {
  const waiting = slicesOf(asked)
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    const limit = slice.length === 1 ? others.limit : READ
    const taken = await takenBy(reader, slice, { limit, lane: others.lane })
    if (taken.length === READ && slice.length > 1) {
      const middle = Math.ceil(slice.length / 2)
      waiting.unshift(slice.slice(0, middle), slice.slice(middle))
      continue
    }
    const counted = [...taken.filter(({ id }) => !others.without.has(id)), ...others.pending]
    const found = overlapsOf(slice, counted, others.limit)
    if (found.length > 0) yield found
    if (waiting.length > 0) await reader.pause()
  }
}

async function takenBy(
  reader: Reader,
  slice: readonly VenueTime[],
  reading: Pick<VenueWindow, 'limit' | 'lane'>,
): Promise<TakenTime[]> {
  const window = windowOf(slice)
  if (window === undefined) return []
  return takenTimes(reader, { venues: [...new Set(slice.map(({ venue }) => venue))], ...window, ...reading })
}

function slicesOf<Asked extends VenueTime>(asked: readonly Asked[]): Asked[][] {
  const slices: Asked[][] = []
  let last: Asked | undefined
  for (const one of asked.toSorted((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)))) {
    const slice = slices.at(-1)
    const isNear = last !== undefined && readClock(one.start) - readClock(last.end) < GAP
    if (slice !== undefined && isNear && slice.length < SLICE) slice.push(one)
    else slices.push([one])
    last = one
  }
  return slices
}
