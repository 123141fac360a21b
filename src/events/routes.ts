import { forbidden, mayCreateEntries, mayCreateTerms, mayDelete, mayDeleteForGood, mayEdit } from '../auth/rights.ts'
import type { Config } from '../config.ts'
import { FORCE_FIELD, withForceOnDelete } from '../entries/force.ts'
import type { PictureFetch, Pictures } from '../entries/image.ts'
import { mayAskStatus } from '../entries/publication.ts'
import { respondToWrite } from '../entries/respond-to-write.ts'
import type { Viewer } from '../entries/viewer.ts'
import { type ErrorCode, fail } from '../errors.ts'
import type { EventState } from '../event-store/copies.ts'
import { type EventRow, NO_LINKS, sourceOf } from '../event-store/event-row.ts'
import { linksOf } from '../event-store/relations.ts'
import { findEvent } from '../event-store/rows.ts'
import { isOut } from '../event-store/series/shown.ts'
import { deleteEvent } from '../event-store/write.ts'
import { ALL_DEPENDENCIES, type Dependency } from '../http/cache/versions.ts'
import type { ItemVersion } from '../http/item-version.ts'
import { type Intent, resourceRoutes } from '../http/resource.ts'
import type { AnyRoute, Call, Reply } from '../http/route.ts'
import { EVENT_FIELDS, type EventValues } from '../model/event.ts'
import { SCOPE_FIELD, type SeriesScope } from '../model/scope.ts'
import type { Site } from '../model/site.ts'
import type { Reader, Storage, Transaction } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import { conflictHeader, mayConflict, writeToFreeVenues } from './conflicts/on-write.ts'
import { EVENT_LIST_FIELDS } from './list/filters.ts'
import { listEvents, resolveEventList } from './list/request.ts'
import { EVENT_SCHEMA, EVENTS_ABOUT } from './schema.ts'
import { removeFromSeries } from './series/remove.ts'
import { cachedEvent, cachedReply } from './show/cached-event.ts'
import {
  eventVersion,
  type Lookups,
  loadRelations,
  NO_MATERIAL,
  presentEvents,
  presentRows,
  readMaterial,
} from './show/load.ts'
import { eventWithoutJsonLd } from './show/present.ts'
import { findOrFail, openOrFail, PASSWORD_FIELD, permitRead, READ_ERRORS, UNKNOWN_ID } from './show/reading.ts'
import { changeEvent, createEvent, removeToTrash, type WrittenEvent } from './write/change.ts'
import {
  isAuthorAllowed,
  makesVenue,
  type ResolvedChange,
  refuseBlank,
  resolveChange,
  wantedBy,
} from './write/resolve.ts'
import { passwordChangeOf, type Writing } from './write/writing.ts'

/** What the events room needs. */
export interface EventsParts {
  readonly storage: Storage
  readonly site: Site
  readonly lookups: Lookups
  /** Salt of the passwords of events, see `entryPasswordSalt`. */
  readonly passwordSalt: Buffer
  /** Whether a user with this id exists. */
  isUser(id: number): Promise<boolean>
  readonly pictures: Pictures
  /** Years for which the dates of rules without end are held. */
  readonly recurrenceYears: number
  /** A request that asks for dates waits for its turn as long as one that reads the database. */
  readonly config: Pick<Config, 'readTimeout'>
}

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
export function eventRoutes(parts: EventsParts): AnyRoute[] {
  const { storage, site, lookups } = parts
  const { isUser, pictures, recurrenceYears } = parts
  const resolving = { reader: storage, site, lookups, isUser, pictures, recurrenceYears }
  const listing = { reader: storage, site, lookups }
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
    resolveList: (call, _item, refusals) => resolveEventList(listing, call, refusals),
    list: (call, _item, resolved) => listEvents(listing, call, resolved),
    shown: (call, row) => shownOf(parts, call, row),
    resolve: (call, stored, refusals) => resolveChange(resolving, call, { stored, refusals }),
    permit,
    create: (call, resolved) => create(parts, call, resolved),
    ready: cachedEvent,
    read: (call, row) => read(parts, call, row),
    update: (call, row, resolved) => update(parts, call, { row, resolved }),
    remove: (call, row) => remove(parts, call, row),
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
  if (!isAuthorAllowed({ ...call, values })) return 'rest_forbidden'
  return mayAskStatus(call.caller, values.status)
}

function viewerOf({ site }: EventsParts, { caller, urls, tries, language }: Call<unknown>): Viewer {
  return { caller, urls, site, tries, language }
}

/** The fields whose values come from other tables. */
const RELATED = ['image', 'categories', 'tags', 'venue', 'organizer'] as const

/** What GET shows of the fields that were sent; where none of them is from another table, none is read. */
async function shownOf(
  parts: EventsParts,
  call: Call<unknown>,
  row: EventRow,
): Promise<Readonly<Record<string, unknown>>> {
  const showing = { viewer: viewerOf(parts, call), withJsonLd: false, opened: new Set([row.id]) }
  const isRelated = RELATED.some((name) => call.sent[name] !== undefined)
  const material = isRelated ? await readMaterial(parts.storage, parts.lookups, { rows: [row] }) : NO_MATERIAL
  const shown = made(presentRows(parts.lookups, material, { rows: [row], showing })[0], row)
  if (row.occasion === undefined || !isOut(row.occasion.date)) return shown
  // A first date that was taken out shows the status of its series: sending that brings it back.
  const { status: _, ...others } = shown
  return others
}

function made<Value>(value: Value | undefined, { id }: EventRow): Value {
  if (value === undefined) throw new Error(`event ${id} was not loaded`)
  return value
}

/** The response to a write of an event that still exists, with what its validators are made of. */
async function writtenReply(
  { reader, parts, call }: { readonly reader: Reader; readonly parts: EventsParts; readonly call: Call<unknown> },
  { row, links, known }: WrittenEvent,
  status = 200,
): Promise<Reply> {
  const asked = { rows: [row], known: links && new Map([[sourceOf(row), links]]), ...known }
  const material = await readMaterial(reader, parts.lookups, asked)
  const viewer = viewerOf(parts, call)
  const showing = { viewer, withJsonLd: true, opened: new Set([row.id]) }
  const read = made(presentRows(parts.lookups, material, { rows: [row], showing })[0], row)
  const version = eventVersion(row, material.embedded, viewer)
  return { status, body: eventWithoutJsonLd(read), read, version }
}

/** Refuses a write unless the event is as the request demands, seen with the eyes of its caller. */
async function requireVersion(
  tx: Transaction,
  { parts, call }: { readonly parts: EventsParts; readonly call: Call<unknown> },
  row: EventRow,
): Promise<void> {
  if (call.preconditions === undefined) return
  call.preconditions.check(eventVersion(row, await loadRelations(tx, parts.lookups, { rows: [row] }), call))
}

/** The writer, with the password hashed: from here on the write is allowed. */
async function writingOf(
  { site, lookups, passwordSalt, recurrenceYears }: EventsParts,
  call: CreateCall,
): Promise<Omit<Writing, 'fetched'>> {
  const { caller, now, values } = call
  return { caller, now, recurrenceYears, site, lookups, password: await passwordChangeOf(values, passwordSalt) }
}

function pictureFetchOf({ language }: Call<unknown>, { change }: ResolvedChange): PictureFetch {
  return { wanted: wantedBy(change), language }
}

type CreateCall = Call<EventValues & { readonly scope?: SeriesScope }>

async function create(parts: EventsParts, call: CreateCall, resolved: ResolvedChange): Promise<Reply> {
  refuseBlank(resolved)
  const writing = await writingOf(parts, call)
  const { values } = resolved.change
  const { slug, venue = [] } = values
  return parts.pictures.fetchFor(pictureFetchOf(call, resolved), (fetched) =>
    respondToWrite(parts.storage, call, {
      write: async (tx) => {
        if (call.preconditions?.isCreateOnly === true && slug !== undefined) await requireFreeSlug(tx, slug)
        return writeToFreeVenues(tx, {
          ...{ caller: call.caller, values, before: undefined, makesVenue: makesVenue(resolved.change) },
          write: () => createEvent(tx, resolved.change, { ...writing, fetched }),
        })
      },
      respond: async (reader, placed) => {
        const conflicts = venue.length === 0 ? {} : await conflictHeader(reader, call.caller, placed)
        const headers = { Location: call.urls.api(`/events/${placed.row.id}`), ...conflicts }
        return { ...(await writtenReply({ reader, parts, call }, placed, 201)), headers }
      },
    }),
  )
}

/** @throws precondition_failed when an event has the slug */
async function requireFreeSlug(tx: Transaction, slug: string): Promise<void> {
  if ((await findEvent(tx, { by: 'slug', slug })) !== undefined) throw fail('precondition_failed')
}

async function read(parts: EventsParts, call: Call<{ readonly password?: string }>, row: EventRow): Promise<Reply> {
  const { password } = call.values
  const viewer = viewerOf(parts, call)
  const opened = await openOrFail(row, viewer, password)
  const used = new Map<number, Dependency[]>()
  const versions = new Map<number, ItemVersion>()
  const showing = { viewer, withJsonLd: true, opened, used, versions }
  const [body] = await presentEvents(parts.storage, parts.lookups, { rows: [row], showing })
  const version = made(versions.get(row.id), row)
  const event = { body: made(body, row), dependencies: used.get(row.id) ?? ALL_DEPENDENCIES, version }
  if (row.password_hash === null) return cachedReply(call, row.id, event)
  return { status: 200, body: event.body, secret: true, freshness: { dependencies: event.dependencies }, version }
}

async function update(
  parts: EventsParts,
  call: CreateCall,
  { row, resolved }: { readonly row: EventRow; readonly resolved: ResolvedChange },
): Promise<Reply> {
  refuseBlank(resolved)
  const writing = await writingOf(parts, call)
  const { values } = resolved.change
  return parts.pictures.fetchFor(pictureFetchOf(call, resolved), (fetched) =>
    respondToWrite(parts.storage, call, {
      write: async (tx) => {
        const before = await stateOf(tx, row.id)
        if (!mayEdit(call.caller, { authorId: before.row.author_id, status: before.row.status }))
          throw forbidden(call.caller)
        await requireVersion(tx, { parts, call }, before.row)
        const { scope } = call.values
        return writeToFreeVenues(tx, {
          ...{ caller: call.caller, values, before: before.row, makesVenue: makesVenue(resolved.change) },
          write: () => changeEvent(tx, before, { scope, change: resolved.change, writing: { ...writing, fetched } }),
        })
      },
      respond: async (reader, placed) => {
        const headers = mayConflict(values) ? await conflictHeader(reader, call.caller, placed) : {}
        return { ...(await writtenReply({ reader, parts, call }, placed)), headers }
      },
    }),
  )
}

/** The event inside the transaction: another write may have come first. @throws rest-event-not-found */
async function stateOf(tx: Transaction, id: number): Promise<EventState> {
  const row = await findEvent(tx, { by: 'id', id })
  if (row === undefined) throw fail('rest-event-not-found')
  const source = sourceOf(row)
  return { row, links: (await linksOf(tx, [source])).get(source) ?? NO_LINKS }
}

type RemoveCall = Call<{ readonly force?: boolean; readonly scope?: SeriesScope }>

async function remove(parts: EventsParts, call: RemoveCall, row: EventRow): Promise<Reply> {
  const force = call.values.force === true
  if (force && !mayDeleteForGood(call.caller.role)) throw forbidden(call.caller)
  if (!force && row.status === 'trash') throw fail('event-is-in-trash')
  const cause = { actor: call.caller.id, at: utcFromMillis(call.now) }
  return respondToWrite(parts.storage, call, {
    write: async (tx) => {
      const state = await stateOf(tx, row.id)
      const owned = { authorId: state.row.author_id, status: state.row.status }
      if (!mayDelete(call.caller, owned)) throw forbidden(call.caller)
      if (!force && state.row.status === 'trash') throw fail('event-is-in-trash')
      await requireVersion(tx, { parts, call }, state.row)
      if (!force && state.row.occasion === undefined) return removeToTrash(tx, state, cause)
      const { status, body } = await writtenReply({ reader: tx, parts, call }, state)
      if (state.row.occasion === undefined) {
        await deleteEvent(tx, state, cause)
        return { status, body }
      }
      const holding = { now: call.now, recurrenceYears: parts.recurrenceYears }
      const removal = { scope: call.values.scope, force, cause, holding }
      return (await removeFromSeries(tx, state.row, removal)) ?? { status, body }
    },
    respond: async (reader, left) => ('body' in left ? left : writtenReply({ reader, parts, call }, { row: left })),
  })
}
