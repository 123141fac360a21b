import type { ErrorCode } from '../../base/errors.ts'
import {
  mayCreateEntries,
  mayCreateTerms,
  mayDelete,
  mayEdit,
  maySetAuthor,
  requireScope,
} from '../../http/auth/rights.ts'
import { ALL_DEPENDENCIES, type Dependency } from '../../http/cache/versions.ts'
import { type Intent, resourceRoutes } from '../../http/resource.ts'
import type { ItemVersion } from '../../http/route/preconditions.ts'
import type { AnyRoute, Call, Reply } from '../../http/route.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import { SCOPE_FIELD } from '../../model/scope.ts'
import type { EventRow } from '../event-store/event-row.ts'
import { FORCE_FIELD, withForceOnDelete } from '../shared/force.ts'
import { mayAskStatus } from '../shared/publication.ts'
import { EVENT_LIST_FIELDS } from './list/filters.ts'
import { eventListing } from './list/request.ts'
import {
  assertFound,
  createReply,
  type EventsDeps,
  removeReply,
  rowsOfWrite,
  shownOf,
  updateReply,
  viewerOf,
} from './routes-write.ts'
import { EVENT_SCHEMA, EVENTS_ABOUT } from './schema.ts'
import { cachedEvent, cachedReply } from './show/cached-event.ts'
import { presentEvents } from './show/load.ts'
import { findOrFail, openOrFail, PASSWORD_FIELD, permitRead, READ_ERRORS, UNKNOWN_ID } from './show/reading.ts'
import { type ResolvedChange, resolveChange } from './write/resolve.ts'

/** Parameters of reading and deleting one event. */
const READ_FIELDS = [PASSWORD_FIELD, FORCE_FIELD, SCOPE_FIELD] as const

/** Fields of a write; only updates keep the scope. */
const WRITE_FIELDS = [...EVENT_FIELDS, SCOPE_FIELD] as const

/** What can be wrong with venues, organizers and terms that are made on the way. */
const INLINE_ERRORS = [
  'could-not-create-venue',
  'could-not-create-organizer',
  'empty_term_name',
  'db_insert_error',
] as const

/** The routes of events (interface: Events). */
export function eventRoutes(deps: EventsDeps): AnyRoute[] {
  const { storage, site, lookups } = deps
  const { isUser, pictures, recurrenceYears } = deps
  const resolving = { reader: storage, site, lookups, isUser, pictures, recurrenceYears }
  const routes = resourceRoutes({
    resource: 'event',
    schema: EVENT_SCHEMA,
    about: EVENTS_ABOUT,
    bySlug: true,
    listFields: EVENT_LIST_FIELDS,
    writeFields: WRITE_FIELDS,
    itemFields: READ_FIELDS,
    errors: {
      list: ['event-archive-page-not-found'],
      create: [...INLINE_ERRORS, 'venue_taken'],
      read: READ_ERRORS,
      update: ['rest-event-not-found', ...INLINE_ERRORS, 'venue_taken'],
      remove: ['rest-event-not-found', 'event-is-in-trash'],
    },
    unknownId: UNKNOWN_ID,
    find: (selector) => findOrFail(storage, selector),
    mayWrite: mayCreateEntries,
    ...eventListing({ reader: storage, site, lookups }),
    shown: (call, row) => shownOf(deps, call, row),
    resolve: (call, stored, refusals) => resolveChange(resolving, call, { stored, refusals }),
    permit,
    rows: (_call, row, resolved) => rowsOfWrite(storage, row, resolved),
    create: (call, resolved) => createReply(deps, call, resolved),
    ready: cachedEvent,
    read: (call, row) => read(deps, call, row),
    update: (call, row, resolved) => updateReply(deps, call, { row, resolved }),
    remove: (call, row) => removeReply(deps, call, row),
  })
  return withForceOnDelete(routes).map(withoutScope)
}

/** Reading and creating are about one event: there is no scope to name. */
function withoutScope(one: AnyRoute): AnyRoute {
  const isCreate = one.method === 'POST' && one.pathFields.length === 0
  if (one.method !== 'GET' && !isCreate) return one
  return { ...one, fields: one.fields.filter((member) => member.name !== SCOPE_FIELD.name) }
}

type EventIntent = Intent<EventRow, ResolvedChange>

function permit(call: Call<unknown>, intent: EventIntent): true | ErrorCode {
  if (intent.to === 'create') return permitContent(call, intent.loaded)
  if (intent.to === 'read') return permitRead(call, intent.item)
  const owned = { authorId: intent.item.author_id, status: intent.item.status }
  if (intent.to === 'remove') return mayDelete(call.caller, owned) || 'rest_forbidden'
  return mayEdit(call.caller, owned) ? permitContent(call, intent.loaded) : 'rest_forbidden'
}

function permitContent(call: Call<unknown>, resolved: ResolvedChange): true | ErrorCode {
  const { values } = resolved.change
  if (resolved.makesTerms && !mayCreateTerms(call.caller.role)) return 'rest_forbidden'
  if (resolved.makesTerms) requireScope(call.caller, 'terms:write')
  if (values.author !== undefined && !maySetAuthor(call.caller, values.author)) return 'rest_forbidden'
  return mayAskStatus(call.caller, values.status)
}

async function read(deps: EventsDeps, call: Call<{ readonly password?: string }>, row: EventRow): Promise<Reply> {
  const { password } = call.values
  const viewer = viewerOf(deps, call)
  const opened = await openOrFail(row, viewer, password)
  const used = new Map<number, Dependency[]>()
  const versions = new Map<number, ItemVersion>()
  const showing = { viewer, withJsonLd: true, opened, used, versions }
  const [body] = await presentEvents(deps.storage, deps.lookups, { rows: [row], showing })
  const version = assertFound(versions.get(row.id), row)
  const event = { body: assertFound(body, row), dependencies: used.get(row.id) ?? ALL_DEPENDENCIES, version }
  if (row.password_hash === null) return cachedReply(call, row.id, event)
  return { status: 200, body: event.body, secret: true, freshness: { dependencies: event.dependencies }, version }
}
