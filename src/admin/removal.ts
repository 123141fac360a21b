import { lastRemoval, type RemovedKind } from '../storage/removed-items.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import { sameAddress } from './address.ts'
import type { Asking } from './asking.ts'
import { csrfField } from './layout.ts'
import { undoIn, undoParameter } from './undo.ts'

/** A button that takes back what a text of `undoParameter` says was done; nothing where that is not possible. */
export function undoButton(asking: Asking, collection: string, undo: string): Markup {
  if (undoIn(asking, collection, undo) === undefined) return NOTHING
  return html`<form method="post" action="${sameAddress(asking)}">${csrfField(asking)}<input type="hidden" name="undo" value="${undo}"><button class="quiet" name="action" value="restore">${asking.t('Undo')}</button></form>`
}

/** The address of the list of sources or webhooks after one was removed, with what offers to bring it back. */
export async function afterRemoval(
  asking: Asking,
  { kind, list }: { readonly kind: RemovedKind; readonly list: string },
): Promise<string> {
  const removal = await lastRemoval(asking.parts.storage, { kind, itemId: Number(asking.incoming.path['id']) })
  const items = removal === undefined ? [] : [{ id: String(removal), status: 'publish', scope: '' }]
  return `${list}&undo=${undoParameter(asking, kind, { action: 'delete', items })}`
}

/** The number of the removal that a form of the list is to take back; undefined where it is old, or of another session. */
export function removalSent(asking: Asking, kind: RemovedKind): number | undefined {
  const [item] = undoIn(asking, kind, asking.sent('undo'))?.items ?? []
  return item === undefined ? undefined : Number(item.id)
}

/** The button of a list of sources or webhooks: after a removal, and again where it could not be taken back. */
export function removalButton(asking: Asking, kind: RemovedKind): Markup {
  return undoButton(asking, kind, asking.query('undo') || asking.sent('undo'))
}
