import { address, flag, id, integer, list, moment, named, object, ref, text, word } from '../../http/openapi/parts.ts'
import { TEST_EVENT, WEBHOOK_EVENTS } from './events.ts'
import { AUDIENCES, DELIVERY_STATES } from './types.ts'

const AT = '2027-04-17 09:30:00'

const nullable = (schema: object, type: string) => ({ ...schema, type: [type, 'null'] })

const MEMBERS = {
  id: id('Identifier of the webhook', 1),
  url: address('Address that messages are sent to', 'https://receiver.example/calendar'),
  description: text('What the webhook is for', 'Search index of the city'),
  events: list('What the webhook is told', word('Kind of item, and what happened to it', WEBHOOK_EVENTS)),
  audience: word('Whose view of the calendar it is told: what is public, or drafts as well', AUDIENCES),
  active: flag('Whether messages are sent'),
  failures: integer('Attempts in a row that failed'),
  problem: text('Why the last attempt failed; empty when it did not', 'the receiver answered 503'),
  last_success: nullable(moment('When it last took a message, in UTC', AT), 'string'),
  created_at: moment('When the webhook was added, in UTC', AT),
  modified_at: moment('When it was last changed, in UTC', AT),
}

/** A webhook as responses show it. */
export const WEBHOOK = named('Webhook', object('A program elsewhere that is told of changes', MEMBERS))

/** A webhook together with its secret. */
export const WEBHOOK_WITH_SECRET = named(
  'WebhookWithSecret',
  object('A webhook with the secret that signs its messages, which is shown only now', {
    ...MEMBERS,
    secret: text('Key of the signatures, as libraries for Standard Webhooks take it', `whsec_${'A'.repeat(43)}=`),
  }),
)

/** The webhooks. */
export const WEBHOOKS = named('Webhooks', object('All webhooks', { webhooks: list('By identifier', ref('Webhook')) }), [
  WEBHOOK,
])

/** A message as responses show it. */
export const WEBHOOK_DELIVERY = named(
  'WebhookDelivery',
  object('A message to a webhook; moments are in UTC', {
    id: id('Identifier of the delivery', 1),
    webhook: id('Identifier of the webhook', 1),
    message: text('Identifier of the message: its header webhook-id', 'msg_4yVbJ0nXQmBrZ1c2d3e4f5g6'),
    event: word('What it tells', [...WEBHOOK_EVENTS, TEST_EVENT]),
    seq: integer('Number of the change; 0 for a test', 42),
    item_id: integer('Identifier of the item; 0 for a test', 10),
    state: word('What became of it so far', DELIVERY_STATES),
    attempts: integer('How often it was sent', 1),
    queued_at: moment('When it began to wait', AT),
    next_attempt: nullable(
      moment('When it is sent next; null when it waits for an earlier one, or has ended', AT),
      'string',
    ),
    last_attempt: nullable(moment('When it was sent last', AT), 'string'),
    status: nullable(integer('What the receiver answered last', 204, { minimum: 100, maximum: 999 }), 'integer'),
    problem: text('Why the last attempt failed; empty when it did not', 'too late'),
  }),
)

/** Part of the log of a webhook. */
export const WEBHOOK_DELIVERIES = named(
  'WebhookDeliveries',
  object('Messages of a webhook', { deliveries: list('Newest first', ref('WebhookDelivery')) }),
  [WEBHOOK_DELIVERY],
)
