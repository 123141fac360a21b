import type { Reader, Transaction } from '../engine.ts'
import { insertRows } from '../row-writes.ts'
import type { JournalTable } from '../schema.ts'
import { type GivenAll, operand, statementTemplate } from '../statement-template.ts'
import type { Change, JournalEntry } from './entry.ts'
import { deliver } from './subscribe.ts'

/** Entries of one statement: their texts are in memory at the same time. */
const AT_ONCE = 16

const agents = new WeakMap<Transaction, string>()

/** Notes through which program of an agent all changes of a transaction are made. */
export function noteAgent(tx: Transaction, agent: string): void {
  agents.set(tx, agent)
}

const changesOf = new WeakMap<Transaction, Change[]>()

/**
 * Reports a change of this transaction. It is written by the last statements of the job, in the order of the reports,
 * and delivered to subscribers when the job is durable; a job that fails leaves no entry and no gap.
 */
export function record(tx: Transaction, change: Change): void {
  const changes = changesOf.get(tx)
  if (changes) {
    changes.push(change)
    return
  }
  changesOf.set(tx, [change])
  tx.atEnd(() => append(tx))
}

async function append(tx: Transaction): Promise<void> {
  const changes = changesOf.get(tx) ?? []
  changesOf.delete(tx)
  const before = (await advanceHead(tx, changes.length)) - changes.length
  const agent = agents.get(tx) ?? null
  const entries = changes.map((change, index): JournalEntry => ({ seq: before + index + 1, ...change }))
  for (let done = 0; done < entries.length; done += AT_ONCE)
    await insertRows(
      tx,
      'journal',
      entries.slice(done, done + AT_ONCE).map((entry) => rowOf(entry, agent)),
    )
  tx.afterCommit(() => deliver(tx.db, entries))
}

/**
 * Takes the next numbers. Only the last statements of a transaction touch this row: the transaction that has
 * incremented it holds its lock until the commit, so numbers become visible in order and an abort returns them.
 */
async function advanceHead(tx: Transaction, count: number): Promise<number> {
  const head = await tx.first(headAdvanced(tx, { shape: null, values: { count } }))
  if (!head) throw new Error('the database has no journal_head')
  return head.seq
}

const headAdvanced = statementTemplate(
  (reader: Reader, _shape: null, { count }: GivenAll<{ readonly count: number }>) =>
    reader.db
      .updateTable('journal_head')
      .set((eb) => ({ seq: eb('seq', '+', operand(count)) }))
      .returning('seq'),
)

function rowOf(
  { seq, at, actor, resource, id, revision, action, snapshot }: JournalEntry,
  agent: JournalTable['agent'],
): JournalTable {
  return { seq, at, actor, resource, id, revision, action, snapshot: snapshot && JSON.stringify(snapshot), agent }
}
