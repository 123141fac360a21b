import { NAMESPACE } from '../../base/config/namespaces.ts'
import { urlsOf } from '../../http/address.ts'
import type { ResourceKey } from '../../model/resource.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { itemsOf } from '../feed/index.ts'
import { callerFor, TEST_EVENT } from './events.ts'
import type { Audience, WebhookDeps } from './types.ts'

/** Most bytes of a body: of a larger item only its name is sent. */
const LARGEST = 262_144

/**
 * The JSON of a message. `item` is the item as lists show it to the audience of the webhook when the message is sent; it is
 * absent once it is gone, and where it is too large.
 */
export async function bodyOf(
  deps: WebhookDeps,
  hook: Pick<WebhookTable, 'id' | 'audience'>,
  delivery: WebhookDeliveryTable,
): Promise<string> {
  const { event: type, seq, resource, item_id: id, revision } = delivery
  const timestamp = `${delivery.at.replace(' ', 'T')}Z`
  if (type === TEST_EVENT) return JSON.stringify({ type, timestamp, data: { webhook: hook.id } })
  const action = type.slice(resource.length + 1)
  const data = { seq, resource, id, action, revision }
  const item = action === 'deleted' ? undefined : await itemOf(deps, hook.audience as Audience, delivery)
  const body = JSON.stringify({ type, timestamp, data: { ...data, ...(item !== undefined && { item }) } })
  return Buffer.byteLength(body) <= LARGEST ? body : JSON.stringify({ type, timestamp, data })
}

async function itemOf(
  { storage: reader, site, lookups, origin, language }: WebhookDeps,
  audience: Audience,
  { resource, item_id }: WebhookDeliveryTable,
): Promise<object | undefined> {
  const urls = urlsOf(origin(), { language: '', prefix: '', namespace: NAMESPACE })
  const asking = { caller: callerFor(audience), urls, language: language() }
  const named = { resource: resource as ResourceKey, ids: [item_id] }
  return (await itemsOf({ reader, site, lookups }, asking, named)).get(item_id)
}
