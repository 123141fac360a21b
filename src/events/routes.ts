import { forbidden, mayCreateEntries, mayCreateTerms, mayDelete, mayDeleteForGood, mayEdit } from '../auth/rights.ts'
import { type EventRow, NO_LINKS } from '../entries/event-row.ts'
import { FORCE_FIELD, withForceOnDelete } from '../entries/force.ts'
import type { Errand, Pictures } from '../entries/image.ts'
import { mayAskStatus } from '../entries/publication.ts'
import { linksOf } from '../entries/store-event.ts'
import { type ErrorCode, fail } from '../errors.ts'
import { ALL_PARTS, type Part } from '../http/cache/versions.ts'
import { type Intent, resourceRoutes } from '../http/resource.ts'
import type { AnyRoute, Call, Reply } from '../http/route.ts'
import { EVENT_FIELDS } from '../model/event.ts'
import type { Site } from '../model/site.ts'
import type { Storage } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import { changeEvent, createEvent } from './change.ts'
import type { EventState } from './copies.ts'
import { EVENT_LIST_FIELDS } from './filters.ts'
import { gatherEvents, type Shelves } from './gather.ts'
import { keptReply, readyEvent } from './kept-event.ts'
import { listEvents, resolveEventList } from './list.ts'
import { findOrFail, openOrFail, PASSWORD_FIELD, permitRead, READ_ERRORS, UNKNOWN_ID } from './reading.ts'
import { removeToTrash } from './removal.ts'
import { isAuthorAllowed, type ResolvedChange, refuseBlank, resolveChange, wantedBy } from './resolve.ts'
import { findEvent } from './store-rows.ts'
import { deleteEvent } from './write.ts'
import { passwordChangeOf, type Writing } from './writing.ts'

/** What the events room is made of. */
export interface EventsParts {
  readonly storage: Storage
  readonly site: Site
  readonly shelves: Shelves
  /** Salt of the passwords of events, see `entryPasswordSalt`. */
  readonly passwordSalt: Buffer
  /** Whether a user with this id exists. */
  isUser(id: number): Promise<boolean>
  readonly pictures: Pictures
}

/** Parameters of reading and deleting one event. */
const READ_FIELDS = [PASSWORD_FIELD, FORCE_FIELD] as const

/** What can be wrong with venues, organizers and terms that are made on the way. */
const INLINE_ERRORS = [
  'could-not-create-venue',
  'could-not-create-organizer',
  'empty_term_name',
  'db_insert_error',
] as const

/** The routes of events (interface: Events). */
export function eventRoutes(parts: EventsParts): AnyRoute[] {
  const { storage, site, shelves } = parts
  const resolving = { reader: storage, site, shelves, isUser: parts.isUser, pictures: parts.pictures }
  const listing = { reader: storage, site, shelves }
  const routes = resourceRoutes({
    resource: 'event',
    schema: 'Event',
    bySlug: true,
    listFields: EVENT_LIST_FIELDS,
    writeFields: EVENT_FIELDS,
    itemFields: READ_FIELDS,
    errors: {
      list: ['event-archive-page-not-found'],
      create: INLINE_ERRORS,
      read: READ_ERRORS,
      update: ['rest-event-not-found', ...INLINE_ERRORS],
      remove: ['rest-event-not-found', 'event-is-in-trash'],
    },
    unknownId: UNKNOWN_ID,
    find: (selector) => findOrFail(storage, selector),
    mayWrite: (caller) => mayCreateEntries(caller.role),
    resolveList: (call, refusals) => resolveEventList(listing, call, refusals),
    list: (call, resolved) => listEvents(listing, call, resolved),
    shown: (call, row) => represent(parts, call, { row, withJsonLd: false }),
    resolve: (call, stored, refusals) => resolveChange(resolving, call, { stored, refusals }),
    permit,
    create: (call, resolved) => create(parts, call, resolved),
    ready: readyEvent,
    read: (call, row) => read(parts, call, row),
    update: (call, row, resolved) => update(parts, call, { row, resolved }),
    remove: (call, row) => remove(parts, call, row),
  })
  return withForceOnDelete(routes)
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

interface Shown {
  readonly row: EventRow
  readonly withJsonLd: boolean
  readonly opened?: ReadonlySet<number>
  readonly used?: Map<number, Part[]>
}

async function represent(
  parts: EventsParts,
  call: Call<unknown>,
  shown: Shown,
): Promise<Readonly<Record<string, unknown>>> {
  const viewer = { caller: call.caller, urls: call.urls, site: parts.site, tries: call.tries }
  const showing = {
    viewer,
    withJsonLd: shown.withJsonLd,
    opened: shown.opened ?? new Set([shown.row.id]),
    ...(shown.used && { used: shown.used }),
  }
  const [answer] = await gatherEvents(parts.storage, parts.shelves, { rows: [shown.row], showing })
  if (answer === undefined) throw new Error(`event ${shown.row.id} was not gathered`)
  return answer
}

/** Who writes, with the password made ready: from here on the write is allowed. */
async function writingOf(
  { site, shelves, passwordSalt }: EventsParts,
  call: CreateCall,
): Promise<Omit<Writing, 'brought'>> {
  const { caller, now, values } = call
  return { caller, now, site, shelves, password: await passwordChangeOf(values, passwordSalt) }
}

function errandOf({ language }: Call<unknown>, { change }: ResolvedChange): Errand {
  return { wanted: wantedBy(change), language }
}

type CreateCall = Call<ResolvedChange['change']['values']>

async function create(parts: EventsParts, call: CreateCall, resolved: ResolvedChange): Promise<Reply> {
  refuseBlank(resolved)
  const writing = await writingOf(parts, call)
  const row = await parts.pictures.bring(errandOf(call, resolved), (brought) =>
    parts.storage.write((tx) => createEvent(tx, resolved.change, { ...writing, brought })),
  )
  const body = await represent(parts, call, { row, withJsonLd: false })
  return { status: 201, body, headers: { Location: call.urls.api(`/events/${row.id}`) } }
}

async function read(parts: EventsParts, call: Call<{ readonly password?: string }>, row: EventRow): Promise<Reply> {
  const { password } = call.values
  const viewer = { caller: call.caller, urls: call.urls, site: parts.site, tries: call.tries }
  const opened = await openOrFail(row, viewer, password)
  const used = new Map<number, Part[]>()
  const body = await represent(parts, call, { row, withJsonLd: true, opened, used })
  const made = { body, parts: used.get(row.id) ?? ALL_PARTS }
  if (row.password_hash === null) return keptReply(call, row.id, made)
  return { status: 200, body, secret: true, lasting: { parts: made.parts } }
}

async function update(
  parts: EventsParts,
  call: CreateCall,
  { row, resolved }: { readonly row: EventRow; readonly resolved: ResolvedChange },
): Promise<Reply> {
  refuseBlank(resolved)
  const writing = await writingOf(parts, call)
  const changed = await parts.pictures.bring(errandOf(call, resolved), (brought) =>
    parts.storage.write(async (tx) => {
      const before = await stateOf(tx, row.id)
      if (!mayEdit(call.caller, { authorId: before.row.author_id, status: before.row.status }))
        throw forbidden(call.caller)
      return changeEvent(tx, before, { change: resolved.change, writing: { ...writing, brought } })
    }),
  )
  return { status: 200, body: await represent(parts, call, { row: changed, withJsonLd: false }) }
}

/** The event as it stands inside the transaction: another write may have come first. @throws rest-event-not-found */
async function stateOf(tx: Parameters<Parameters<Storage['write']>[0]>[0], id: number): Promise<EventState> {
  const row = await findEvent(tx, { by: 'id', id })
  if (row === undefined) throw fail('rest-event-not-found')
  return { row, links: (await linksOf(tx, [id])).get(id) ?? NO_LINKS }
}

async function remove(parts: EventsParts, call: Call<{ readonly force?: boolean }>, row: EventRow): Promise<Reply> {
  const force = call.values.force === true
  if (force && !mayDeleteForGood(call.caller.role)) throw forbidden(call.caller)
  if (!force && row.status === 'trash') throw fail('event-is-in-trash')
  const at = utcFromMillis(call.now)
  const before = force ? await represent(parts, call, { row, withJsonLd: false }) : undefined
  const trashed = await parts.storage.write(async (tx) => {
    const state = await stateOf(tx, row.id)
    const owned = { authorId: state.row.author_id, status: state.row.status }
    if (!mayDelete(call.caller, owned)) throw forbidden(call.caller)
    if (force) return deleteEvent(tx, state, { actor: call.caller.id, at })
    if (state.row.status === 'trash') throw fail('event-is-in-trash')
    return removeToTrash(tx, state, { actor: call.caller.id, at })
  })
  const body = before ?? (await represent(parts, call, { row: trashed ?? row, withJsonLd: false }))
  return { status: 200, body }
}
