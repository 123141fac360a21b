import { hasUtc, toUtc } from '../../base/time/zones.ts'
import { date } from './date.ts'
import { type Kind, refuse } from './kind.ts'

/** A moment since which something has happened. */
export interface Since {
  /** UTC text `YYYY-MM-DD HH:MM:SS`. */
  readonly utc: string
}

/** A moment in any of the formats of dates; without an offset on the clock of the site. */
export const since: Kind<Since> = {
  declared: date.declared,
  schema: date.schema,
  parse(value, context) {
    const reading = date.parse(value, context)
    if (!reading.ok) return reading
    const sent = reading.value
    if (sent.kind === 'instant') return { ok: true, value: { utc: sent.utc } }
    return hasUtc(sent.local, context.siteZone)
      ? { ok: true, value: { utc: toUtc(sent.local, context.siteZone) } }
      : refuse('bad_date')
  },
}
