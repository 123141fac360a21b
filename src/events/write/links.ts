import type { LinkedLookup } from '../../entries/linked/lookup.ts'
import type { EventLinks } from '../../event-store/event-row.ts'
import type { TermRef } from '../../fields/term-list.ts'
import type { Transaction } from '../../storage/engine.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import type { TermLookup } from '../../terms/index.ts'
import { utcFromMillis } from '../../time/zones.ts'
import { isShown } from '../show/load.ts'
import { keepHidden } from './rules.ts'
import { type EventChange, type LinkTarget, staleParameter, type Writing } from './writing.ts'

interface LinksQuestion {
  readonly change: EventChange
  readonly stored: EventLinks
  readonly writing: Writing
}

/** What an event links to after a write; new linked items and terms are created in the same transaction. */
export async function resolveLinks(tx: Transaction, { change, stored, writing }: LinksQuestion): Promise<EventLinks> {
  const { lookups } = writing
  return {
    venue: await resolveLinked(tx, {
      name: 'venue',
      lookup: lookups.venue,
      sent: change.venue,
      stored: stored.venue,
      writing,
    }),
    organizer: await resolveLinked(tx, {
      name: 'organizer',
      lookup: lookups.organizer,
      sent: change.organizer,
      stored: stored.organizer,
      writing,
    }),
    category: await storeTerms(tx, {
      name: 'categories',
      lookup: lookups.category,
      sent: change.category,
      stored: stored.category,
      writing,
    }),
    tag: await storeTerms(tx, { name: 'tags', lookup: lookups.tag, sent: change.tag, stored: stored.tag, writing }),
  }
}

interface LinkedQuestion<Row extends EntryColumns, Draft> {
  readonly name: 'venue' | 'organizer'
  readonly lookup: LinkedLookup<Row, Draft>
  readonly sent: readonly LinkTarget<Draft>[] | undefined
  readonly stored: readonly number[]
  readonly writing: Writing
}

async function resolveLinked<Row extends EntryColumns, Draft>(
  tx: Transaction,
  { name, lookup, sent, stored, writing }: LinkedQuestion<Row, Draft>,
): Promise<readonly number[]> {
  if (sent === undefined) return stored
  const ids: number[] = []
  for (const target of sent) {
    ids.push(target.by === 'id' ? target.id : await lookup.saveInline(tx, target.draft, writing))
  }
  const rows = await lookup.byIds(tx, [...ids, ...stored])
  if (ids.some((id) => !rows.has(id))) throw staleParameter(name, 'unknown_id')
  const hidden = stored.filter((id) => {
    const row = rows.get(id)
    return row !== undefined && !isShown(row, writing)
  })
  return keepHidden(ids, stored, new Set(hidden))
}

interface TermsQuestion {
  readonly name: 'categories' | 'tags'
  readonly lookup: TermLookup
  readonly sent: readonly TermRef[] | undefined
  readonly stored: readonly number[]
  readonly writing: Writing
}

/** The ids of the named terms; names that no term has yet become terms (decisions: Link shapes). */
async function storeTerms(
  tx: Transaction,
  { name, lookup, sent, stored, writing }: TermsQuestion,
): Promise<readonly number[]> {
  if (sent === undefined) return stored
  const wanted = sent.flatMap((ref) => (ref.by === 'id' ? [ref.id] : []))
  const known = new Set((await lookup.byIds(tx, wanted)).map((term) => term.id))
  if (wanted.some((id) => !known.has(id))) throw staleParameter(name, 'unknown_id')
  const writer = { actor: writing.caller.id, at: utcFromMillis(writing.now) }
  const named = new Set<number>()
  for (const ref of sent) {
    if (ref.by === 'id') named.add(ref.id)
    else {
      const found = (await lookup.find(tx, [ref.text])).get(ref.text)
      named.add(found ?? (await lookup.create(tx, { name: ref.text, ...writer })).id)
    }
  }
  // Events show their terms by name: the same ones in another order are no change (decisions: Round trip).
  const isSame = named.size === stored.length && stored.every((id) => named.has(id))
  return isSame ? stored : [...named]
}
