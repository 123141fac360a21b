import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { hashEntryPassword } from '../../http/auth/entry-password.ts'
import { forbidden, mayDelete, mayDeleteForGood, mayEdit } from '../../http/auth/rights.ts'
import type { Call, Reply } from '../../http/route.ts'
import type { EventValues } from '../../model/event.ts'
import type { SeriesScope } from '../../model/scope.ts'
import type { Site } from '../../model/site.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import type { EventState } from '../event-store/copies.ts'
import { refuseDuplicate } from '../event-store/duplicates.ts'
import { type EventRow, linksOf, NO_LINKS, sourceOf } from '../event-store/event-row.ts'
import { findEvent } from '../event-store/rows.ts'
import { countDates } from '../event-store/series/rows.ts'
import { isOut } from '../event-store/series/shown.ts'
import { deleteEvent } from '../event-store/write.ts'
import { type ImageFetch, type Images, type WantedImage, wantedImages } from '../shared/image.ts'
import { respondToWrite } from '../shared/respond-to-write.ts'
import type { Viewer } from '../shared/viewer.ts'
import { conflictHeader, mayConflict, writeToFreeVenues } from './conflicts/on-write.ts'
import { removeFromSeries } from './series/remove.ts'
import { eventVersion, type Lookups, loadRelations, NO_MATERIAL, presentRows, readMaterial } from './show/load.ts'
import { eventWithoutJsonLd } from './show/present.ts'
import { changeEvent, createEvent, removeToTrash, type WrittenEvent } from './write/change.ts'
import type { ResolvedChange } from './write/resolve.ts'
import type { EventChange, LinkTarget, PasswordChange, Writing } from './write/writing.ts'

/** What the events module needs. */
export interface EventsDeps {
  readonly storage: Storage
  readonly site: Site
  readonly lookups: Lookups
  /** Salt of the passwords of events, see `entryPasswordSalt`. */
  readonly passwordSalt: Buffer
  /** Whether a user with this ID exists. */
  isUser(id: number): Promise<boolean>
  readonly pictures: Images
  /** Years for which the dates of rules without end are held. */
  readonly recurrenceYears: number
  /** A request that asks for dates waits for its turn as long as one that reads the database. */
  readonly config: Pick<Config, 'readTimeout'>
}

/** Whose eyes a response is for. */
export function viewerOf({ site }: EventsDeps, { caller, urls, tries, language }: Call<unknown>): Viewer {
  return { caller, urls, site, tries, language }
}

/** What was loaded of an event. @throws Error when nothing was */
export function assertFound<Value>(value: Value | undefined, { id }: EventRow): Value {
  if (value === undefined) throw new Error(`event ${id} was not loaded`)
  return value
}

/** The fields whose values come from other tables. */
const RELATED = ['image', 'categories', 'tags', 'venue', 'organizer'] as const

/** What GET shows of the fields that an update sends; where none of them is from another table, none is read. */
export async function shownOf(
  deps: EventsDeps,
  call: Call<unknown>,
  row: EventRow,
): Promise<Readonly<Record<string, unknown>>> {
  const showing = { viewer: viewerOf(deps, call), withJsonLd: false, opened: new Set([row.id]) }
  const isRelated = RELATED.some((name) => call.sent[name] !== undefined)
  const material = isRelated ? await readMaterial(deps.storage, deps.lookups, { rows: [row] }) : NO_MATERIAL
  const shown = assertFound(presentRows(deps.lookups, material, { rows: [row], showing })[0], row)
  if (row.occasion === undefined || !isOut(row.occasion.date)) return shown
  // A first date that was taken out shows the status of its series: sending that restores it.
  const { status: _, ...others } = shown
  return others
}

/** The response to a write of an event that still exists, with what its validators are made of. */
async function writtenReply(
  { reader, deps, call }: { readonly reader: Reader; readonly deps: EventsDeps; readonly call: Call<unknown> },
  { row, links, known }: WrittenEvent,
  status = 200,
): Promise<Reply> {
  const viewer = viewerOf(deps, call)
  const showing = { viewer, withJsonLd: true, opened: new Set([row.id]) }
  const asked = { rows: [row], known: links && new Map([[row.id, links]]), ...known }
  const material = await readMaterial(reader, deps.lookups, asked)
  const version = eventVersion(row, material.embedded, viewer)
  const read = assertFound(presentRows(deps.lookups, material, { rows: [row], showing })[0], row)
  return { status, body: eventWithoutJsonLd(read), read, version }
}

/** Refuses a write unless the event is as the request demands, seen with the eyes of its caller. */
async function requireVersion(
  tx: Transaction,
  { deps, call }: { readonly deps: EventsDeps; readonly call: Call<unknown> },
  row: EventRow,
): Promise<void> {
  if (call.preconditions === undefined) return
  call.preconditions.check(eventVersion(row, await loadRelations(tx, deps.lookups, { rows: [row] }), call))
}

/** The writer, with the password hashed: from here on the write is allowed. */
async function writingOf(
  { site, lookups, passwordSalt, recurrenceYears }: EventsDeps,
  { caller, now, values: { password } }: CreateCall,
): Promise<Omit<Writing, 'fetched'>> {
  const change = password === undefined ? undefined : await passwordChangeOf(password, passwordSalt)
  return { caller, now, at: utcFromMillis(now), recurrenceYears, site, lookups, password: change }
}

async function passwordChangeOf(password: string, salt: Buffer): Promise<PasswordChange> {
  return password === '' ? null : hashEntryPassword(password, salt)
}

function imageFetchOf({ language }: Call<unknown>, { change }: ResolvedChange): ImageFetch {
  return { wanted: wantedBy(change), language }
}

/** Whether a write may make a venue that takes one event at a time: it has the data of one. */
function makesExclusive({ venue = [] }: EventChange): boolean {
  return venue.some((target) => target.by === 'data' && target.draft.content.exclusive === 1)
}

/** The images to fetch before a write, each with its parameter. */
function wantedBy({ values, venue, organizer }: EventChange): readonly WantedImage[] {
  const inline = (param: string, targets: readonly LinkTarget<unknown>[] = []) =>
    targets.flatMap((target) => (target.by === 'data' ? [[param, target.image] as const] : []))
  return wantedImages([['image', values.image], ...inline('venue', venue), ...inline('organizer', organizer)])
}

type CreateCall = Call<EventValues & { readonly scope?: SeriesScope }>

/** Creates an event. */
export async function createReply(deps: EventsDeps, call: CreateCall, resolved: ResolvedChange): Promise<Reply> {
  if (resolved.blank !== undefined) throw fail(resolved.blank)
  const writing = await writingOf(deps, call)
  const { slug, venue = [] } = resolved.change.values
  const isPlaced = venue.length > 0
  const guard = { caller: call.caller, makesExclusive: makesExclusive(resolved.change) }
  return deps.pictures.fetchFor(imageFetchOf(call, resolved), (fetched) =>
    respondToWrite(deps.storage, call, {
      write: async (tx) => {
        if (call.preconditions?.isCreateOnly === true && slug !== undefined) await requireFreeSlug(tx, slug)
        const write = async () => {
          const written = await createEvent(tx, resolved.change, { ...writing, fetched })
          if (call.refusesDuplicates === true) await refuseDuplicate(tx, call.caller, written)
          return written
        }
        return isPlaced ? writeToFreeVenues(tx, { ...guard, before: undefined, write }) : write()
      },
      respond: async (reader, placed) => {
        const conflicts = isPlaced ? await conflictHeader(reader, call.caller, placed) : {}
        const headers = { Location: call.urls.api(`/events/${placed.row.id}`), ...conflicts }
        return { ...(await writtenReply({ reader, deps, call }, placed, 201)), headers }
      },
    }),
  )
}

/** @throws precondition_failed when an event has the slug */
async function requireFreeSlug(tx: Transaction, slug: string): Promise<void> {
  if ((await findEvent(tx, { by: 'slug', slug })) !== undefined) throw fail('precondition_failed')
}

/** Changes an event. */
export async function updateReply(
  deps: EventsDeps,
  call: CreateCall,
  { row, resolved }: { readonly row: EventRow; readonly resolved: ResolvedChange },
): Promise<Reply> {
  if (resolved.blank !== undefined) throw fail(resolved.blank)
  const writing = await writingOf(deps, call)
  const isPlaced = mayConflict(resolved.change.values)
  const guard = { caller: call.caller, makesExclusive: makesExclusive(resolved.change) }
  return deps.pictures.fetchFor(imageFetchOf(call, resolved), (fetched) =>
    respondToWrite(deps.storage, call, {
      write: async (tx) => {
        const before = await stateOf(tx, row.id)
        if (!mayEdit(call.caller, { authorId: before.row.author_id, status: before.row.status }))
          throw forbidden(call.caller)
        await requireVersion(tx, { deps, call }, before.row)
        const { scope } = call.values
        const change = { scope, change: resolved.change, writing: { ...writing, fetched } }
        const write = () => changeEvent(tx, before, change)
        return isPlaced ? writeToFreeVenues(tx, { ...guard, before: before.row, write }) : write()
      },
      respond: async (reader, placed) => {
        const headers = isPlaced ? await conflictHeader(reader, call.caller, placed) : {}
        return { ...(await writtenReply({ reader, deps, call }, placed)), headers }
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

/** Moves an event to the trash, or deletes it permanently. */
export async function removeReply(deps: EventsDeps, call: RemoveCall, row: EventRow): Promise<Reply> {
  const force = call.values.force === true
  if (force && !mayDeleteForGood(call.caller.role)) throw forbidden(call.caller)
  if (!force && row.status === 'trash') throw fail('event-is-in-trash')
  const cause = { actor: call.caller.id, at: utcFromMillis(call.now) }
  return respondToWrite(deps.storage, call, {
    write: async (tx) => {
      const state = await stateOf(tx, row.id)
      const owned = { authorId: state.row.author_id, status: state.row.status }
      if (!mayDelete(call.caller, owned)) throw forbidden(call.caller)
      if (!force && state.row.status === 'trash') throw fail('event-is-in-trash')
      await requireVersion(tx, { deps, call }, state.row)
      if (!force && state.row.occasion === undefined) return removeToTrash(tx, state, cause)
      const { status, body } = await writtenReply({ reader: tx, deps, call }, state)
      if (state.row.occasion === undefined) {
        await deleteEvent(tx, state, cause)
        return { status, body }
      }
      const holding = { now: call.now, recurrenceYears: deps.recurrenceYears }
      const removal = { scope: call.values.scope, force, cause, holding }
      return (await removeFromSeries(tx, state.row, removal)) ?? { status, body }
    },
    respond: async (reader, left) => ('body' in left ? left : writtenReply({ reader, deps, call }, { row: left })),
  })
}

/** How many rows a write of an event changes: the dates that its series has, and those that its recurrence gives. */
export async function rowsOfWrite(
  reader: Reader,
  stored: EventRow | undefined,
  resolved: ResolvedChange | undefined,
): Promise<number> {
  const series = stored?.occasion?.series.id
  const before = series === undefined ? 0 : await countDates(reader, series)
  return Math.max(1, before + (resolved?.dates ?? 0))
}
