import { fold } from '../../../base/text/fold.ts'
import { plainText, textOfHtml } from '../../../base/text/html.ts'
import type { Caller } from '../../../http/auth/rights.ts'
import type { RawInput } from '../../../http/request/body.ts'
import { type Columns, html, storedOf } from '../../../model/column.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import { STATUSES, type Status } from '../../../model/status.ts'
import type { ImageColumns } from '../image.ts'
import { visibilityOf } from '../listing.ts'
import { publishedAtOf, resolveStatus } from '../publication.ts'
import { statusBeforeTrash } from '../trash.ts'
import type { LinkedRoom } from './room.ts'
import type { ConflictingField, EntryValues, LinkedContent, LinkedDraft, LinkedRow, NewLinked } from './row.ts'
import type { DuplicateQuery } from './store.ts'

/** Who writes, and when. */
export interface WriteContext {
  readonly caller: Caller
  /** The present moment, UTC text. */
  readonly at: string
}

/** The members of a module that the pure rules need; see `LinkedRoom`. */
type RoomRules<Content extends LinkedContent> = Pick<
  LinkedRoom<readonly AnyField[], Content>,
  'key' | 'columns' | 'blank' | 'pairs' | 'alwaysSent' | 'complete'
>

/** What was sent, as columns; `sent` includes what was skipped because it equals what GET returns. */
export function draftOf<Content extends LinkedContent>(
  room: RoomRules<Content>,
  values: EntryValues & Readonly<Record<string, unknown>>,
  sent: RawInput,
): LinkedDraft<Content> {
  const repeated = room.alwaysSent.flatMap((name) => {
    const text = values[name] === undefined ? sent[name] : undefined
    return typeof text === 'string' ? [[name, plainText(text)]] : []
  })
  const all = { ...values, ...Object.fromEntries(repeated) }
  const content = storedOf(room.columns, all, (column) => (column === 'name' ? room.key : column))
  return { entry: values, content }
}

/** A column of a pair conflicts when it was sent and its counterpart has no value. */
export function conflictsOf<Content extends LinkedContent>(
  { pairs, blank }: Pick<RoomRules<Content>, 'pairs' | 'blank'>,
  sent: Partial<Content>,
  stored: Content | undefined,
): readonly ConflictingField[] {
  const all = { ...blank, ...stored, ...sent }
  return pairs.flatMap(([one, other]): ConflictingField[] => {
    if ((all[one] === null) === (all[other] === null)) return []
    const alone = all[one] === null ? other : one
    return (sent[alone] ?? null) === null
      ? []
      : [{ name: alone, reason: 'needs_others', detail: alone === one ? other : one }]
  })
}

/** What was sent and what follows from it: clearing one column of a pair clears both. */
export function completed<Content extends LinkedContent>(
  room: RoomRules<Content>,
  sent: Partial<Content>,
  stored: Content | undefined,
): Partial<Content> {
  const cleared = room.pairs.filter((pair) => pair.some((name) => sent[name] === null)).flat()
  return { ...room.complete(sent, stored), ...Object.fromEntries(cleared.map((name) => [name, null])) }
}

/** The text that a search finds an item by: folded, one field a line, so that no phrase matches across two fields. */
export function searchTextOf<Content extends LinkedContent>(
  { columns, searched }: Pick<LinkedRoom<readonly AnyField[], Content>, 'columns' | 'searched'>,
  row: LinkedRow<Content>,
): string {
  const kinds: Columns = { ...columns, excerpt: html }
  const filled = searched.filter((name) => row[name] !== '')
  const texts = filled.map((name) => {
    const text = String(row[name])
    return kinds[name]?.kind === 'html' ? textOfHtml(text) : text
  })
  const lines = texts.map(fold)
  return lines.filter((line) => line !== '').join('\n')
}

/** What the rules need beside the request. */
export interface RuleContext {
  readonly cause: WriteContext
  /** Zone of the site. */
  readonly zone: string
  /** The columns of the image that was sent; `{}` when none was. */
  readonly image: Partial<ImageColumns>
}

/** The status of a row. */
function statusOf(row: { readonly status: string }): Status {
  const status = STATUSES.find((one) => one === row.status)
  if (status === undefined) throw new Error(`"${row.status}" is no status`)
  return status
}

/** The row that a create makes. */
export function newRow<Content extends LinkedContent>(
  room: RoomRules<Content>,
  draft: LinkedDraft<Content>,
  { cause, zone, image }: RuleContext,
): NewLinked<Content> {
  const published_at = publishedAtOf(draft.entry, zone) ?? cause.at
  const question = {
    caller: cause.caller,
    sent: draft.entry.status,
    stored: undefined,
    publishedAt: published_at,
    nowUtc: cause.at,
  }
  const status = resolveStatus(question)
  return {
    ...room.blank,
    ...completed(room, draft.content, undefined),
    author_id: draft.entry.author ?? cause.caller.id,
    status,
    trashed_from: statusBeforeTrash(undefined, status),
    slug: draft.entry.slug ?? '',
    published_at,
    modified_at: cause.at,
    excerpt: draft.entry.excerpt ?? '',
    image_id: null,
    image_recorded: null,
    ...image,
    extra: null,
  }
}

/** The row with the sent values; a slug that was sent may be taken, revision and modification date stay as they were. */
export function changedRow<Content extends LinkedContent>(
  room: RoomRules<Content>,
  { stored, draft }: { readonly stored: LinkedRow<Content>; readonly draft: LinkedDraft<Content> },
  { cause, zone, image }: RuleContext,
): LinkedRow<Content> {
  const { author, status: sent, slug = stored.slug, excerpt = stored.excerpt } = draft.entry
  const published_at = publishedAtOf(draft.entry, zone) ?? stored.published_at
  const status = resolveStatus({
    caller: cause.caller,
    sent,
    stored: statusOf(stored),
    publishedAt: published_at,
    nowUtc: cause.at,
  })
  const row = {
    ...stored,
    ...completed(room, draft.content, stored),
    ...image,
    author_id: author ?? stored.author_id,
    status,
    slug,
    published_at,
    excerpt,
  }
  return { ...row, name_folded: fold(row.name) }
}

/** What an existing item must match for a create to reuse it (decisions: Duplicates). */
export function duplicateQuery<Content extends LinkedContent>(
  draft: LinkedDraft<Content>,
  { cause, image }: Pick<RuleContext, 'cause' | 'image'>,
): DuplicateQuery {
  const { name = '', ...others } = draft.content
  const { slug = '', excerpt = '' } = draft.entry
  const sent = { ...others, slug, excerpt, ...(image.image_id !== undefined && { image_id: image.image_id }) }
  const equal = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '' && value !== null))
  return { name_folded: fold(name), equal, visibility: visibilityOf(cause.caller, undefined) }
}
