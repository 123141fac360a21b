import { fail } from '../../base/errors.ts'
import { fold } from '../../base/text/fold.ts'
import type { Caller } from '../../http/auth/caller.ts'
import { forbidden } from '../../http/auth/rights.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { JournalEntry } from '../../storage/journal/entry.ts'
import { areChangedSince, lastDeletion, pastOf, readSince } from '../../storage/journal/read.ts'
import type { EventLinks } from '../event-store/event-row.ts'
import { recordEventChanges } from '../event-store/record-changes.ts'
import { inSlices } from '../event-store/series/slices.ts'
import { eventsBelow, regroup } from '../event-store/tree.ts'
import { MAY_WRITE } from './routes.ts'
import { derivedColumns } from './rules.ts'
import { idOfSlug, idsOfDuplicates, termById } from './store.ts'
import { eventsWith } from './store-events.ts'
import { addUses, insertTerm, listUses, moveChildren, recountTerms } from './store-write.ts'
import type { Term } from './tables.ts'
import { recordTerm } from './write.ts'

/** Which deletion is to be taken back: moments are UTC text. */
export interface TermDeletion {
  readonly id: number
  /** User who deleted it. */
  readonly by: number
  /** When that was at the earliest and at the latest. */
  readonly since: string
  readonly until: string
}

/** A deletion, who takes it back, and when (UTC text). */
interface TermRestoration {
  readonly deletion: TermDeletion
  readonly caller: Caller
  readonly at: string
}

/** A term that is no more, as it was last, and the entry of the journal that says that it was deleted. */
interface DeletedTerm {
  readonly term: Term
  readonly entry: Deletion
}

type Deletion = Pick<JournalEntry, 'seq' | 'at' | 'actor' | 'revision'>

/**
 * The term that a deletion has taken away, as it was last.
 * @throws precondition_failed where it is there again, was deleted by somebody else since, or is not in the journal
 */
export async function deletedTerm(reader: Reader, key: TermKey, deletion: TermDeletion): Promise<DeletedTerm> {
  const { id, by, since, until } = deletion
  const entry = await lastDeletion(reader, { resource: key, id })
  const isThis = entry !== undefined && entry.actor === by && since <= entry.at && entry.at <= until
  if (!isThis || (await termById(reader, key, id)) !== undefined) throw fail('precondition_failed')
  const [past] = await pastOf(reader, key, [{ id, revision: entry.revision - 1 }])
  if (past === undefined || !isTerm(past.snapshot)) throw fail('precondition_failed')
  return { term: past.snapshot, entry }
}

/** Whether the journal says that a term was like this. */
function isTerm(snapshot: object | null): snapshot is Term {
  return snapshot !== null && 'slug' in snapshot && 'parent' in snapshot
}

/** Whether the journal says that an event was like this. */
function isLinked(snapshot: object): snapshot is { readonly links: EventLinks } {
  return 'links' in snapshot
}

/**
 * Takes the deletion of a term back: it has its id, texts and place again, the children that moved to its parent and still
 * are there, and all events that lost it, whatever else was changed of them since. Where its parent is gone, it gets the
 * one that the children of that got.
 * @throws rest_forbidden, what `deletedTerm` throws, duplicate_term_slug and term_exists where its slug or name was taken
 * meanwhile
 */
export async function restoreTerm(tx: Transaction, key: TermKey, restoration: TermRestoration): Promise<void> {
  const { deletion, caller, at } = restoration
  if (!MAY_WRITE[key](caller.role)) throw forbidden(caller)
  const { term: was, entry } = await deletedTerm(tx, key, deletion)
  const { id, slug } = was
  if ((await idOfSlug(tx, key, slug)) !== undefined) throw fail('duplicate_term_slug', { slug })
  const parent = await placeLeft(tx, was.parent)
  const agent = { actor: caller.id, at }
  const lost = await lostWith(tx, { key, id, entry })
  const children = await moveChildren(tx, key, { from: parent, to: id, only: lost.children })
  await requireFreeName(tx, key, { name: was.name, parent, since: entry.seq })
  const term = { ...was, ...derivedColumns(was), parent, count: 0, revision: entry.revision + 1 }
  await insertTerm(tx, key, term)
  recordTerm(tx, { key, term, action: 'restore' }, agent)
  for (const child of children) recordTerm(tx, { key, term: child, action: 'update' }, agent)
  await inSlices(tx, lost.events, {
    step: async (ids) => {
      await addUses(tx, key, { id, events: ids })
      await recordEventChanges(tx, ids, agent)
    },
  })
  await recountTerms(tx, key, [id])
  if (key === 'category') await regroup(tx, { parents: [id], events: await eventsBelow(tx, [id]) })
  else await listUses(tx, key, { id, events: await eventsWith(tx, key, id) })
}

/** The category, or 0, that stands where a parent was: of one that was deleted the one that its children moved to. */
async function placeLeft(reader: Reader, parent: number): Promise<number> {
  if (parent === 0 || (await termById(reader, 'category', parent)) !== undefined) return parent
  const entry = await lastDeletion(reader, { resource: 'category', id: parent })
  if (entry === undefined) return 0
  const [past] = await pastOf(reader, 'category', [{ id: parent, revision: entry.revision - 1 }])
  // Each was there when the one before was deleted, so this comes to an end.
  return past !== undefined && isTerm(past.snapshot) ? placeLeft(reader, past.snapshot.parent) : 0
}

/** @throws term_exists where another term has got the name under the same parent since a number of the journal */
async function requireFreeName(
  reader: Reader,
  key: TermKey,
  { name, parent, since }: { readonly name: string; readonly parent: number; readonly since: number },
): Promise<void> {
  // Those that had the name before have slugs of their own.
  const ids = await idsOfDuplicates(reader, key, { name: fold(name), parent })
  if (await areChangedSince(reader, { resource: key, ids, seq: since })) throw fail('term_exists')
}

/** Entries of the journal that are read together: texts of events may be long. */
const TOGETHER = 50

/** The children that lost their parent, and the events that lost a term, by the transaction that deleted it. */
async function lostWith(
  reader: Reader,
  { key, id, entry }: { readonly key: TermKey; readonly id: number; readonly entry: Deletion },
): Promise<{ readonly children: readonly number[]; readonly events: readonly number[] }> {
  const lost = { children: new Set<number>(), events: new Set<number>() }
  for (let seq = entry.seq, count = TOGETHER; count === TOGETHER; ) {
    if (seq > entry.seq) await reader.pause()
    const page = await readSince(reader, seq, TOGETHER)
    const end = page.findIndex((one) => !isOfDeletion(one, key, entry))
    const own = end < 0 ? page : page.slice(0, end)
    for (const one of await statesBefore(reader, key, own))
      if (isTerm(one.snapshot) && one.snapshot.parent === id) lost.children.add(one.id)
    for (const one of await statesBefore(reader, 'event', own))
      if (isLinked(one.snapshot) && one.snapshot.links[key].includes(id)) lost.events.add(one.id)
    count = own.length
    seq = own.at(-1)?.seq ?? seq
  }
  return { children: [...lost.children], events: [...lost.events] }
}

/** Whether a change followed from a deletion, or was made by the same user in the same second right after it. */
function isOfDeletion({ resource, action, actor, at }: JournalEntry, key: TermKey, entry: Deletion): boolean {
  const isKind = resource === key || resource === 'event'
  return isKind && action === 'update' && actor === entry.actor && at === entry.at
}

/** What the items of a resource among these changes were before them; without those that the journal does not have. */
async function statesBefore(
  reader: Reader,
  resource: string,
  changes: readonly JournalEntry[],
): Promise<readonly { readonly id: number; readonly snapshot: object }[]> {
  const own = changes.filter((one) => one.resource === resource)
  if (own.length === 0) return []
  const before = own.map(({ id, revision }) => ({ id, revision: revision - 1 }))
  return (await pastOf(reader, resource, before)).flatMap(({ id, snapshot }) =>
    snapshot === null ? [] : { id, snapshot },
  )
}
