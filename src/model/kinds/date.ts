import { type ParsedDate, parseDate } from '../../base/time/parse.ts'
import { type Period, readPeriod } from '../../base/time/periods.ts'
import { hasLocal, hasUtc, toUtc } from '../../base/time/zones.ts'
import { type FieldContext, type Kind, mistyped, refuse } from './kind.ts'

/** A date that could be read: a wall clock without zone, or an instant. */
export type DateValue = Extract<ParsedDate, { ok: true }>

/** A date and time in any of the formats of decisions "Dates". */
export const date: Kind<DateValue> = {
  declared: { type: 'string' },
  schema: { type: ['string', 'integer'], examples: ['2027-04-17 09:30:00'] },
  parse(value, context) {
    if (typeof value !== 'string' && typeof value !== 'number') return mistyped('bad_date')
    const parsed = parseDate(value, { now: context.now, zone: context.siteZone })
    return parsed.ok ? { ok: true, value: parsed } : refuse('bad_date')
  },
}

/** A date of a list, or a period that words name. */
export type DateOrPeriod = DateValue | ({ readonly kind: 'period' } & Period)

/** A date, or words that name a period: `tonight`, `this weekend`, `next week`, `last month` ... */
export const dateOrPeriod: Kind<DateOrPeriod> = {
  declared: date.declared,
  schema: { ...date.schema, examples: ['2027-04-17 09:30:00', 'this weekend', 'tonight'] },
  parse(value, context) {
    const period =
      typeof value === 'string' ? readPeriod(value, { now: context.now, zone: context.siteZone }) : undefined
    return period === undefined ? date.parse(value, context) : { ok: true, value: { kind: 'period', ...period } }
  },
}

/** A publication date on the clock of the site. Refused where that clock or UTC shows another year than 1000 to 9999. */
export const siteDate: Kind<DateValue> = published((context) => context.siteZone)

/** The same where forms ask for it. */
export const publicationDate: Kind<DateValue> = { ...siteDate, control: 'published' }

/** The same on the clock of UTC. */
export const utcDate: Kind<DateValue> = published(() => 'UTC')

function published(clockOf: (context: FieldContext) => string): Kind<DateValue> {
  return {
    ...date,
    parse(value, context) {
      const reading = date.parse(value, context)
      if (!reading.ok) return reading
      const sent = reading.value
      const clock = clockOf(context)
      if (sent.kind === 'local' && !hasUtc(sent.local, clock)) return refuse('bad_date')
      const utc = sent.kind === 'local' ? toUtc(sent.local, clock) : sent.utc
      return hasLocal(utc, context.siteZone) ? reading : refuse('bad_date')
    },
  }
}

/** A date of an event before its zone is known: words such as `tomorrow` mean the event's own calendar. */
export interface DateInZone {
  /** The date as the clock of a zone makes it. */
  inZone(zone: string): DateValue
}

/** A date and time of an event, in any of the formats of decisions "Dates". */
export const eventDate: Kind<DateInZone> = {
  control: 'moment',
  declared: date.declared,
  schema: date.schema,
  parse(value, context) {
    const reading = date.parse(value, context)
    if (!reading.ok) return reading
    const inZone = (zone: string): DateValue => {
      if (zone === context.siteZone) return reading.value
      const inOther = date.parse(value, { ...context, siteZone: zone })
      return inOther.ok ? inOther.value : reading.value
    }
    return { ok: true, value: { inZone } }
  },
}
