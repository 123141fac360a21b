import { html, type Markup, NOTHING } from '../pages/html.ts'
import { lastRemoval, type RemovedKind } from '../storage/removed-items.ts'
import { sameAddress } from './address.ts'
import type { Asking } from './asking.ts'
import { csrfField } from './layout.ts'
import { undoIn, undoParameter } from './undo.ts'

/** A button that takes back what a text of `undoParameter` says was done; nothing where that is not possible. */
export function undoButton(asking: Asking, collection: string, undo: string): Markup {
  if (undoIn(asking, collection, undo) === undefined) return NOTHING
  return html`<form method="post" action="${sameAddress(asking)}">${csrfField(asking)}<input type="hidden" name="undo" value="${undo}"><button class="quiet" name="action" value="restore">${asking.t('Undo')}</button></form>`
}

/** What was removed, and the address of its list. */
interface RemovedFrom {
  readonly kind: RemovedKind
  /** That of the address of the page when absent. */
  readonly itemId?: number
  readonly list: string
}

/** The address of a list after one of its items was removed, with what offers to bring it back. */
export async function afterRemoval(asking: Asking, { kind, itemId, list }: RemovedFrom): Promise<string> {
  const id = itemId ?? Number(asking.incoming.path['id'])
  const removal = await lastRemoval(asking.parts.storage, { kind, itemId: id })
  const items = removal === undefined ? [] : [{ id: String(removal), status: 'publish', scope: '' }]
  return `${list}&undo=${undoParameter(asking, kind, { action: 'delete', items })}`
}

/** The number of the removal that a form of the list is to take back; undefined where it is old, or of another session. */
export function removalSent(asking: Asking, kind: RemovedKind): number | undefined {
  const [item] = undoIn(asking, kind, asking.sent('undo'))?.items ?? []
  return item === undefined ? undefined : Number(item.id)
}

/** The button of a list: after a removal, and again where it could not be taken back. */
export function removalButton(asking: Asking, kind: RemovedKind): Markup {
  return undoButton(asking, kind, asking.query('undo') || asking.sent('undo'))
}
