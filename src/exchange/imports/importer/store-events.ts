import type { Reader, Transaction } from '../../../storage/engine.ts'
import { insertRows } from '../../../storage/row-writes.ts'
import type { ProvenanceTable } from '../../../storage/schema.ts'
import { inList } from '../../../storage/statement-template.ts'
import { askInParts } from '../slices.ts'

/** The state of an event in the last import of a calendar or table. */
export interface ImportedEvent {
  /** That of the event. */
  readonly id: number
  /** Of the subscription; 0 for files. */
  readonly subscription: number
  /** Its global ID in the file. */
  readonly name: string
  /** JSON of digests, see `Said`. */
  readonly said: string
  /** 1 while it is in the trash because the subscription no longer has it, 2 when it stayed because it was over. */
  readonly is_gone: number
}

/** Kind of these events in the table of provenance. */
const KIND = 'uid'

const FILES = 'files'

/** The origin of events of a subscription; 0 for files. */
function originOf(subscription: number): string {
  return subscription === 0 ? FILES : `subscription ${subscription}`
}

function subscriptionIn(origin: string): number {
  return origin === FILES ? 0 : Number(origin.replace('subscription ', ''))
}

function importedEvent({ origin, external_id, item_id, digest, is_gone }: ProvenanceTable): ImportedEvent {
  return { id: item_id, subscription: subscriptionIn(origin), name: external_id, said: digest, is_gone }
}

function allOfKind(reader: Reader) {
  return reader.db.selectFrom('provenance').selectAll().where('kind', '=', KIND)
}

/** The last imported state of the events with these global IDs. */
export async function importedEvents(reader: Reader, names: readonly string[]): Promise<ImportedEvent[]> {
  const rows = await askInParts(names, (part) =>
    reader.all(
      allOfKind(reader)
        .where(inList(reader.engine, 'provenance.external_id', part))
        .orderBy('item_id'),
    ),
  )
  return rows.map(importedEvent)
}

/** The events of a subscription, by ID; those that it has had, too, with `gone`. At most `most`. */
export async function eventsFrom(
  reader: Reader,
  subscription: number,
  { gone = false, most }: { readonly gone?: boolean; readonly most?: number | undefined } = {},
): Promise<ImportedEvent[]> {
  const ofOrigin = allOfKind(reader).where('origin', '=', originOf(subscription)).orderBy('item_id')
  const query = gone ? ofOrigin : ofOrigin.where('is_gone', '=', 0)
  return (await reader.all(most === undefined ? query : query.limit(most))).map(importedEvent)
}

/** Stores the imported state of events; each has one. */
export async function storeImportedEvents(tx: Transaction, events: readonly ImportedEvent[]): Promise<void> {
  const rows = events.map(({ id: item_id, subscription, name: external_id, said: digest, is_gone }) => {
    return { origin: originOf(subscription), kind: KIND, external_id, item_id, digest, is_gone }
  })
  const former = tx.db.deleteFrom('provenance').where('kind', '=', KIND)
  const ids = rows.map(({ item_id }) => item_id)
  await tx.run(former.where(inList(tx.engine, 'item_id', ids)))
  // The event that had such a name here may have been deleted.
  for (const [origin, some] of Map.groupBy(rows, (row) => row.origin)) {
    const names = some.map(({ external_id }) => external_id)
    await tx.run(former.where('origin', '=', origin).where(inList(tx.engine, 'external_id', names)))
  }
  await insertRows(tx, 'provenance', rows)
}

/** Notes that a subscription no longer has an event: `1` when it was trashed, `2` when it stays because it is over. */
export async function noteGone(tx: Transaction, id: number, is_gone: 1 | 2): Promise<void> {
  const change = tx.db.updateTable('provenance').set({ is_gone }).where('kind', '=', KIND)
  await tx.run(change.where('item_id', '=', id))
}

/** Lets the events of a subscription belong to none. */
export async function releaseEvents(tx: Transaction, subscription: number): Promise<void> {
  const origin = originOf(subscription)
  const names = tx.db.selectFrom('provenance').select('external_id').where('origin', '=', origin)
  const former = tx.db.deleteFrom('provenance').where('origin', '=', FILES).where('kind', '=', KIND)
  await tx.run(former.where('external_id', 'in', names))
  await tx.run(tx.db.updateTable('provenance').set({ origin: FILES }).where('origin', '=', origin))
}

/** Gives a new subscription those of some events that belong to none. */
export async function giveEvents(tx: Transaction, subscription: number, ids: readonly number[]): Promise<void> {
  const change = tx.db.updateTable('provenance').set({ origin: originOf(subscription) })
  await tx.run(
    change
      .where('kind', '=', KIND)
      .where('origin', '=', FILES)
      .where(inList(tx.engine, 'item_id', ids)),
  )
}

/** How many current events came from each subscription, or from one; subscriptions without any are left out. */
export async function eventCounts(reader: Reader, subscription?: number): Promise<ReadonlyMap<number, number>> {
  const counted = reader.db
    .selectFrom('provenance')
    .select(['origin', (row) => row.fn.countAll().as('count')])
    .where('kind', '=', KIND)
    .where('is_gone', '=', 0)
    .groupBy('origin')
  const query = subscription === undefined ? counted : counted.where('origin', '=', originOf(subscription))
  const rows = await reader.all(query)
  return new Map(rows.map(({ origin, count }) => [subscriptionIn(origin), Number(count)]))
}
