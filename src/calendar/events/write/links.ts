import type { TermRef } from '../../../model/kinds/term-list.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { EntryColumns } from '../../../storage/schema.ts'
import type { EventLinks } from '../../event-store/event-row.ts'
import type { LinkedLookup } from '../../shared/linked/lookup.ts'
import type { TermLookup } from '../../terms/index.ts'
import { isShown, type KnownRelations } from '../show/load.ts'
import { keepHidden } from './rules.ts'
import { type EventChange, type LinkTarget, staleParameter, type Writing } from './writing.ts'

interface LinksQuestion {
  readonly change: EventChange
  readonly stored: EventLinks
  readonly writing: Writing
}

/** What an event links to after a write, with what the write has found out about it. */
interface ResolvedLinks extends Required<KnownRelations> {
  readonly links: EventLinks
}

/** What an event links to after a write; new linked items and terms are created in the same transaction. */
export async function resolveLinks(tx: Transaction, question: LinksQuestion): Promise<ResolvedLinks> {
  const { change, stored, writing } = question
  const { lookups } = writing
  const made = new Set<number>()
  const linking = { made, writing }
  const venue = await resolveLinked(tx, {
    ...linking,
    ...{ name: 'venue', lookup: lookups.venue, sent: change.venue, stored: stored.venue },
  })
  const organizer = await resolveLinked(tx, {
    ...linking,
    ...{ name: 'organizer', lookup: lookups.organizer, sent: change.organizer, stored: stored.organizer },
  })
  const category = await storeTerms(tx, {
    ...{ name: 'categories', lookup: lookups.category, sent: change.category, stored: stored.category, writing },
  })
  const tag = await storeTerms(tx, {
    ...{ name: 'tags', lookup: lookups.tag, sent: change.tag, stored: stored.tag, writing },
  })
  const links = { venue: venue.ids, organizer: organizer.ids, category, tag }
  return { links, made, venues: venue.rows, organizers: organizer.rows }
}

interface LinkedQuestion<Row extends EntryColumns, Draft> {
  readonly name: 'venue' | 'organizer'
  readonly lookup: LinkedLookup<Row, Draft>
  readonly sent: readonly LinkTarget<Draft>[] | undefined
  readonly stored: readonly number[]
  readonly writing: Writing
  /** The ids of items that are made on the way are added here. */
  readonly made: Set<number>
}

/** The ids that are linked, and the rows that were read or made of them; none where none were sent. */
async function resolveLinked<Row extends EntryColumns, Draft>(
  tx: Transaction,
  { name, lookup, sent, stored, writing, made }: LinkedQuestion<Row, Draft>,
): Promise<{ readonly ids: readonly number[]; readonly rows?: ReadonlyMap<number, Row> }> {
  if (sent === undefined) return { ids: stored }
  const saved = new Map<number, Row>()
  const ids: number[] = []
  for (const target of sent) {
    if (target.by === 'data') {
      const { row, isNew } = await lookup.saveInline(tx, target.draft, writing)
      saved.set(row.id, row)
      if (isNew) made.add(row.id)
      ids.push(row.id)
    } else ids.push(target.id)
  }
  const others = [...ids, ...stored].filter((id) => !saved.has(id))
  const rows = others.length === 0 ? saved : new Map([...(await lookup.byIds(tx, others)), ...saved])
  if (ids.some((id) => !rows.has(id))) throw staleParameter(name, 'unknown_id')
  const hidden = stored.filter((id) => {
    const row = rows.get(id)
    return row !== undefined && !isShown(row, writing)
  })
  return { ids: keepHidden(ids, stored, new Set(hidden)), rows }
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
  const writer = { actor: writing.caller.id, at: writing.at }
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
