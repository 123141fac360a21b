import { isWithinYears, readClock, writeClock } from '../../base/time/clock.ts'
import { type EventRow, resolveTimes } from '../../calendar/events/index.ts'
import { areValuesOf, readFields } from '../../http/params.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import type { FieldContext } from '../../model/kinds/kind.ts'
import { instantText } from './kinds.ts'

/** The times that a write sends, as the fields of the interface. */
interface TimesOfWrite {
  readonly sent: Readonly<Record<string, unknown>>
  /** Undefined on create. */
  readonly stored: EventRow | undefined
  readonly context: FieldContext
}

const FIELDS = EVENT_FIELDS.filter(({ name }) => ['timezone', 'all_day', 'start_date'].includes(name))

/** The end that a duration in seconds gives; undefined where the start is missing or cannot be read. */
export function endAfter(seconds: number, { sent, stored, context }: TimesOfWrite): string | 'beyond' | undefined {
  const { values } = readFields(FIELDS, { sent, context, fillsDefaults: false })
  if (!areValuesOf(EVENT_FIELDS, values)) return undefined
  const { start_date: start, timezone, all_day } = values
  const moved = { ...(timezone !== undefined && { timezone }), ...(all_day !== undefined && { all_day }) }
  const found = resolveTimes(stored, start ? { ...moved, start_date: start, end_date: start } : moved, context.siteZone)
  if (!found.ok) return undefined
  const { start_local, start_utc } = found.times
  const isAllDay = found.times.all_day === 1
  // The last second of whole days belongs to them.
  const end = readClock(isAllDay ? start_local : start_utc) + seconds - (isAllDay ? 1 : 0)
  if (!isWithinYears(end)) return 'beyond'
  return isAllDay ? writeClock(end) : instantText(writeClock(end))
}
