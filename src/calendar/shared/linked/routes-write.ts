import { fail } from '../../../base/errors.ts'
import { utcFromMillis } from '../../../base/time/zones.ts'
import type { Caller } from '../../../http/auth/rights.ts'
import { type ItemVersion, itemVersion } from '../../../http/route/preconditions.ts'
import type { Call, Reply } from '../../../http/route.ts'
import type { AnyField, ValuesOf } from '../../../model/kinds/field.ts'
import { RESOURCES } from '../../../model/resource.ts'
import type { Site } from '../../../model/site.ts'
import type { Reader, Storage, Transaction } from '../../../storage/engine.ts'
import { type ImageFetch, type Images, wantedImages } from '../image.ts'
import { respondToWrite } from '../respond-to-write.ts'
import type { LinkedRoom } from './room.ts'
import type { LinkedContent, LinkedDraft, LinkedKey, LinkedRow } from './row.ts'
import type { WriteContext } from './rules.ts'
import { findRow } from './store.ts'
import { changeLinked, deleteLinked, saveLinked, trashLinked } from './write.ts'

/** What a module needs. */
export interface LinkedDeps {
  readonly storage: Storage
  readonly site: Site
  /** Whether there is a user with this ID, able to sign in or not. */
  isUser(id: number): Promise<boolean>
  readonly pictures: Images
  /** Headers about what a change of a stored item leaves as it was; none if absent. */
  warningsOf?(reader: Reader, change: LinkedChange): Promise<Readonly<Record<string, string>>>
}

/** What was sent about a stored item, and by whom. */
export interface LinkedChange {
  readonly id: number
  readonly caller: Caller
  /** Unix milliseconds. */
  readonly now: number
  readonly values: Readonly<Record<string, unknown>>
}

/** Builds the response to a write of a row that still exists, with what its validators are made of. */
type Written<Content extends LinkedContent> = (
  reader: Reader,
  call: Call<unknown>,
  row: LinkedRow<Content>,
) => Promise<Reply>

type RemoveCall = Call<{ readonly force?: boolean }>

/** The routes of a linked resource that change an item. */
export function linkedWrites<WriteFields extends readonly AnyField[], Content extends LinkedContent>(
  room: LinkedRoom<WriteFields, Content>,
  { storage, site, pictures, warningsOf }: LinkedDeps,
  written: Written<Content>,
) {
  const { key } = room
  type WriteCall = Call<ValuesOf<WriteFields>>
  return {
    create: (call: WriteCall, draft: LinkedDraft<Content>): Promise<Reply> =>
      pictures.fetchFor(imageFetchOf(call, draft), (fetched) =>
        respondToWrite(storage, call, {
          write: async (tx) => {
            if (call.preconditions?.isCreateOnly === true) await requireFreeSlug(tx, room, draft.entry)
            const asked = { draft, cause: causeOf(call), zone: site.zone, fetched }
            return (await saveLinked(tx, room, asked)).row
          },
          respond: async (reader, row) => {
            const headers = { Location: call.urls.api(`/${RESOURCES[key].collection}/${row.id}`) }
            return { ...(await written(reader, call, row)), status: 201, headers }
          },
        }),
      ),
    update: (call: WriteCall, { id }: LinkedRow<Content>, draft: LinkedDraft<Content>): Promise<Reply> => {
      const asked = { id, draft, cause: causeOf(call), check: checkOf(key, call), zone: site.zone }
      return pictures.fetchFor(imageFetchOf(call, draft), (fetched) =>
        respondToWrite(storage, call, {
          write: (tx) => changeLinked(tx, room, { ...asked, fetched }),
          respond: async (reader, row) => {
            const { caller, now, values } = call
            const headers = await warningsOf?.(reader, { id, caller, now, values })
            return { ...(await written(reader, call, row)), ...(headers && { headers }) }
          },
        }),
      )
    },
    remove: (call: RemoveCall, { id }: LinkedRow<Content>): Promise<Reply> => {
      const force = call.values.force === true
      const step = force ? deleteLinked : trashLinked
      return respondToWrite(storage, call, {
        write: (tx) => step(tx, room, { id, cause: causeOf(call), check: checkOf(key, call) }),
        respond: async (reader, row) => {
          const reply = await written(reader, call, row)
          return force ? { status: reply.status, body: reply.body } : reply
        },
      })
    },
  }
}

/** @throws precondition_failed when an item has the slug that was sent */
async function requireFreeSlug<Content extends LinkedContent>(
  tx: Transaction,
  room: LinkedRoom<readonly AnyField[], Content>,
  { slug }: LinkedDraft<Content>['entry'],
): Promise<void> {
  const taken = slug === undefined ? undefined : await findRow(tx, room, { by: 'slug', slug })
  if (taken !== undefined) throw fail('precondition_failed')
}

/** The version of a venue or organizer, which embeds nothing that changes. */
export function versionOf(key: LinkedKey, { id, revision, modified_at }: LinkedRow): ItemVersion {
  return itemVersion(`${key} ${id}:${revision}:${modified_at}`, modified_at)
}

/** The preconditions of a write, checked when everything else is in order; undefined if there are none. */
function checkOf(key: LinkedKey, { preconditions }: Call<unknown>): ((row: LinkedRow) => void) | undefined {
  return preconditions && ((row) => preconditions.check(versionOf(key, row)))
}

function causeOf({ caller, now }: Call<unknown>): WriteContext {
  return { caller, at: utcFromMillis(now) }
}

function imageFetchOf({ language }: Call<unknown>, { entry }: LinkedDraft<LinkedContent>): ImageFetch {
  return { wanted: wantedImages([['image', entry.image]]), language }
}
