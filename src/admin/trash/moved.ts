import { utcFromMillis } from '../../base/time/zones.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { lastRemoval, REMOVED_KINDS } from '../../storage/removed-items.ts'
import { readTrash, TRASH_KINDS, type TrashKey, type TrashKindName } from '../../storage/trash.ts'
import { sameAddress } from '../address.ts'
import { csrfField } from '../layout.ts'
import type { PageRequest } from '../page-request.ts'
import { trashFor } from './kinds.ts'

/** Where the trash is. */
export const TRASH_PATH = '/admin/trash'

/** Most items that one form restores. */
export const MOST = 100

/** How long the message after deleting offers to restore, in milliseconds. */
const OFFERED = 3_600_000

/** How something in the trash is written in addresses and forms. */
export function writtenKey({ kind, id }: TrashKey): string {
  return `${kind}-${id}`
}

/** The items that a text or a list of texts names, at most 100. */
export function keysIn(value: unknown): readonly TrashKey[] {
  const texts = [value ?? ''].flat().flatMap((text) => String(text).split('.'))
  const keys = texts.flatMap((text) => {
    const [, name, id] = /^([a-z]+)-(\d{1,15})$/.exec(text) ?? []
    const kind = TRASH_KINDS.find((one) => one === name)
    return kind === undefined ? [] : { kind, id: Number(id) }
  })
  return keys.slice(0, MOST)
}

/** The key of an item that has just been moved to the trash. */
export async function keyOf(
  { deps }: Pick<PageRequest, 'deps'>,
  kind: TrashKindName,
  itemId: number,
): Promise<TrashKey | undefined> {
  const removed = REMOVED_KINDS.find((one) => one === kind)
  if (removed === undefined) return { kind, id: itemId }
  const id = await lastRemoval(deps.storage, { kind: removed, itemId })
  return id === undefined ? undefined : { kind, id }
}

/** What an address says after something was moved to the trash, so that its page offers to restore it. */
export function trashedParameter(keys: readonly (TrashKey | undefined)[]): string {
  return keys.flatMap((key) => (key === undefined ? [] : writtenKey(key))).join('.')
}

/** A button that restores what the reader has just deleted; nothing for everything else that an address names. */
export async function restoreButton(request: PageRequest): Promise<Markup> {
  const { t, deps, incoming, query } = request
  const named = keysIn(query('trashed'))
  if (named.length === 0) return NOTHING
  const rows = await readTrash(deps.storage, { ...trashFor(request), keys: named }, { limit: MOST })
  const since = utcFromMillis(incoming.now - OFFERED)
  const own = rows.filter(({ actor, at }) => actor === incoming.caller.id && at >= since)
  if (own.length === 0) return NOTHING
  const fields = own.map((row) => html`<input type="hidden" name="items[]" value="${writtenKey(row)}">`)
  const back = html`<input type="hidden" name="back" value="${sameAddress(request)}">`
  return html`<form method="post" action="${TRASH_PATH}">${csrfField(request)}${back}${fields}<button class="quiet" name="action" value="restore">${t('admin.trash.restore')}</button></form>`
}
