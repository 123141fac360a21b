import type { Caller } from '../auth/caller.ts'
import { isEditor, mayEdit, mayListUnpublished } from '../auth/rights.ts'
import { choices } from '../fields/choice.ts'
import type { Refusal } from '../http/route.ts'
import { STATUSES, type Status } from '../model/status.ts'

const statuses = choices([...STATUSES, 'any'], 'bad_status')

/** What the `status` parameter of lists takes; an empty one asks for publish and private (wire: rest 2.5, events 3.8). */
export const statusFilter: typeof statuses = {
  ...statuses,
  parse: (value, context) => statuses.parse(value === '' ? ['publish', 'private'] : value, context),
}

/** What a list may show of its rows by status: to everybody, and of the caller's own. */
export interface Visibility {
  /** Statuses of rows that are shown whoever owns them. */
  readonly ofAll: readonly Status[]
  /** Further statuses of rows that the caller owns. */
  readonly ofOwn: readonly Status[]
  /** The caller. */
  readonly ownerId: number
}

const UNTRASHED: readonly Status[] = STATUSES.filter((one) => one !== 'trash')

/**
 * What a caller's list shows (decisions: Rights): editors everything but the trash, other writers what is published
 * and what is theirs, everybody else what is published; `status` narrows that down, and only it reaches the trash.
 */
export function visibilityOf(caller: Caller, sent: readonly (Status | 'any')[] | undefined): Visibility {
  const asked = sent === undefined || sent.includes('any') ? UNTRASHED : sent.filter((one) => one !== 'any')
  if (!mayListUnpublished(caller.role)) return { ofAll: ['publish'], ofOwn: [], ownerId: caller.id }
  if (isEditor(caller.role)) return { ofAll: asked, ofOwn: [], ownerId: caller.id }
  const published = asked.filter((one) => one === 'publish')
  return { ofAll: published, ofOwn: asked.filter((one) => one !== 'publish'), ownerId: caller.id }
}

/** Whose entries a caller may edit (`mayEdit`), by status; undefined for those who may edit none. */
export function editableBy(caller: Caller): Visibility | undefined {
  const mine = (status: Status): boolean => mayEdit(caller, { authorId: caller.id, status })
  if (isEditor(caller.role)) return { ofAll: STATUSES, ofOwn: [], ownerId: caller.id }
  const ofOwn = STATUSES.filter(mine)
  return ofOwn.length === 0 ? undefined : { ofAll: [], ofOwn, ownerId: caller.id }
}

/**
 * The status that a list's links carry: the one that was sent, else `publish` for those who see nothing else. Those who
 * may write get the same rows again without one (decisions: Rights).
 */
export function statusLink(caller: Caller, sent: readonly (Status | 'any')[] | undefined): string | undefined {
  return sent?.join(',') ?? (mayListUnpublished(caller.role) ? undefined : 'publish')
}

/** Adds a refusal when the caller may not ask for these statuses: readers may name `publish` alone. */
export function checkStatus(caller: Caller, sent: readonly (Status | 'any')[] | undefined, refusals: Refusal[]): void {
  if (sent === undefined || mayListUnpublished(caller.role)) return
  if (sent.some((one) => one !== 'publish')) {
    refusals.push({ name: 'status', code: 'rest_invalid_param', reason: 'bad_status' })
  }
}
