import { type Replacement, replaceLinked } from '../../entries/linked/replace.ts'
import type { LinkedRoom } from '../../entries/linked/room.ts'
import type { LinkedContent } from '../../entries/linked/row.ts'
import { createLinked } from '../../entries/linked/write.ts'
import type { AnyField } from '../../fields/field.ts'
import type { Transaction } from '../../storage/engine.ts'
import { lineagesOf } from '../../storage/entry-texts.ts'
import { leaveRoom } from '../../storage/identifiers.ts'
import {
  commonColumns,
  type ImportedItem,
  isThrownAway,
  lineageOf,
  type Run,
  slugOf,
  storedEntries,
  thrownAway,
  wantedSlug,
} from './outcome.ts'
import type { RecordedLinked } from './read-linked.ts'

type Room<Content extends LinkedContent> = LinkedRoom<readonly AnyField[], Content>

/** Imports venues or organizers; how each came out. */
export async function importLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { items, run }: { readonly items: readonly RecordedLinked<Content>[]; readonly run: Run },
): Promise<ImportedItem[]> {
  const globalIds = items.map((item) => item.identity.globalId)
  const known = await storedEntries(tx, room.key, { globalIds, site: run.site })
  const rows = new Map((await room.rows(tx, [...known.values()])).map((row) => [row.id, row]))
  const lineages = await lineagesOf(tx, [...known.values()])
  if (globalIds.some((one) => !known.has(one))) await leaveRoom(tx, 'entry', run.wished.entry)
  const imported: ImportedItem[] = []
  for (const item of items) {
    const name = item.identity.globalId
    const id = known.get(name)
    const row = id === undefined ? undefined : rows.get(id)
    if (row === undefined) imported.push({ name, id: await create(tx, room, { item, run }), outcome: 'created' })
    else if (isThrownAway(row, item.entry)) imported.push({ name, id: row.id, outcome: thrownAway(item.place) })
    else {
      const before = { row, lineage: lineages.get(row.id) ?? [] }
      const isChanged = await replace(tx, room, { item, before, run })
      imported.push({ name, id: row.id, outcome: isChanged ? 'updated' : 'unchanged' })
    }
  }
  return imported
}

async function create<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { item, run }: { readonly item: RecordedLinked<Content>; readonly run: Run },
): Promise<number> {
  const { identity, entry } = item
  const columns = { ...item.content, ...commonColumns(item, undefined, run), slug: wantedSlug(entry, '') }
  const options = { actor: run.owner, at: run.at, wishedId: identity.wishedId }
  return (
    await createLinked(tx, room, {
      columns,
      options: { ...options, lineage: [identity.globalId, ...identity.lineage] },
    })
  ).id
}

async function replace<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  {
    item,
    before,
    run,
  }: { readonly item: RecordedLinked<Content>; readonly before: Replacement<Content>['before']; readonly run: Run },
): Promise<boolean> {
  const { entry, identity, content } = item
  const slug = await slugOf(tx, room.key, { entry, stored: before.row })
  const row = { ...before.row, ...content, ...commonColumns(item, before.row, run), slug }
  const lineage = lineageOf(identity, { id: row.id, site: run.site, before: before.lineage })
  return replaceLinked(tx, room, { before, after: { row, lineage }, actor: run.owner, at: run.at })
}
