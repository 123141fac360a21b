import { ANONYMOUS, type Caller } from '../../http/auth/rights.ts'
import { FOLLOWED } from '../feed/index.ts'
import type { Audience } from './types.ts'

/** Event types of webhooks: `event.created`, `event.updated`, `event.deleted` and so on for each kind of item. */
export const WEBHOOK_EVENTS: readonly string[] = FOLLOWED.flatMap((resource) =>
  ['created', 'updated', 'deleted'].map((action) => `${resource}.${action}`),
)

/** Name of the message that only a test sends. */
export const TEST_EVENT = 'webhook.test'

/** Nobody who signs in: the view of administrators belongs to the webhook, whoever made it. */
const ADMINISTRATOR: Caller = { id: -1, role: 'administrator', name: '' }

/** As whom a webhook sees the calendar. */
export function callerFor(audience: Audience): Caller {
  return audience === 'public' ? ANONYMOUS : ADMINISTRATOR
}
