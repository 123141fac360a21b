import { storedJson } from '../../../base/text/stored-json.ts'
import { ATTENDANCE_FIELDS } from '../../../model/attendance.ts'
import type { EventValues } from '../../../model/event.ts'
import type { EventRow } from '../../event-store/event-row.ts'

/**
 * The columns that say what has become of an event and whether it takes place online, after a write. The start that an
 * event had when it was first moved is kept until the event is said to be scheduled again.
 */
export function attendanceAfter(
  stored: EventRow | undefined,
  values: EventValues,
  times: Pick<EventRow, 'start_local'>,
): Partial<EventRow> {
  return {
    ...(values.event_status !== undefined && { event_status: values.event_status }),
    ...(values.event_status_reason !== undefined && { event_status_reason: values.event_status_reason }),
    ...(values.is_virtual !== undefined && { is_virtual: values.is_virtual ? 1 : 0 }),
    ...(values.virtual_url !== undefined && { virtual_url: values.virtual_url }),
    ...(values.virtual_type !== undefined && { virtual_type: values.virtual_type }),
    ...(values.custom_fields !== undefined && { custom_fields: jsonOf(values.custom_fields) }),
    ...(stored !== undefined && {
      previous_start: previousStart(stored, values, times),
      extra: unsent(stored, values),
    }),
  }
}

const UNPUBLISHED: ReadonlySet<string> = new Set(['draft', 'pending', 'trash'])

function previousStart(
  stored: EventRow,
  values: EventValues,
  { start_local: start }: Pick<EventRow, 'start_local'>,
): string | null {
  const { previous_start: kept, start_local: before } = stored
  if (isScheduledAgain(stored, values)) return null
  return kept ?? (before === start || UNPUBLISHED.has(stored.status) ? null : before)
}

function isScheduledAgain({ event_status: was }: EventRow, { event_status: sent }: EventValues): boolean {
  return sent === 'scheduled' && was !== 'scheduled'
}

/** What an import recorded gives way to what is sent. */
function unsent({ extra }: EventRow, values: EventValues): string | null {
  const names = ATTENDANCE_FIELDS.filter((name) => values[name] !== undefined)
  if (extra === null || names.length === 0) return extra
  const recorded = { ...storedJson<Record<string, unknown>>(extra) }
  for (const name of names) delete recorded[name]
  return jsonOf(recorded)
}

function jsonOf(members: Readonly<Record<string, unknown>>): string | null {
  const json = JSON.stringify(members)
  return json === '{}' ? null : json
}
