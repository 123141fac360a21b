import { isWithinYears, readClock, writeClock } from '../../base/time/clock.ts'
import { hasLocal, toLocal } from '../../base/time/zones.ts'
import { type EventRow, resolveTimes } from '../../calendar/events/index.ts'
import { areValuesOf, readFields } from '../../http/params.ts'
import type { Call, InvalidParam } from '../../http/route.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import type { FieldContext } from '../../model/kinds/kind.ts'
import type { TranslatedBody } from './body.ts'
import { DURATION } from './fields.ts'
import { instantText } from './kinds.ts'

/** A write of an event, with what was sent of it. */
type Sending = Pick<Call, 'values' | 'sent' | 'context'>

/** What a write changes; `stored` is undefined on create. */
interface Changing {
  readonly stored: EventRow | undefined
  /** What is refused here already. */
  readonly refusals: InvalidParam[]
}

/** A body whose start and end are all that says when an event takes place: UTC and duration are turned into them. */
export function withTimes(body: TranslatedBody, sending: Sending, change: Changing): TranslatedBody {
  return withEnd(withInstants(body, sending, change.stored), sending, change)
}

function isSent({ sent }: Sending, name: string): boolean {
  return (sent[name] ?? null) !== null
}

/** Whether a value was sent that equals what GET answers now, and so was not read. */
function isRepeated(sending: Sending, name: string): boolean {
  return isSent(sending, name) && sending.values[name] === undefined
}

/** UTC that is sent back with another zone stays, where no time on the clock is sent. */
function withInstants(body: TranslatedBody, sending: Sending, stored: EventRow | undefined): TranslatedBody {
  if (stored === undefined || body.sent['timezone'] === undefined) return body
  const stays = (local: string): boolean => !isSent(sending, local) && isRepeated(sending, `${local}_utc`)
  const started = stays('start_date')
    ? withDate(body, { start_date: instantText(stored.start_utc) }, 'start_date_utc')
    : body
  const isEndKept = stays('end_date') && sending.values[DURATION.name] === undefined
  return isEndKept ? withDate(started, { end_date: instantText(stored.end_utc) }, 'end_date_utc') : started
}

/** A body with a date of the interface that was sent by another name. */
function withDate(
  { sent, names }: TranslatedBody,
  date: { readonly [to in 'start_date' | 'end_date']?: string },
  name: string,
) {
  return {
    sent: { ...sent, ...date },
    names: new Map([...names, ...Object.keys(date).map((to) => [to, name] as const)]),
  }
}

/** An end that is valid wherever it is not the one that counts. */
const SOME_END = '2000-01-01 00:00:00'

/** The end that a duration gives, where no end was sent. */
function withEnd(body: TranslatedBody, sending: Sending, { stored, refusals }: Changing): TranslatedBody {
  const { name } = DURATION
  if (body.names.has('end_date')) return body
  const seconds = secondsOf(body, sending, stored)
  const end = seconds === undefined ? undefined : endAfter(seconds, { ...body, stored, context: sending.context })
  if (end === 'beyond') refusals.push({ name, code: 'rest_invalid_param', reason: 'out_of_range' })
  else if (end !== undefined) return withDate(body, { end_date: end }, name)
  // Without a duration that was sent the interface misses an end.
  return stored === undefined && isSent(sending, name) ? withDate(body, { end_date: SOME_END }, name) : body
}

/** The duration that counts: one that was sent, or sent back with another start. */
function secondsOf({ sent }: TranslatedBody, sending: Sending, stored: EventRow | undefined): number | undefined {
  const { [DURATION.name]: seconds } = sending.values
  if (typeof seconds === 'number') return seconds
  const isMoved = sent['start_date'] !== undefined || sent['timezone'] !== undefined
  const hasEnd = isSent(sending, 'end_date') || isSent(sending, 'end_date_utc')
  if (stored === undefined || !isMoved || hasEnd || !isSent(sending, DURATION.name)) return undefined
  return readClock(stored.end_utc) - readClock(stored.start_utc)
}

/** The times that a write sends, as the fields of the interface. */
interface TimesOfWrite extends Pick<TranslatedBody, 'sent'>, Pick<Changing, 'stored'> {
  readonly context: FieldContext
}

const FIELDS = EVENT_FIELDS.filter(({ name }) => ['timezone', 'all_day', 'start_date'].includes(name))

/** The end that a duration in seconds gives; undefined where the start is missing or cannot be read. */
function endAfter(seconds: number, { sent, stored, context }: TimesOfWrite): string | 'beyond' | undefined {
  const { values } = readFields(FIELDS, { sent, context, fillsDefaults: false })
  if (!areValuesOf(EVENT_FIELDS, values)) return undefined
  const { start_date: start, timezone, all_day } = values
  const moved = { ...(timezone !== undefined && { timezone }), ...(all_day !== undefined && { all_day }) }
  const found = resolveTimes(stored, start ? { ...moved, start_date: start, end_date: start } : moved, context.siteZone)
  if (!found.ok) return undefined
  const { start_local, start_utc, timezone: zone } = found.times
  const instant = readClock(start_utc) + seconds
  if (found.times.all_day !== 1) return isWithinYears(instant) ? instantText(writeClock(instant)) : 'beyond'
  // Whole days end with their last second. A day is one of the calendar, or as long as its clock makes it.
  const last = Math.max(seconds - 1, 0)
  const [onClock, passed] = [readClock(start_local) + last, writeClock(readClock(start_utc) + last)]
  if (!isWithinYears(onClock) || !hasLocal(passed, zone)) return 'beyond'
  const [earlier = passed] = [writeClock(onClock), toLocal(passed, zone)].toSorted()
  return earlier
}
