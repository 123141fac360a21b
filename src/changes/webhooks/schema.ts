import { address, flag, id, integer, list, moment, named, object, ref, text, word } from '../../http/openapi/parts.ts'
import { TEST_EVENT, WEBHOOK_EVENTS } from './events.ts'
import { AUDIENCES, DELIVERY_STATES } from './types.ts'

const AT = '2027-04-17 09:30:00'

const nullable = (schema: object, type: string) => ({ ...schema, type: [type, 'null'] })

const MEMBERS = {
  id: id('api.webhooks.idWebhook', 1),
  url: address('api.webhooks.urlDeliveriesSent', 'https://receiver.example/calendar'),
  description: text('api.webhooks.purposeWebhook', 'Search index of the city'),
  events: list('admin.webhooks.changesToSend', word('api.webhooks.typeItemWhatHappened', WEBHOOK_EVENTS)),
  audience: word('api.webhooks.whatWebhookSeePublic', AUDIENCES),
  active: flag('api.webhooks.whetherDeliveriesSent'),
  failures: integer('api.webhooks.numberConsecutiveFailedAttempts'),
  problem: text('api.webhooks.whyLastAttemptFailed', 'the receiver answered 503'),
  last_success: nullable(moment('api.webhooks.timeLastSuccessfulDelivery', AT), 'string'),
  created_at: moment('api.webhooks.timeWhenWebhookAdded', AT),
  modified_at: moment('api.timeLastChangeUtc', AT),
}

/** A webhook as responses show it. */
export const WEBHOOK = named('Webhook', object('api.webhooks.httpEndpointNotifiedChanges', MEMBERS))

/** A webhook together with its secret. */
export const WEBHOOK_WITH_SECRET = named(
  'WebhookWithSecret',
  object('api.webhooks.webhookSigningSecretReturned', {
    ...MEMBERS,
    secret: text('api.webhooks.signingKeyFormatStandard', `whsec_${'A'.repeat(43)}=`),
  }),
)

/** The webhooks. */
export const WEBHOOKS = named(
  'Webhooks',
  object('api.webhooks.allWebhooks', { webhooks: list('api.sortedById', ref('Webhook')) }),
  [WEBHOOK],
)

/** A message as responses show it. */
export const WEBHOOK_DELIVERY = named(
  'WebhookDelivery',
  object('api.webhooks.webhookDeliveryAllTimes', {
    id: id('api.webhooks.idDelivery', 1),
    webhook: id('api.webhooks.idWebhook', 1),
    message: text('api.webhooks.idMessageSentWebhook', 'msg_4yVbJ0nXQmBrZ1c2d3e4f5g6'),
    event: word('api.webhooks.typeChangeReports', [...WEBHOOK_EVENTS, TEST_EVENT]),
    seq: integer('api.webhooks.sequenceNumberChange0', 42),
    item_id: integer('api.webhooks.idItem0Test', 10),
    state: word('api.webhooks.statusDelivery', DELIVERY_STATES),
    attempts: integer('api.webhooks.numberAttemptsSend', 1),
    queued_at: moment('api.webhooks.timeWhenQueued', AT),
    next_attempt: nullable(moment('api.webhooks.timeNextAttemptNull', AT), 'string'),
    last_attempt: nullable(moment('api.webhooks.timeLastAttempt', AT), 'string'),
    status: nullable(integer('api.webhooks.lastHttpStatusCode', 204, { minimum: 100, maximum: 999 }), 'integer'),
    problem: text('api.webhooks.whyLastAttemptFailed', 'too late'),
  }),
)

/** Part of the log of a webhook. */
export const WEBHOOK_DELIVERIES = named(
  'WebhookDeliveries',
  object('api.webhooks.deliveriesWebhook', { deliveries: list('api.newestFirst', ref('WebhookDelivery')) }),
  [WEBHOOK_DELIVERY],
)
