import type { CalendarEvent, Day, Timed, Venue, ZonedTime } from './types.ts'

/** Start and end in the time zone of the event; of all-day events the first and the last day. */
export function when(event: Timed): { start: ZonedTime | Day; end: ZonedTime | Day } {
  // biome-ignore lint/suspicious/noExplicitAny: only some runtimes have it, and only some compilers its types
  const { Temporal } = globalThis as { Temporal?: any }
  const moment = (local: string, utc: string): unknown => {
    const day = local.slice(0, 10)
    if (event.all_day) return Temporal ? Temporal.PlainDate.from(day) : day
    const ahead = Date.parse(`${local.replace(' ', 'T')}Z`) - Date.parse(`${utc.replace(' ', 'T')}Z`)
    const offset = `${ahead < 0 ? '-' : '+'}${new Date(Math.abs(ahead)).toISOString().slice(11, 16)}`
    const text = `${local.replace(' ', 'T')}${offset}`
    // Zones like `UTC+5.5` are offsets.
    const zone = /^UTC[+-]/.test(event.timezone) ? offset : event.timezone
    return Temporal ? Temporal.ZonedDateTime.from(`${text}[${zone}]`, { offset: 'use' }) : text
  }
  return {
    start: moment(event.start_date, event.utc_start_date) as ZonedTime,
    end: moment(event.end_date, event.utc_end_date) as ZonedTime,
  }
}

/** The venues of an event, which interfaces show as an empty list, an object or a list. */
export function venuesOf(event: Pick<CalendarEvent, 'venue'>): Venue[] {
  return [event.venue ?? []].flat()
}

/** Entities that editors write, each followed by its character; others are numbers. */
const ENTITIES =
  'amp& lt< gt> quot" apos\' nbsp\u00a0 hellip… ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” laquo« raquo» bull• middot· euro€ pound£ copy© reg® trade™ times× deg°'
const NAMED = new Map(ENTITIES.split(' ').map((entry) => [entry.slice(0, -1), entry.slice(-1)]))

/** HTML as plain text: tags removed, entities decoded, a line for each paragraph. */
export function plain(html: string): string {
  return html
    .replace(/\s+/g, ' ')
    .replace(/ ?<(?:br|\/(?:p|div|li|h\d|tr|blockquote))\b[^<>]*> ?/gi, '\n')
    .replace(/<[a-z/!?][^<>]*>/gi, '')
    .replace(/&(?:#(x?)([\da-f]{1,7})|(\w{2,8}));/gi, decoded)
    .trim()
}

// biome-ignore lint/complexity/useMaxParams: the shape of a replacer
function decoded(entity: string, x?: string, digits = '', name = ''): string {
  const code = Number(x ? `0x${digits}` : digits)
  return NAMED.get(name) ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity)
}
