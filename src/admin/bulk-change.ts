import type { RawInput } from '../http/request/body.ts'
import { canonicalLanguage } from '../model/kinds/language.ts'
import { objectsIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'
import { withTyped } from './picker/offers.ts'

/** What is changed in several events at once, beside their publication. */
export const FIELD_ACTIONS = [
  'category',
  'tag',
  'venue',
  'organizer',
  'language',
  'feature',
  'unfeature',
  'cancel',
  'uncancel',
] as const

/** A change of a field of several events. */
export type FieldAction = (typeof FIELD_ACTIONS)[number]

/** Whether an action changes a field. */
export function isFieldAction(action: string): action is FieldAction {
  return FIELD_ACTIONS.some((one) => one === action)
}

/** The actions that set or add something; its input is called `to_` and the action. */
const WITH_VALUE: readonly FieldAction[] = ['category', 'tag', 'venue', 'organizer', 'language']

/** The value that a form sends for an action, an ID for a venue or organizer; undefined where there is none of that name. */
export async function valueSent(request: PageRequest, action: FieldAction): Promise<string | undefined> {
  if (!WITH_VALUE.includes(action)) return ''
  const text = request.sent(`to_${action}`).trim()
  if (text === '' || (action === 'language' && canonicalLanguage(text) === undefined)) return undefined
  if (action !== 'venue' && action !== 'organizer') return text
  const known = await withTyped(request, {}, { [action]: [text] })
  return known[action]?.find(([, name]) => name.toLowerCase() === text.toLowerCase())?.[0]
}

/** Members of an event that a value is added to, with the member that has the name of each. */
const LISTS: Readonly<Partial<Record<FieldAction, readonly [member: string, name: string]>>> = {
  category: ['categories', 'name'],
  tag: ['tags', 'name'],
  organizer: ['organizer', 'organizer'],
}

/** What the API is sent to change an event; undefined where it is like that already. */
export function changeOf(action: FieldAction, value: string, event: RawInput): RawInput | undefined {
  const list = LISTS[action]
  if (list !== undefined) return addition(list, value, event)
  if (action === 'venue') {
    return objectsIn(event['venue']).some(({ id }) => String(id) === value) ? undefined : { venue: [Number(value)] }
  }
  const [member, wanted, now] = plainChange(action, value, event)
  return wanted === now ? undefined : { [member]: wanted }
}

function addition([member, name]: readonly [string, string], value: string, event: RawInput): RawInput | undefined {
  const own = objectsIn(event[member])
  const isThere = own.some(
    (one) => String(one['id']) === value || String(one[name]).toLowerCase() === value.toLowerCase(),
  )
  return isThere
    ? undefined
    : { [member]: [...own.map(({ id }) => Number(id)), member === 'organizer' ? Number(value) : value] }
}

function plainChange(action: FieldAction, value: string, event: RawInput): readonly [string, unknown, unknown] {
  if (action === 'language') return ['language', value, event['language'] ?? '']
  if (action === 'feature' || action === 'unfeature')
    return ['featured', action === 'feature', event['featured'] === true]
  const isCanceled = event['event_status'] === 'canceled'
  return ['event_status', action === 'cancel' ? 'canceled' : 'scheduled', isCanceled ? 'canceled' : 'scheduled']
}
