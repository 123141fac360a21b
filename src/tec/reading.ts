import type { MessageId } from '../base/i18n/translate.ts'
import { everybody } from '../http/auth/rights.ts'
import type { NamedSchema } from '../http/openapi/parts.ts'
import { ID_FIELD } from '../http/resource.ts'
import type { Group } from '../http/route.ts'
import { type EntryKey, RESOURCES } from '../model/resource.ts'

/** A kind of items that is read. */
export interface ReadKind extends Pick<Group, 'about'> {
  readonly key: EntryKey | 'ticket'
  readonly schema: NamedSchema
}

/** Where items of a kind are, and what their routes are called. */
function namesOf(key: ReadKind['key']): { collection: string; list: MessageId; item: MessageId } {
  if (key === 'ticket') return { collection: 'tickets', list: 'fields.tickets', item: 'api.events.ticketEvent' }
  const { collection } = RESOURCES[key]
  return { collection, list: `api.list.${collection}`, item: `api.read.${key}` }
}

/** What all lists have in common. */
export function listOf({ key, schema, about }: ReadKind) {
  const { collection, list } = namesOf(key)
  return {
    ...common(about, collection),
    path: `/${collection}`,
    operation: `get${schema.name}s`,
    summary: list,
    description: 'api.returnsPageItemsMatch',
    pathFields: [],
    fillsDefaults: true,
    response: { status: 200, schema, list: collection },
    errors: ['tec_rest_organizers_page_not_found'],
  } as const
}

/** What all routes that read an item have in common. */
export function itemOf({ key, schema, about }: ReadKind) {
  const { collection, item } = namesOf(key)
  return {
    ...common(about, collection),
    path: `/${collection}/:id`,
    operation: `get${schema.name}`,
    summary: item,
    description: 'api.returnsItemCallerRead',
    pathFields: [ID_FIELD],
    fillsDefaults: false,
    response: { status: 200, schema },
    errors: ['rest_forbidden'],
  } as const
}

function common(about: MessageId, name: string) {
  return { method: 'GET', group: { name, about }, hasBody: false, scope: 'read', open: everybody } as const
}
