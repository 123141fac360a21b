import { readClock } from '../../base/time/clock.ts'
import { fillFromStart } from '../../base/time/recurrence/expand.ts'
import type { FirstDate } from '../../base/time/recurrence/lines.ts'
import type { RecurrenceRule } from '../../base/time/recurrence/rule.ts'
import { clockOf } from '../../base/time/zones.ts'

const DAY = 86_400

/**
 * A rule whose UNTIL gives the same dates to programs that compare it with dates in the offset of the first one, such as
 * python-dateutil with the zones of pytz. Where the clock is ahead of that at the end, they would miss a date just before
 * UNTIL, which is then as much later. Only for rules of one time a day: nothing else happens between the two.
 */
export function withReadableUntil(rule: RecurrenceRule, { start, zone, isAllDay }: FirstDate): RecurrenceRule {
  const { until } = rule
  const begin = readClock(start)
  const time = timeOfDay(fillFromStart(rule, begin))
  if (isAllDay || until?.isUtc !== true || time === undefined) return rule
  const { instantOf, localOf } = clockOf(zone)
  const offsetAt = (instant: number): number => localOf(instant) - instant
  const ahead = offsetAt(until.seconds) - offsetAt(instantOf(begin))
  const sinceLast = (((localOf(until.seconds) - time) % DAY) + DAY) % DAY
  if (sinceLast >= ahead) return rule
  return { ...rule, until: { ...until, seconds: until.seconds - sinceLast + ahead } }
}

/** Seconds since midnight of a rule that gives one time a day; undefined for others. */
function timeOfDay({ frequency, byHour, byMinute, bySecond }: RecurrenceRule): number | undefined {
  const [hour, minute, second] = [byHour[0], byMinute[0], bySecond[0]]
  const isOne = byHour.length * byMinute.length * bySecond.length === 1
  const isShort = frequency === 'HOURLY' || frequency === 'MINUTELY' || frequency === 'SECONDLY'
  if (!isOne || isShort || hour === undefined || minute === undefined || second === undefined) return undefined
  return hour * 3600 + minute * 60 + second
}
