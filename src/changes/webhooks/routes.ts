import type { Logger } from '../../base/log.ts'
import { respondToJoinedWrite } from '../../calendar/shared/respond-to-write.ts'
import { type Caller, type CallerRole, isAtLeast } from '../../http/auth/rights.ts'
import { type AnyRoute, type Call, type Reply, route, UPDATE_METHODS } from '../../http/route.ts'
import { website } from '../../model/kinds/address.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choices, exactChoice } from '../../model/kinds/choice.ts'
import { field } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { line } from '../../model/kinds/text.ts'
import type { Reader, Storage } from '../../storage/engine.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { aboutWebhook } from './audit.ts'
import { WEBHOOK_EVENTS } from './events.ts'
import { deliveryOrFail, deliveryVersion, presentDelivery } from './log.ts'
import { presentWebhook, webhookOrFail, webhookVersion } from './manage.ts'
import { WEBHOOK, WEBHOOK_DELIVERIES, WEBHOOK_DELIVERY, WEBHOOK_WITH_SECRET, WEBHOOKS } from './schema.ts'
import { AUDIENCES, DELIVERY_STATES, type ManagedWebhooks, type Webhook } from './types.ts'

const GROUP = { name: 'webhooks', about: 'api.webhooks.about' } as const
const PATH = '/webhooks'
const DELIVERY_PATH = '/webhook-deliveries/:id'

const COMMON = {
  group: GROUP,
  fillsDefaults: false,
  open: (role: CallerRole) => isAtLeast(role, 'administrator'),
  permit: ({ caller }: { readonly caller: Caller }) => isAtLeast(caller.role, 'administrator') || 'rest_forbidden',
} as const

const EVENTS = choices(WEBHOOK_EVENTS, 'bad_choice')
const EXAMPLE = ['event.created', 'event.updated']

const FURTHER_FIELDS = [
  field('description', line, 'api.webhooks.purposeWebhook', { cleared: '', example: 'Search index of the city' }),
  field('audience', exactChoice(AUDIENCES, 'bad_choice'), 'api.webhooks.whatWebhookSeePublic'),
  field('active', boolean, 'api.webhooks.whetherDeliveriesSent'),
] as const

const CREATE_FIELDS = [
  field('url', website, 'api.webhooks.urlDeliveriesSent', {
    required: true,
    example: 'https://receiver.example/calendar',
  }),
  field('events', EVENTS, 'admin.webhooks.changesToSend', { required: true, example: EXAMPLE }),
  ...FURTHER_FIELDS,
] as const

const UPDATE_FIELDS = [
  field('url', website, 'api.webhooks.urlDeliveriesSent', { example: 'https://receiver.example/calendar' }),
  field('events', EVENTS, 'admin.webhooks.changesToSend', { example: EXAMPLE }),
  ...FURTHER_FIELDS,
] as const

const LOG_FIELDS = [
  field('state', exactChoice(DELIVERY_STATES, 'bad_choice'), 'api.webhooks.onlyDeliveriesState'),
  field('before', positive, 'api.webhooks.onlyDeliveriesLowerId'),
  field('limit', positive, 'api.webhooks.maximumNumberDeliveriesReturn', { default: 50 }),
] as const

/** Most deliveries of a page. */
const PAGE = 100

const ITEM = {
  path: `${PATH}/:id`,
  pathFields: [field('id', positive, 'api.webhooks.idWebhook', { required: true })],
} as const

/** The routes of webhooks, for administrators. */
export function webhookRoutes(deps: ChangeDeps): AnyRoute[] {
  const { storage, webhooks } = deps
  const target = async (call: Call<unknown>) => ({ item: await webhookOrFail(storage, Number(call.path['id'])) })
  const item = { ...ITEM, target } as const
  return [
    listRoute(webhooks),
    createRoute(deps),
    ...itemRoutes(item, webhooks),
    ...removalRoutes(item, deps),
    ...changeRoutes(item, deps),
    logRoute(item, webhooks),
    ...deliveryRoutes(storage, webhooks),
  ]
}

/** What the routes that change webhooks need. */
interface ChangeDeps {
  readonly storage: Storage
  /** Writes to this storage, which is `joinable`. */
  readonly webhooks: ManagedWebhooks
  readonly log: Pick<Logger, 'info'>
}

/** A reply to a change that was made, which the log is notified of. */
async function audited(
  { log }: ChangeDeps,
  { change, caller }: { readonly change: string; readonly caller: Caller },
  replying: Promise<Reply>,
): Promise<Reply> {
  const reply = await replying
  log.info({ change, ...aboutWebhook(reply.body as Webhook), by: caller.name }, 'audit')
  return reply
}

type Item = typeof ITEM & { target(call: Call<unknown>): Promise<{ item: WebhookTable }> }

function listRoute(webhooks: ManagedWebhooks): AnyRoute {
  return route({
    ...COMMON,
    method: 'GET',
    scope: 'read',
    path: PATH,
    operation: 'listWebhooks',
    summary: 'api.webhooks.listWebhooks',
    description: 'api.webhooks.listsAllWebhooksWithout',
    pathFields: [],
    fields: [],
    hasBody: false,
    response: { status: 200, schema: WEBHOOKS },
    errors: [],
    handle: async () => ({ status: 200, body: { webhooks: await webhooks.list() } }),
  })
}

function createRoute(deps: ChangeDeps): AnyRoute {
  return route<typeof CREATE_FIELDS>({
    ...COMMON,
    method: 'POST',
    path: PATH,
    operation: 'createWebhook',
    summary: 'admin.webhooks.add',
    description: 'api.webhooks.addsWebhookNotifiedChanges',
    pathFields: [],
    fields: CREATE_FIELDS,
    fillsDefaults: true,
    hasBody: true,
    response: { status: 201, schema: WEBHOOK_WITH_SECRET },
    errors: ['bad_webhook'],
    handle: (call) =>
      audited(
        deps,
        { change: 'webhook added', caller: call.caller },
        respondToJoinedWrite(deps.storage, call, {
          write: () => deps.webhooks.add(call.values),
          respond: ({ secret, ...read }) => ({
            ...{ status: 201, body: { ...read, secret }, read, version: webhookVersion(read) },
            headers: { Location: call.urls.api(`${PATH}/${read.id}`) },
          }),
        }),
      ),
  })
}

function itemRoutes(item: Item, webhooks: ManagedWebhooks): AnyRoute[] {
  const plain = plainOf(item)
  const read = route<readonly [], WebhookTable>({
    ...plain,
    method: 'GET',
    scope: 'read',
    operation: 'getWebhook',
    summary: 'api.webhooks.getAWebhook',
    description: 'api.webhooks.returnsWebhookWithoutSecret',
    response: { status: 200, schema: WEBHOOK },
    handle: async (_call, row): Promise<Reply> => {
      const body = presentWebhook(row)
      return { status: 200, body, version: webhookVersion(body) }
    },
  })
  const test = route<readonly [], WebhookTable>({
    ...plain,
    method: 'POST',
    path: `${PATH}/:id/test`,
    operation: 'testWebhook',
    summary: 'api.webhooks.sendTestDelivery',
    description: 'api.webhooks.sendsSingleWebhookTest',
    response: { status: 200, schema: WEBHOOK_DELIVERY },
    handle: async ({ preconditions }, row) => {
      preconditions?.check(webhookVersion(presentWebhook(row)))
      return { status: 200, body: await webhooks.test(row.id) }
    },
  })
  return [read, test]
}

function plainOf(item: Item) {
  return { ...COMMON, ...item, fields: [], hasBody: false, errors: ['webhook-not-found'] } as const
}

function removalRoutes(item: Item, deps: ChangeDeps): AnyRoute[] {
  const plain = plainOf(item)
  const remove = route<readonly [], WebhookTable>({
    ...plain,
    method: 'DELETE',
    operation: 'deleteWebhook',
    summary: 'api.webhooks.deleteAWebhook',
    description: 'api.webhooks.deletesWebhookLogAll',
    response: { status: 200, schema: WEBHOOK },
    handle: (call, { id }) =>
      audited(
        deps,
        { change: 'webhook removed', caller: call.caller },
        respondToJoinedWrite(deps.storage, call, {
          write: () => deps.webhooks.remove(id, { actor: call.caller.id, check: call.preconditions?.check }),
          respond: (body) => ({ status: 200, body }),
        }),
      ),
  })
  const rotate = route<readonly [], WebhookTable>({
    ...plain,
    method: 'POST',
    path: `${PATH}/:id/secret`,
    operation: 'rotateWebhookSecret',
    summary: 'api.webhooks.rotateSecretWebhook',
    description: 'api.webhooks.createsReturnsNewSecret',
    response: { status: 200, schema: WEBHOOK_WITH_SECRET },
    handle: (call, { id }) =>
      audited(
        deps,
        { change: 'secret of webhook replaced', caller: call.caller },
        respondToJoinedWrite(deps.storage, call, {
          write: () => deps.webhooks.rotate(id, call.preconditions?.check),
          respond: (body) => ({ status: 200, body }),
        }),
      ),
  })
  return [remove, rotate]
}

function changeRoutes(item: Item, deps: ChangeDeps): AnyRoute[] {
  return UPDATE_METHODS.map((method) =>
    route<typeof UPDATE_FIELDS, WebhookTable>({
      ...COMMON,
      ...item,
      method,
      operation: `updateWebhookWith${method}`,
      summary: 'api.webhooks.updateAWebhook',
      description: 'api.webhooks.updatesFieldsSentWebhook',
      fields: UPDATE_FIELDS,
      hasBody: true,
      response: { status: 200, schema: WEBHOOK },
      errors: ['webhook-not-found', 'bad_webhook'],
      handle: (call, { id }) =>
        audited(
          deps,
          { change: 'webhook changed', caller: call.caller },
          respondToJoinedWrite(deps.storage, call, {
            write: () => deps.webhooks.change(id, call.values, call.preconditions?.check),
            respond: (body) => ({ status: 200, body, read: body, version: webhookVersion(body) }),
          }),
        ),
    }),
  )
}

function logRoute(item: Item, webhooks: ManagedWebhooks): AnyRoute {
  return route<typeof LOG_FIELDS, WebhookTable>({
    ...COMMON,
    ...item,
    method: 'GET',
    scope: 'read',
    path: `${PATH}/:id/deliveries`,
    operation: 'listWebhookDeliveries',
    summary: 'api.webhooks.listDeliveriesWebhook',
    description: 'api.webhooks.listsDeliveriesLast30',
    fields: LOG_FIELDS,
    fillsDefaults: true,
    hasBody: false,
    response: { status: 200, schema: WEBHOOK_DELIVERIES },
    errors: ['webhook-not-found'],
    handle: async ({ values: { state, before, limit = PAGE } }, { id }) => {
      const query = { state, before, limit: Math.min(limit, PAGE) }
      return { status: 200, body: { deliveries: await webhooks.log(id, query) } }
    },
  })
}

function deliveryRoutes(reader: Reader, webhooks: ManagedWebhooks): AnyRoute[] {
  const ofDelivery = {
    ...COMMON,
    path: DELIVERY_PATH,
    pathFields: [field('id', positive, 'api.webhooks.idDelivery', { required: true })],
    fields: [],
    hasBody: false,
    response: { status: 200, schema: WEBHOOK_DELIVERY },
    target: async (call: Call<unknown>) => ({ item: await deliveryOrFail(reader, Number(call.path['id'])) }),
  } as const
  const read = route<readonly [], WebhookDeliveryTable>({
    ...ofDelivery,
    method: 'GET',
    scope: 'read',
    operation: 'getWebhookDelivery',
    summary: 'api.webhooks.getADelivery',
    description: 'api.webhooks.returnsOneDeliveryLog',
    errors: ['webhook-delivery-not-found'],
    handle: async (_call, row) => ({ status: 200, body: presentDelivery(row), version: deliveryVersion(row) }),
  })
  const replay = route<readonly [], WebhookDeliveryTable>({
    ...ofDelivery,
    method: 'POST',
    path: `${DELIVERY_PATH}/replay`,
    operation: 'replayWebhookDelivery',
    summary: 'api.webhooks.resendADelivery',
    description: 'api.webhooks.resendsDeliverySoonSame',
    errors: ['webhook-delivery-not-found', 'bad_webhook'],
    handle: async (call, { id }) => ({ status: 200, body: await webhooks.replay(id, call.preconditions?.check) }),
  })
  return [read, replay]
}
