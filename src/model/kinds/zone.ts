import { isZone } from '../../base/time/zones.ts'
import { type Kind, mistyped, refuse } from './kind.ts'

/** A time zone as sent; '' asks for the site's zone. */
export const zone: Kind<string> = {
  control: 'zone',
  declared: { type: 'string' },
  schema: { type: 'string' },
  parse(value) {
    if (typeof value !== 'string') return mistyped('bad_zone')
    return value === '' || isZone(value) ? { ok: true, value } : refuse('bad_zone')
  },
}
