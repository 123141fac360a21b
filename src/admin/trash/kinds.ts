import type { MessageId } from '../../base/i18n/translate.ts'
import { restoreTerm } from '../../calendar/terms/index.ts'
import { aboutWebhook, restoreWebhook } from '../../changes/webhooks/index.ts'
import { restoreSubscription } from '../../exchange/subscriptions/index.ts'
import { isAtLeast, isEditor, type Role } from '../../http/auth/rights.ts'
import type { RawInput } from '../../http/request/body.ts'
import type { TermKey } from '../../model/resource.ts'
import { deleteRemoved } from '../../storage/removed-items.ts'
import { TRASH_KINDS, type TrashKindName, type TrashQuery, type TrashRow } from '../../storage/trash.ts'
import { auditRights } from '../audit.ts'
import type { PageRequest } from '../page-request.ts'
import { passOver } from '../refusals.ts'
import { seriesOf } from '../series.ts'
import { restoreDate, restoreDates } from './series.ts'

/** A kind of items in the trash. */
interface TrashKind {
  readonly text: MessageId
  /** Least role that restores them. */
  readonly role: Role
  /** Whether authors and contributors see only their own. */
  readonly isOwned?: true
  /** Least role that deletes them permanently; that of restoring if absent. */
  readonly destroyer?: Role
  /** @throws what is refused; then it stays in the trash */
  restore(request: PageRequest, row: TrashRow): Promise<void>
  /** @throws what is refused */
  destroy(request: PageRequest, row: TrashRow): Promise<void>
}

const OWNED = { role: 'contributor', isOwned: true, destroyer: 'editor' } as const

const KINDS: Readonly<Record<TrashKindName, TrashKind>> = {
  event: entries('common.events', 'events'),
  venue: entries('admin.venues', 'venues'),
  organizer: entries('fields.organizers', 'organizers'),
  category: terms('fields.categories', 'category'),
  tag: terms('fields.tags', 'tag'),
  image: {
    ...{ text: 'common.media', role: 'author', isOwned: true },
    restore: async ({ deps, incoming: { caller, now } }, { id }) =>
      void (await deps.media.restore({ id, caller, now })),
    destroy: ({ deps, incoming: { caller, now } }, { id }) => deps.media.destroy({ id, caller, now }),
  },
  date: {
    ...{ text: 'admin.series.thisDateOnly', ...OWNED },
    restore: async (request, row) => {
      await restoreDate(request, row)
      await deleteForGood(request, row)
    },
    destroy: async (request, row) => {
      const { deps, incoming } = request
      const path = `/events/${row.item_id}`
      const date = (await deps.api(incoming, { path }).catch(passOver))?.body as RawInput | undefined
      const query = { force: 'true', scope: 'this' }
      if (date?.['status'] === 'trash') await deps.api(incoming, { method: 'DELETE', path, query })
      await deleteForGood(request, row)
    },
  },
  dates: {
    ...{ text: 'admin.series.followingDates', ...OWNED, destroy: deleteForGood },
    restore: async (request, row) => {
      await restoreDates(request, row)
      await deleteForGood(request, row)
    },
  },
  subscription: {
    ...{ text: 'admin.subscriptions.title', role: 'administrator', destroy: deleteForGood },
    restore: async ({ deps }, { id }) => void (await restoreSubscription(deps, id)),
  },
  webhook: {
    ...{ text: 'admin.webhooks.title', role: 'administrator', destroy: deleteForGood },
    restore: async (request, { id }) => {
      auditRights(request, 'webhook brought back', aboutWebhook(await restoreWebhook(request.deps, id)))
    },
  },
}

/** Events, venues and organizers: the API moves them in and out of the trash. */
function entries(text: MessageId, collection: string): TrashKind {
  const scopeOf = async ({ deps, incoming }: PageRequest, path: string) => {
    const item = (await deps.api(incoming, { path })).body as RawInput
    return seriesOf(item) === undefined ? {} : { scope: 'all' }
  }
  return {
    text,
    ...OWNED,
    restore: async (request, { id, trashed_from }) => {
      const path = `/${collection}/${id}`
      const body = { status: trashed_from ?? 'draft', ...(await scopeOf(request, path)) }
      await request.deps.api(request.incoming, { method: 'POST', path, body })
    },
    destroy: async (request, { id }) => {
      const path = `/${collection}/${id}`
      const query = { force: 'true', ...(await scopeOf(request, path)) }
      await request.deps.api(request.incoming, { method: 'DELETE', path, query })
    },
  }
}

function terms(text: MessageId, key: TermKey): TrashKind {
  return {
    ...{ text, role: 'author', destroy: deleteForGood },
    restore: async ({ deps, incoming }, { id }) => {
      const { caller, now } = incoming
      await deps.storage.write((tx) => restoreTerm(tx, key, { removal: id, caller, now }))
    },
  }
}

async function deleteForGood({ deps }: PageRequest, { id }: TrashRow): Promise<void> {
  await deps.storage.write((tx) => deleteRemoved(tx, id))
}

/** The part of the trash that someone may restore. */
export function trashFor({ incoming }: Pick<PageRequest, 'incoming'>): Pick<TrashQuery, 'kinds' | 'now'> {
  const { caller, now } = incoming
  const kinds = TRASH_KINDS.filter((kind) => isAtLeast(caller.role, KINDS[kind].role)).map((kind) => {
    const isLimited = KINDS[kind].isOwned === true && !isEditor(caller.role)
    return { kind, author: isLimited ? caller.id : undefined }
  })
  return { kinds, now }
}

/** What a kind is called. */
export function kindText({ t }: Pick<PageRequest, 't'>, kind: TrashKindName): string {
  return t(KINDS[kind].text)
}

/** Whether someone may delete something in the trash permanently. */
export function mayDestroy({ incoming }: PageRequest, { kind }: Pick<TrashRow, 'kind'>): boolean {
  const { destroyer, role } = KINDS[kind]
  return isAtLeast(incoming.caller.role, destroyer ?? role)
}

/** Restores something that `trashFor` includes. @throws what is refused; then it stays in the trash */
export function restoreRow(request: PageRequest, row: TrashRow): Promise<void> {
  return KINDS[row.kind].restore(request, row)
}

/** Deletes something permanently that `mayDestroy` allows. @throws what is refused */
export function destroyRow(request: PageRequest, row: TrashRow): Promise<void> {
  return KINDS[row.kind].destroy(request, row)
}
