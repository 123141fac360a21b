import { type ParsedDate, parseDate } from '../time/parse.ts'
import { type Kind, mistyped, read, refuse } from './kind.ts'

/** A date that could be read: a wall clock without zone, or an instant. */
export type DateValue = Extract<ParsedDate, { ok: true }>

/** A date and time in any of the formats of decisions "Dates". */
export const date: Kind<DateValue> = {
  declared: { type: 'string' },
  schema: { type: ['string', 'integer'] },
  parse(value, context) {
    if (typeof value !== 'string' && typeof value !== 'number') return mistyped('bad_date')
    const parsed = parseDate(value, { now: context.now, zone: context.siteZone })
    return parsed.ok ? read(parsed) : refuse('bad_date')
  },
}
