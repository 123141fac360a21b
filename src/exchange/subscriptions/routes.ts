import { translateKnown } from '../../base/i18n/translate.ts'
import { respondToJoinedWrite } from '../../calendar/shared/respond-to-write.ts'
import { type Caller, type CallerRole, isAtLeast } from '../../http/auth/rights.ts'
import { type AnyRoute, type Call, type Reply, type Route, route, UPDATE_METHODS } from '../../http/route.ts'
import { calendarUrl } from '../../model/kinds/address.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choice, exactChoice } from '../../model/kinds/choice.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { termRefs } from '../../model/kinds/list.ts'
import { line } from '../../model/kinds/text.ts'
import { zone } from '../../model/kinds/zone.ts'
import { checkVersion, type ManageDeps, present, requireById, versionOf } from './manage.ts'
import { SUBSCRIPTION, SUBSCRIPTIONS, VISITS } from './schema.ts'
import type { ManagedSubscriptions, Subscription, SubscriptionInput, SyncReport } from './types.ts'

const GROUP = { name: 'subscriptions', about: 'api.subscriptions.subscriptionsCalendarsOtherSites' } as const
const PATH = '/subscriptions'
const STATUSES = ['publish', 'pending', 'draft', 'private'] as const

const CHANGE_FIELDS = [
  field('name', line, 'api.subscriptions.nameCalendarSubscription', { example: 'Rowing club' }),
  field('every', positive, 'api.subscriptions.secondsBetweenSyncs300', { example: 3600 }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'api.subscriptions.statusNewEvents', { example: 'pending' }),
  field('categories', termRefs, 'api.subscriptions.namesCategoriesAddEvery', {
    cleared: [],
    example: ['Water sports'],
  }),
  field('timezone', zone, 'api.subscriptions.timeZoneTimesWithout', { cleared: '' }),
  field('paused', boolean, 'api.subscriptions.whetherSyncingPaused'),
] as const

const URL_FIELD = field('url', calendarUrl, 'api.subscriptions.sentUrl', {
  required: true,
  example: 'https://rowers.example/diary.ics',
})
const OTHER_URL = field('url', calendarUrl, 'api.subscriptions.sentUrl')
const CREATE_FIELDS = [URL_FIELD, ...CHANGE_FIELDS] as const
const UPDATE_FIELDS = [OTHER_URL, ...CHANGE_FIELDS] as const
const REMOVE_FIELDS = [
  field('events', choice(['keep', 'trash']), 'api.subscriptions.whatDoEventsTrash', {
    example: 'keep',
  }),
] as const
const ID_FIELD = field('id', positive, 'api.subscriptions.idCalendarSubscription', { required: true })

/** The routes of subscriptions, for administrators. `subscriptions` writes to the storage of the parts, which is `joinable`. */
export function subscriptionRoutes(deps: ManageDeps, subscriptions: ManagedSubscriptions): AnyRoute[] {
  return [listRoute(subscriptions), createRoute(deps, subscriptions), ...itemRoutes(deps, subscriptions)]
}

function mayFollow(role: CallerRole): boolean {
  return isAtLeast(role, 'administrator')
}

const COMMON = {
  group: GROUP,
  fillsDefaults: false,
  open: mayFollow,
  permit: ({ caller }: { readonly caller: Caller }) => mayFollow(caller.role) || 'rest_forbidden',
} as const

function listRoute(subscriptions: ManagedSubscriptions): AnyRoute {
  return route({
    ...COMMON,
    method: 'GET',
    scope: 'read',
    path: PATH,
    operation: 'listSubscriptions',
    summary: 'api.subscriptions.listCalendarSubscriptions',
    description: 'api.subscriptions.listsAllCalendarSubscriptions',
    pathFields: [],
    fields: [],
    hasBody: false,
    response: { status: 200, schema: SUBSCRIPTIONS },
    errors: [],
    handle: async ({ language }) => {
      const all = await subscriptions.list()
      return { status: 200, body: { sources: all.map((one) => inLanguage(language, one)) } }
    },
  })
}

function createRoute({ storage }: ManageDeps, subscriptions: ManagedSubscriptions): AnyRoute {
  return route<typeof CREATE_FIELDS>({
    ...COMMON,
    method: 'POST',
    path: PATH,
    operation: 'createSubscription',
    summary: 'admin.subscriptions.subscribeTo',
    description: 'api.subscriptions.addsCalendarSubscriptionCalendar',
    pathFields: [],
    fields: CREATE_FIELDS,
    fillsDefaults: true,
    hasBody: true,
    response: { status: 201, schema: SUBSCRIPTION },
    errors: ['bad_subscription'],
    handle: (call) =>
      respondToJoinedWrite(storage, call, {
        write: () => subscriptions.add(inputOf(call.values)),
        respond: (subscription) => {
          const reply = replyOf(call, subscription)
          const headers = { Location: call.urls.api(`${PATH}/${subscription.id}`) }
          return { ...reply, status: 201, read: reply.body, headers }
        },
      }),
  })
}

function inputOf({ categories, ...values }: ValuesOf<typeof UPDATE_FIELDS>): SubscriptionInput {
  return { ...values, ...(categories !== undefined && { categories }) }
}

function itemRoutes(deps: ManageDeps, subscriptions: ManagedSubscriptions): AnyRoute[] {
  const item = {
    ...COMMON,
    path: `${PATH}/:id`,
    pathFields: [ID_FIELD],
    response: { status: 200, schema: SUBSCRIPTION },
    target: async (call: Call<unknown>) => ({ item: await requireById(deps.storage, Number(call.path['id'])) }),
  } as const
  const plain = { ...item, fields: [], hasBody: false, errors: ['subscription-not-found'] } as const
  const read = route<readonly [], Row>({
    ...plain,
    method: 'GET',
    scope: 'read',
    operation: 'getSubscription',
    summary: 'api.subscriptions.getCalendarSubscription',
    description: 'api.subscriptions.returnsCalendarSubscriptionResults',
    handle: async (call, row) => replyOf(call, await present(deps, row)),
  })
  const remove = route<typeof REMOVE_FIELDS, Row>({
    ...item,
    method: 'DELETE',
    operation: 'deleteSubscription',
    summary: 'api.subscriptions.unsubscribeCalendar',
    description: 'api.subscriptions.deletesCalendarSubscriptionReturns',
    fields: REMOVE_FIELDS,
    hasBody: false,
    errors: ['subscription-not-found'],
    handle: async (call, { id }) => {
      const { events } = call.values
      const write = () => subscriptions.remove(id, { events, actor: call.caller.id, check: call.preconditions?.check })
      const respond = (subscription: Subscription): Reply => ({
        status: 200,
        body: inLanguage(call.language, subscription),
      })
      // Events go to the trash in transactions of their own, so that nobody waits for all of them.
      return events === 'trash' ? respond(await write()) : respondToJoinedWrite(deps.storage, call, { write, respond })
    },
  })
  const changes = UPDATE_METHODS.map((method) => changeRoute({ ...item, method }, { deps, subscriptions }))
  return [read, ...changes, remove, ...visitRoutes(plain, subscriptions)]
}

function visitRoutes(plain: PlainItem, subscriptions: ManagedSubscriptions): AnyRoute[] {
  const sync = route<readonly [], Row>({
    ...plain,
    method: 'POST',
    path: `${PATH}/:id/sync`,
    operation: 'syncSubscription',
    summary: 'api.subscriptions.syncCalendarSubscriptionNow',
    description: 'api.subscriptions.syncsSubscribedCalendarUnless',
    handle: async (call, row) => {
      checkVersion(row, call.preconditions?.check)
      const reply = replyOf(call, await subscriptions.sync(row.id))
      return { ...reply, read: reply.body }
    },
  })
  const visits = route<readonly [], Row>({
    ...plain,
    method: 'GET',
    scope: 'read',
    path: `${PATH}/:id/visits`,
    operation: 'listSubscriptionVisits',
    summary: 'api.subscriptions.listLastSyncsCalendar',
    description: 'api.subscriptions.listsResultsLastSyncs',
    response: { status: 200, schema: VISITS },
    handle: async ({ language }, { id }) => {
      const visits = await subscriptions.syncs(id)
      const said = visits.map((visit) => ({ ...visit, problem: translateKnown(language, visit.problem) }))
      return { status: 200, body: { visits: said } }
    },
  })
  return [sync, visits]
}

/** A subscription with its version, in the language of the caller. */
function replyOf({ language }: Call<unknown>, subscription: Subscription): Reply {
  return { status: 200, body: inLanguage(language, subscription), version: versionOf(subscription) }
}

/** A subscription with its problems in a language. */
function inLanguage(language: string, subscription: Subscription): Subscription {
  const said = (lines: SyncReport['skipped']): SyncReport['skipped'] =>
    lines.map(({ what, why }) => ({ what, why: translateKnown(language, why) }))
  const { report, problem } = subscription
  const told = report === null ? null : { ...report, skipped: said(report.skipped), notes: said(report.notes) }
  return { ...subscription, problem: translateKnown(language, problem), report: told }
}

function changeRoute(
  item: Pick<Route<typeof UPDATE_FIELDS, Row, undefined>, ItemStage> & {
    readonly method: (typeof UPDATE_METHODS)[number]
  },
  { deps, subscriptions }: { readonly deps: ManageDeps; readonly subscriptions: ManagedSubscriptions },
): AnyRoute {
  return route<typeof UPDATE_FIELDS, Row>({
    ...item,
    operation: `updateSubscriptionWith${item.method}`,
    summary: 'api.subscriptions.updateCalendarSubscription',
    description: 'api.subscriptions.updatesFieldsSentCalendar',
    fields: UPDATE_FIELDS,
    hasBody: true,
    errors: ['subscription-not-found', 'bad_subscription'],
    handle: (call, { id }) =>
      respondToJoinedWrite(deps.storage, call, {
        write: () => subscriptions.change(id, inputOf(call.values), call.preconditions?.check),
        respond: (subscription) => {
          const reply = replyOf(call, subscription)
          return { ...reply, read: reply.body }
        },
      }),
  })
}

/** What the routes of one subscription have in common. */
type ItemStage = 'path' | 'pathFields' | 'response' | 'target' | 'group' | 'fillsDefaults' | 'open' | 'permit'

/** What the routes that take nothing besides have in common. */
type PlainItem = Pick<Route<readonly [], Row, undefined>, ItemStage | 'fields' | 'hasBody' | 'errors'>

type Row = Awaited<ReturnType<typeof requireById>>
