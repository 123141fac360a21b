import { translateKnown } from '../../base/i18n/translate.ts'
import { respondToJoinedWrite } from '../../calendar/shared/respond-to-write.ts'
import { type Caller, type CallerRole, isAtLeast } from '../../http/auth/rights.ts'
import { type AnyRoute, type Call, type Reply, type Route, route, UPDATE_METHODS } from '../../http/route.ts'
import { website } from '../../model/kinds/address.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choice, exactChoice } from '../../model/kinds/choice.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { termRefs } from '../../model/kinds/list.ts'
import { line } from '../../model/kinds/text.ts'
import { zone } from '../../model/kinds/zone.ts'
import { checkSource, type ManageDeps, presentSource, sourceOrFail, sourceVersion } from './manage.ts'
import { SOURCE, SOURCES, VISITS } from './schema.ts'
import type { ManagedSources, Source, SourceInput, SyncReport } from './types.ts'

const GROUP = { name: 'sources', about: 'api.subscriptions.subscriptionsCalendarsOtherSites' } as const
const PATH = '/sources'
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

const URL_FIELD = field('url', website, 'api.subscriptions.sentUrl', {
  required: true,
  example: 'https://rowers.example/diary.ics',
})
const OTHER_URL = field('url', website, 'api.subscriptions.sentUrl')
const CREATE_FIELDS = [URL_FIELD, ...CHANGE_FIELDS] as const
const UPDATE_FIELDS = [OTHER_URL, ...CHANGE_FIELDS] as const
const REMOVE_FIELDS = [
  field('events', choice(['keep', 'trash']), 'api.subscriptions.whatDoEventsTrash', {
    example: 'keep',
  }),
] as const
const ID_FIELD = field('id', positive, 'api.subscriptions.idCalendarSubscription', { required: true })

/** The routes of sources, for administrators. `sources` writes to the storage of the parts, which is `joinable`. */
export function sourceRoutes(deps: ManageDeps, sources: ManagedSources): AnyRoute[] {
  return [listRoute(sources), createRoute(deps, sources), ...itemRoutes(deps, sources)]
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

function listRoute(sources: ManagedSources): AnyRoute {
  return route({
    ...COMMON,
    method: 'GET',
    path: PATH,
    operation: 'listSources',
    summary: 'api.subscriptions.listCalendarSubscriptions',
    description: 'api.subscriptions.listsAllCalendarSubscriptions',
    pathFields: [],
    fields: [],
    hasBody: false,
    response: { status: 200, schema: SOURCES },
    errors: [],
    handle: async ({ language }) => {
      const all = await sources.list()
      return { status: 200, body: { sources: all.map((one) => inLanguage(language, one)) } }
    },
  })
}

function createRoute({ storage }: ManageDeps, sources: ManagedSources): AnyRoute {
  return route<typeof CREATE_FIELDS>({
    ...COMMON,
    method: 'POST',
    path: PATH,
    operation: 'createSource',
    summary: 'admin.subscriptions.subscribeTo',
    description: 'api.subscriptions.addsCalendarSubscriptionCalendar',
    pathFields: [],
    fields: CREATE_FIELDS,
    fillsDefaults: true,
    hasBody: true,
    response: { status: 201, schema: SOURCE },
    errors: ['bad_source'],
    handle: (call) =>
      respondToJoinedWrite(storage, call, {
        write: () => sources.add(inputOf(call.values)),
        respond: (source) => {
          const reply = replyOf(call, source)
          const headers = { Location: call.urls.api(`${PATH}/${source.id}`) }
          return { ...reply, status: 201, read: reply.body, headers }
        },
      }),
  })
}

function inputOf({ categories, ...values }: ValuesOf<typeof UPDATE_FIELDS>): SourceInput {
  return { ...values, ...(categories !== undefined && { categories }) }
}

function itemRoutes(deps: ManageDeps, sources: ManagedSources): AnyRoute[] {
  const item = {
    ...COMMON,
    path: `${PATH}/:id`,
    pathFields: [ID_FIELD],
    response: { status: 200, schema: SOURCE },
    target: async (call: Call<unknown>) => ({ item: await sourceOrFail(deps.storage, Number(call.path['id'])) }),
  } as const
  const plain = { ...item, fields: [], hasBody: false, errors: ['source-not-found'] } as const
  const read = route<readonly [], Row>({
    ...plain,
    method: 'GET',
    operation: 'getSource',
    summary: 'api.subscriptions.getCalendarSubscription',
    description: 'api.subscriptions.returnsCalendarSubscriptionResults',
    handle: async (call, row) => replyOf(call, await presentSource(deps, row)),
  })
  const remove = route<typeof REMOVE_FIELDS, Row>({
    ...item,
    method: 'DELETE',
    operation: 'deleteSource',
    summary: 'api.subscriptions.unsubscribeCalendar',
    description: 'api.subscriptions.deletesCalendarSubscriptionReturns',
    fields: REMOVE_FIELDS,
    hasBody: false,
    errors: ['source-not-found'],
    handle: async (call, { id }) => {
      const { events } = call.values
      const write = () => sources.remove(id, { events, actor: call.caller.id, check: call.preconditions?.check })
      const respond = (source: Source): Reply => ({ status: 200, body: inLanguage(call.language, source) })
      // Events go to the trash in transactions of their own, so that nobody waits for all of them.
      return events === 'trash' ? respond(await write()) : respondToJoinedWrite(deps.storage, call, { write, respond })
    },
  })
  const changes = UPDATE_METHODS.map((method) => changeRoute({ ...item, method }, { deps, sources }))
  return [read, ...changes, remove, ...visitRoutes(plain, sources)]
}

function visitRoutes(plain: PlainItem, sources: ManagedSources): AnyRoute[] {
  const sync = route<readonly [], Row>({
    ...plain,
    method: 'POST',
    path: `${PATH}/:id/sync`,
    operation: 'syncSource',
    summary: 'api.subscriptions.syncCalendarSubscriptionNow',
    description: 'api.subscriptions.syncsSubscribedCalendarUnless',
    handle: async (call, row) => {
      checkSource(row, call.preconditions?.check)
      const reply = replyOf(call, await sources.sync(row.id))
      return { ...reply, read: reply.body }
    },
  })
  const visits = route<readonly [], Row>({
    ...plain,
    method: 'GET',
    path: `${PATH}/:id/visits`,
    operation: 'listSourceVisits',
    summary: 'api.subscriptions.listLastSyncsCalendar',
    description: 'api.subscriptions.listsResultsLastSyncs',
    response: { status: 200, schema: VISITS },
    handle: async ({ language }, { id }) => {
      const visits = await sources.visits(id)
      const said = visits.map((visit) => ({ ...visit, problem: translateKnown(language, visit.problem) }))
      return { status: 200, body: { visits: said } }
    },
  })
  return [sync, visits]
}

/** A source with its version, in the language of the caller. */
function replyOf({ language }: Call<unknown>, source: Source): Reply {
  return { status: 200, body: inLanguage(language, source), version: sourceVersion(source) }
}

/** A source with its problems in a language. */
function inLanguage(language: string, source: Source): Source {
  const said = (lines: SyncReport['skipped']): SyncReport['skipped'] =>
    lines.map(({ what, why }) => ({ what, why: translateKnown(language, why) }))
  const { report, problem } = source
  const told = report === null ? null : { ...report, skipped: said(report.skipped), notes: said(report.notes) }
  return { ...source, problem: translateKnown(language, problem), report: told }
}

function changeRoute(
  item: Pick<Route<typeof UPDATE_FIELDS, Row, undefined>, ItemStage> & {
    readonly method: (typeof UPDATE_METHODS)[number]
  },
  { deps, sources }: { readonly deps: ManageDeps; readonly sources: ManagedSources },
): AnyRoute {
  return route<typeof UPDATE_FIELDS, Row>({
    ...item,
    operation: `updateSourceWith${item.method}`,
    summary: 'api.subscriptions.updateCalendarSubscription',
    description: 'api.subscriptions.updatesFieldsSentCalendar',
    fields: UPDATE_FIELDS,
    hasBody: true,
    errors: ['source-not-found', 'bad_source'],
    handle: (call, { id }) =>
      respondToJoinedWrite(deps.storage, call, {
        write: () => sources.change(id, inputOf(call.values), call.preconditions?.check),
        respond: (source) => {
          const reply = replyOf(call, source)
          return { ...reply, read: reply.body }
        },
      }),
  })
}

/** What the routes of one source have in common. */
type ItemStage = 'path' | 'pathFields' | 'response' | 'target' | 'group' | 'fillsDefaults' | 'open' | 'permit'

/** What the routes that take nothing besides have in common. */
type PlainItem = Pick<Route<readonly [], Row, undefined>, ItemStage | 'fields' | 'hasBody' | 'errors'>

type Row = Awaited<ReturnType<typeof sourceOrFail>>
