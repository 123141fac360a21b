import { isWithinYears, readClock, writeClock } from '../../base/time/clock.ts'
import { momentIn, toLocal } from '../../base/time/zones.ts'
import type { EventRow } from '../../calendar/events/index.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { eventDate } from '../../model/kinds/date.ts'
import type { FieldContext } from '../../model/kinds/kind.ts'
import { zone as zoneKind } from '../../model/kinds/zone.ts'
import { instantText } from './kinds.ts'

/** The times of an event that a write sends, as the fields of the interface, and those that it has. */
export interface TimesOfWrite {
  readonly sent: Readonly<Record<string, unknown>>
  /** Undefined on create. */
  readonly stored: Pick<EventRow, 'start_local' | 'start_utc' | 'timezone' | 'all_day'> | undefined
  readonly context: FieldContext
}

/** The end that a duration in seconds gives; undefined where the start is missing or cannot be read. */
export function endAfter(seconds: number, times: TimesOfWrite): string | 'beyond' | undefined {
  const start = startOf(times)
  if (start === undefined) return undefined
  const isAllDay = isWholeDays(times)
  // Whole days count from their first midnight, and their last second belongs to them.
  const first = isAllDay ? `${start.local.slice(0, 10)} 00:00:00` : start.utc
  const end = readClock(first) + seconds - (isAllDay ? 1 : 0)
  if (!isWithinYears(end)) return 'beyond'
  return isAllDay ? writeClock(end) : instantText(writeClock(end))
}

/** The start of the event after the write. */
function startOf({
  sent,
  stored,
  context,
}: TimesOfWrite): { readonly local: string; readonly utc: string } | undefined {
  const zone = zoneOf(sent['timezone'], stored?.timezone ?? context.siteZone, context)
  if (sent['start_date'] === undefined) {
    if (stored === undefined || zone !== stored.timezone) return stored && momentIn(stored.start_local, zone)
    return { local: stored.start_local, utc: stored.start_utc }
  }
  const reading = eventDate.parse(sent['start_date'], context)
  if (!reading.ok) return undefined
  const date = reading.value.inZone(zone)
  return date.kind === 'instant' ? { local: toLocal(date.utc, zone), utc: date.utc } : momentIn(date.local, zone)
}

function zoneOf(sent: unknown, otherwise: string, context: FieldContext): string {
  const reading = sent === undefined ? undefined : zoneKind.parse(sent, context)
  return reading?.ok === true ? reading.value || context.siteZone : otherwise
}

function isWholeDays({ sent, stored, context }: TimesOfWrite): boolean {
  const reading = sent['all_day'] === undefined ? undefined : boolean.parse(sent['all_day'], context)
  return reading?.ok === true ? reading.value : stored?.all_day === 1
}
