import { nextMidnight } from './ranges.ts'
import { millisFromUtc, toLocal, toUtc, utcFromMillis } from './zones.ts'

/** The moment when the day ends in a zone, Unix milliseconds: the first that belongs to the next day. */
export function endOfToday(now: number, zone: string): number {
  return millisFromUtc(toUtc(nextMidnight(toLocal(utcFromMillis(now), zone)), zone))
}
