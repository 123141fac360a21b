import { respondToJoinedWrite } from '../../calendar/shared/respond-to-write.ts'
import type { Caller } from '../../http/auth/caller.ts'
import { isAtLeast } from '../../http/auth/rights.ts'
import type { CallerRole } from '../../http/auth/roles.ts'
import { type AnyRoute, type Call, type Reply, type Route, route, UPDATE_METHODS } from '../../http/route.ts'
import { website } from '../../model/kinds/address.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { choice, exactChoice } from '../../model/kinds/choice.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { termRefs } from '../../model/kinds/list.ts'
import { line } from '../../model/kinds/text.ts'
import { zone } from '../../model/kinds/zone.ts'
import { checkSource, type ManageParts, presentSource, sourceOrFail, sourceVersion } from './manage.ts'
import { SOURCE, SOURCES, VISITS } from './schema.ts'
import type { ManagedSources, Source, SourceInput } from './types.ts'

const GROUP = { name: 'sources', about: 'Calendars elsewhere that are followed' } as const
const PATH = '/sources'
const STATUSES = ['publish', 'pending', 'draft', 'private'] as const

const CHANGE_FIELDS = [
  field('name', line, 'Name of the source', { example: 'Rowing club' }),
  field('every', positive, 'Seconds between two visits, from 300 on', { example: 3600 }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'Status of events that are new', { example: 'pending' }),
  field('categories', termRefs, 'Names of categories that every event gets', {
    cleared: [],
    example: ['Water sports'],
  }),
  field('timezone', zone, 'Time zone of times that are of none', { cleared: '' }),
  field('paused', boolean, 'Whether it is not visited'),
] as const

const URL_FIELD = field('url', website, 'Address of the iCalendar file', {
  required: true,
  example: 'https://rowers.example/diary.ics',
})
const OTHER_URL = field('url', website, 'Address of the iCalendar file')
const CREATE_FIELDS = [URL_FIELD, ...CHANGE_FIELDS] as const
const UPDATE_FIELDS = [OTHER_URL, ...CHANGE_FIELDS] as const
const REMOVE_FIELDS = [
  field('events', choice(['keep', 'trash']), 'What becomes of its events: trash takes those that are still to come', {
    example: 'keep',
  }),
] as const
const ID_FIELD = field('id', positive, 'Identifier of the source', { required: true })

/** The routes of sources, for administrators. `sources` writes to the storage of the parts, which is `joinable`. */
export function sourceRoutes(parts: ManageParts, sources: ManagedSources): AnyRoute[] {
  return [listRoute(sources), createRoute(parts, sources), ...itemRoutes(parts, sources)]
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
    summary: 'List the calendars that are followed',
    description: 'Returns all sources with the outcome of their last visits.',
    pathFields: [],
    fields: [],
    hasBody: false,
    response: { status: 200, schema: SOURCES },
    errors: [],
    handle: async () => ({ status: 200, body: { sources: await sources.list() } }),
  })
}

function createRoute({ storage }: ManageParts, sources: ManagedSources): AnyRoute {
  return route<typeof CREATE_FIELDS>({
    ...COMMON,
    method: 'POST',
    path: PATH,
    operation: 'createSource',
    summary: 'Follow a calendar',
    description: 'Adds a source, which is visited soon and then regularly.',
    pathFields: [],
    fields: CREATE_FIELDS,
    fillsDefaults: true,
    hasBody: true,
    response: { status: 201, schema: SOURCE },
    errors: ['bad_source'],
    handle: (call) =>
      respondToJoinedWrite(storage, call, {
        write: () => sources.add(inputOf(call.values)),
        respond: (body) => ({
          ...{ status: 201, body, read: body, version: sourceVersion(body) },
          headers: { Location: call.urls.api(`${PATH}/${body.id}`) },
        }),
      }),
  })
}

function inputOf({ categories, ...values }: ValuesOf<typeof UPDATE_FIELDS>): SourceInput {
  return { ...values, ...(categories !== undefined && { categories }) }
}

function itemRoutes(parts: ManageParts, sources: ManagedSources): AnyRoute[] {
  const item = {
    ...COMMON,
    path: `${PATH}/:id`,
    pathFields: [ID_FIELD],
    response: { status: 200, schema: SOURCE },
    target: async (call: Call<unknown>) => ({ item: await sourceOrFail(parts.storage, Number(call.path['id'])) }),
  } as const
  const plain = { ...item, fields: [], hasBody: false, errors: ['source-not-found'] } as const
  const read = route<readonly [], Row>({
    ...plain,
    method: 'GET',
    operation: 'getSource',
    summary: 'Read a source',
    description: 'Returns the source with the outcome of its last visits.',
    handle: async (_call, row) => replyWith(parts, row),
  })
  const remove = route<typeof REMOVE_FIELDS, Row>({
    ...item,
    method: 'DELETE',
    operation: 'deleteSource',
    summary: 'Follow a calendar no longer',
    description: 'Removes the source and returns it as it was; its events stay, unless they are to go to the trash.',
    fields: REMOVE_FIELDS,
    hasBody: false,
    errors: ['source-not-found'],
    handle: async (call, { id }) => {
      const { events } = call.values
      const write = () => sources.remove(id, { events, actor: call.caller.id, check: call.preconditions?.check })
      const respond = (body: Source): Reply => ({ status: 200, body })
      // Events go to the trash in transactions of their own, so that nobody waits for all of them.
      return events === 'trash' ? respond(await write()) : respondToJoinedWrite(parts.storage, call, { write, respond })
    },
  })
  const changes = UPDATE_METHODS.map((method) => changeRoute({ ...item, method }, { parts, sources }))
  return [read, ...changes, remove, ...visitRoutes(plain, sources)]
}

function visitRoutes(plain: PlainItem, sources: ManagedSources): AnyRoute[] {
  const sync = route<readonly [], Row>({
    ...plain,
    method: 'POST',
    path: `${PATH}/:id/sync`,
    operation: 'syncSource',
    summary: 'Visit a source now',
    description: 'Visits the source, unless it is being visited, and returns it with the outcome.',
    handle: async ({ preconditions }, row) => {
      checkSource(row, preconditions?.check)
      const body = await sources.sync(row.id)
      return { status: 200, body, read: body, version: sourceVersion(body) }
    },
  })
  const visits = route<readonly [], Row>({
    ...plain,
    method: 'GET',
    path: `${PATH}/:id/visits`,
    operation: 'listSourceVisits',
    summary: 'List the last visits of a source',
    description:
      'Returns what the last visits came to, newest first; those in a row that came to the same count as one.',
    response: { status: 200, schema: VISITS },
    handle: async (_call, { id }) => ({ status: 200, body: { visits: await sources.visits(id) } }),
  })
  return [sync, visits]
}

/** A source with its version. */
async function replyWith(parts: ManageParts, row: Row): Promise<Reply> {
  const body = await presentSource(parts, row)
  return { status: 200, body, version: sourceVersion(body) }
}

function changeRoute(
  item: Pick<Route<typeof UPDATE_FIELDS, Row, undefined>, ItemStage> & {
    readonly method: (typeof UPDATE_METHODS)[number]
  },
  { parts, sources }: { readonly parts: ManageParts; readonly sources: ManagedSources },
): AnyRoute {
  return route<typeof UPDATE_FIELDS, Row>({
    ...item,
    operation: `updateSourceWith${item.method}`,
    summary: 'Change a source',
    description: 'Changes what was sent; a source that is no longer paused is visited soon.',
    fields: UPDATE_FIELDS,
    hasBody: true,
    errors: ['source-not-found', 'bad_source'],
    handle: (call, { id }) =>
      respondToJoinedWrite(parts.storage, call, {
        write: () => sources.change(id, inputOf(call.values), call.preconditions?.check),
        respond: (body) => ({ status: 200, body, read: body, version: sourceVersion(body) }),
      }),
  })
}

/** What the routes of one source have in common. */
type ItemStage = 'path' | 'pathFields' | 'response' | 'target' | 'group' | 'fillsDefaults' | 'open' | 'permit'

/** What the routes that take nothing besides have in common. */
type PlainItem = Pick<Route<readonly [], Row, undefined>, ItemStage | 'fields' | 'hasBody' | 'errors'>

type Row = Awaited<ReturnType<typeof sourceOrFail>>
