import { named, text } from '../../http/openapi/parts.ts'

/** The lines of the example. */
const LINES = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Kalends//Kalends//EN',
  'CALSCALE:GREGORIAN',
  'BEGIN:VEVENT',
  'UID:10@calendar.example',
  'DTSTAMP:20261120T180000Z',
  'LAST-MODIFIED:20261120T180000Z',
  'CREATED:20261120T180000Z',
  'SEQUENCE:0',
  'DTSTART;VALUE=DATE:20270417',
  'DTEND;VALUE=DATE:20270419',
  'SUMMARY:Regatta & Picnic',
  'URL:https://calendar.example/event/regatta-picnic/',
  'STATUS:CONFIRMED',
  'TRANSP:TRANSPARENT',
  'END:VEVENT',
  'END:VCALENDAR',
]

/** Events as an iCalendar object. */
export const CALENDAR = named(
  'Calendar',
  text('api.formats.icalendarObjectRfc5545', LINES.map((line) => `${line}\r\n`).join(''), {
    pattern: '^BEGIN:VCALENDAR\\r\\n(.*\\r\\n)+END:VCALENDAR\\r\\n$',
  }),
)
