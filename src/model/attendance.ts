/** What has become of an event (schema.org EventStatusType); `scheduled` where nothing has. */
export const EVENT_STATUSES = ['scheduled', 'canceled', 'postponed', 'rescheduled', 'moved_online'] as const

/** Whether an event that people can attend online takes place at its venue as well. */
export const VIRTUAL_TYPES = ['virtual', 'hybrid'] as const

/** The members of an event that an import may have recorded in a form of its own: such a value stays as it was. */
export const ATTENDANCE_FIELDS = [
  'event_status',
  'event_status_reason',
  'is_virtual',
  'virtual_url',
  'virtual_type',
] as const
