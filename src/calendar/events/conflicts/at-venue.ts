import { addToLocal } from '../../../base/time/zones.ts'
import { type Caller, mayRead } from '../../../http/auth/rights.ts'
import type { Reader } from '../../../storage/engine.ts'
import { storedEvents } from '../../event-store/series/rows.ts'
import { headerNaming } from './on-write.ts'
import { type TakenTime, takenTimes } from './store.ts'

/** An event, or a date of one, that another one overlaps. */
export interface OverlappedEvent {
  readonly id: number
  /** Plain text. */
  readonly title: string
  /** `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly start: string
}

/** A question about the coming events of a venue, by someone who may not read all of them. */
interface VenueQuestion {
  readonly venue: number
  /** Moment from which on they are looked at, UTC text. */
  readonly start: string
  readonly caller: Caller
  /** Most pairs of the answer. */
  readonly limit: number
}

/** Days that are looked at, and times that are read; where a venue has more, the later half of the days is left out. */
const [DAYS, READ] = [366, 2_000]

/** Pairs that are looked at for a header, which names fewer events. */
const LOOKED_AT = 10_000

/**
 * The events at a venue that overlap each other within a year, as pairs by the start of the later one; `[]` for none.
 * Pairs of which the caller may not read both are left out.
 */
export async function overlapsAtVenue(
  reader: Reader,
  question: VenueQuestion,
): Promise<(readonly [OverlappedEvent, OverlappedEvent])[]> {
  const { caller, limit } = question
  const times = await comingTimes(reader, question)
  const readable = times.filter(({ author, status }) => mayRead(caller, { authorId: author, status }))
  const pairs = pairsOf(readable, limit)
  const events = [...new Set(pairs.flat().map(({ event }) => event))]
  const titles = new Map((await storedEvents(reader, events)).map(({ id, title }) => [id, title]))
  const named = ({ id, event, start }: TakenTime): OverlappedEvent => ({ id, title: titles.get(event) ?? '', start })
  return pairs.map(([one, other]) => [named(one), named(other)])
}

/**
 * The header that names, by their start, the events which overlap each other at a venue within a year; none where none do.
 * They were there before, and stay.
 */
export async function standingOverlaps(
  reader: Reader,
  { caller, ...question }: Omit<VenueQuestion, 'limit'>,
): Promise<Readonly<Record<string, string>>> {
  const pairs = pairsOf(await comingTimes(reader, question), LOOKED_AT)
  return headerNaming([...new Set(pairs.flat())], caller)
}

async function comingTimes(
  reader: Reader,
  { venue, start }: Pick<VenueQuestion, 'venue' | 'start'>,
): Promise<TakenTime[]> {
  let days = DAYS
  for (;;) {
    const times = await takenTimes(reader, { venues: [venue], start, end: addToLocal(start, { days }), limit: READ })
    if (times.length < READ || days === 1) return times
    days = Math.floor(days / 2)
  }
}

/** The pairs of times that overlap; each time is compared only with those that have not ended when it starts. */
function pairsOf(times: readonly TakenTime[], limit: number): (readonly [TakenTime, TakenTime])[] {
  const pairs: (readonly [TakenTime, TakenTime])[] = []
  let open: TakenTime[] = []
  for (const one of times.toSorted((left, right) =>
    left.start < right.start ? -1 : Number(left.start > right.start),
  )) {
    open = open.filter(({ end }) => end > one.start)
    for (const other of open) {
      if (pairs.length >= limit) return pairs
      if (other.start < one.end) pairs.push([other, one])
    }
    open.push(one)
  }
  return pairs
}
