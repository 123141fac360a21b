import { date } from '../../model/kinds/date.ts'
import { wholeNumber } from '../../model/kinds/integer.ts'
import { BY_ID, type FieldContext, type Kind, refuse } from '../../model/kinds/kind.ts'

/*
 * Values of this namespace as the fields of the interface take them. What cannot be read stays as it is: the interface
 * refuses it.
 */

/** A kind that passes on what was sent as the interface takes it. */
export function passing(
  { declared, schema }: Pick<Kind<unknown>, 'declared' | 'schema'>,
  read: (value: unknown, context: FieldContext) => unknown = (value) => value,
): Kind<unknown> {
  return { declared, schema, parse: (value, context) => ({ ok: true, value: read(value, context) }) }
}

/** A text, or an object with it as GET returns it. */
export const RENDERED = passing(
  {
    declared: { type: 'string' },
    schema: { type: ['string', 'object'], properties: { rendered: { type: 'string' } }, required: ['rendered'] },
  },
  (value) => (isObject(value) && typeof value['rendered'] === 'string' ? value['rendered'] : value),
)

/** A moment, of UTC where it has no offset. */
export const UTC_MOMENT = passing(date, (value, context) => {
  const reading = date.parse(value, { ...context, siteZone: 'UTC' })
  if (!reading.ok) return value
  return instantText(reading.value.kind === 'local' ? reading.value.local : reading.value.utc)
})

/** A UTC moment as the interface reads it. */
export function instantText(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`
}

/** Venues, organizers or terms by their IDs: of entities nothing else counts, and none is made. */
export const IDS: Kind<unknown> = {
  declared: { type: 'array', items: { type: 'integer' } },
  schema: { anyOf: [...BY_ID, { type: 'array', items: { anyOf: BY_ID } }] },
  parse(value) {
    const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
    if (list === null || list === 0 || typeof list === 'boolean') return { ok: true, value }
    const items = itemsOf(list).flatMap((one) => (one === '' ? [] : [{ id: isObject(one) ? one['id'] : one }]))
    return items.every(({ id }) => wholeNumber(id) !== undefined) ? { ok: true, value: items } : refuse('bad_list')
  },
}

/** The items of a list; a form body may have digits for its keys. */
function itemsOf(list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list
  return isObject(list) && Object.keys(list).every((name) => /^\d+$/.test(name)) ? Object.values(list) : [list]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
