import { storedJson } from '../../base/text/stored-json.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Transaction } from '../engine.ts'
import { takeNumbers } from '../numbers.ts'
import { insertRow } from '../row-writes.ts'
import type { LongWorkTable } from '../schema.ts'
import type { LongWorkEntry, LongWorkKind, LongWorkState, NewLongWork, WorkProblem } from './types.ts'

/** Milliseconds without a sign of life after which the process of some work counts as dead. */
const LOST = 60_000

/** How many reports of each kind are kept, of changes of many items for each user, and for how many milliseconds. */
const KEPT = { count: 100, bulk: 20, time: 90 * 86_400_000 } as const

/** How many of a kind are listed. */
const LISTED = 25

const KINDS: readonly LongWorkKind[] = ['file-import', 'site-import', 'backup', 'bulk']

/** All columns but the longest. */
const SHORT = [
  ...(['id', 'kind', 'lane', 'state', 'by_id', 'by_name', 'about', 'done', 'total', 'started_at', 'seen_at'] as const),
  ...(['ended_at', 'is_stopping', 'follows', 'problem'] as const),
]

/** What starts. */
export type Beginning = Omit<NewLongWork, 'run'>

/** Notes that work starts, and forgets old reports; undefined where other work of its lane continues. */
export async function insertWork(tx: Transaction, work: Beginning, now: number): Promise<number | undefined> {
  if (work.lane !== '' && (await isTaken(tx, work.lane, now))) return undefined
  const id = await takeNumbers(tx, 'long_work')
  const at = utcFromMillis(now)
  await insertRow(tx, 'long_work', {
    ...{ id, kind: work.kind, lane: work.lane, state: 'running', by_id: work.by.id, by_name: work.by.name },
    ...{ about: JSON.stringify(work.about), done: 0, total: 0, started_at: at, seen_at: at, ended_at: null },
    ...{ is_stopping: 0, follows: work.follows ?? 0, outcome: null, problem: null },
  })
  await pruneOld(tx, work, now)
  return id
}

async function isTaken(tx: Transaction, lane: string, now: number): Promise<boolean> {
  const query = tx.db.selectFrom('long_work').selectAll().where('lane', '=', lane)
  const last = await tx.first(query.orderBy('id', 'desc').limit(1))
  return last !== undefined && entryOf(last, now).state === 'running'
}

/** Forgets an entry. */
export async function deleteWork(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('long_work_item').where('work_id', '=', id))
  await tx.run(tx.db.deleteFrom('long_work').where('id', '=', id))
}

/** Forgets what is too old, and what is too much of a kind: work that leaves no report has taken a number all the same. */
async function pruneOld(tx: Transaction, { kind, by }: Beginning, now: number): Promise<void> {
  const works = tx.db.selectFrom('long_work')
  // Everybody who may edit may change many items: nobody's reports make those of another one disappear.
  const isOwn = kind === 'bulk'
  const ofKind = works.select('id').where('kind', '=', kind).orderBy('id', 'desc')
  const newest = isOwn ? ofKind.where('by_id', '=', by.id).offset(KEPT.bulk) : ofKind.offset(KEPT.count)
  const last = (await tx.first(newest.limit(1)))?.id ?? 0
  const old = await tx.all(
    works
      .selectAll()
      .where((row) =>
        row.or([
          row.and([row('kind', '=', kind), row('id', '<=', last), ...(isOwn ? [row('by_id', '=', by.id)] : [])]),
          row('started_at', '<', utcFromMillis(now - KEPT.time)),
        ]),
      )
      .orderBy('id')
      .limit(KEPT.count),
  )
  for (const row of old) {
    if (entryOf(row, now).state !== 'running') await deleteWork(tx, row.id)
  }
}

/**
 * Forgets the failure before this one where the one before that was the same, too: of many in a row, as while a site is
 * away that is followed, the first and the last are kept, and no report of anything else makes room for them.
 */
export async function pruneRepeated(tx: Transaction, id: number): Promise<void> {
  const works = tx.db.selectFrom('long_work').selectAll()
  const row = await tx.first(works.where('id', '=', id))
  if (row?.state !== 'failed') return
  const alike = works.where('kind', '=', row.kind).where('about', '=', row.about)
  const before = await tx.all(alike.where('id', '<', id).orderBy('id', 'desc').limit(2))
  const [last] = before
  const isSame = before.every(({ state, problem }) => state === 'failed' && problem === row.problem)
  if (last !== undefined && before.length === 2 && isSame) await deleteWork(tx, last.id)
}

/** What a sign of life or the end changes. */
export interface WorkChange
  extends Partial<Pick<LongWorkTable, 'done' | 'total' | 'outcome' | 'problem' | 'ended_at'>> {
  readonly state?: LongWorkState
  readonly seen_at: string
}

/** Notes how work stands, unless it has ended already; whether it is wanted to stop. */
export async function changeWork(tx: Transaction, id: number, change: WorkChange): Promise<boolean> {
  await tx.run(tx.db.updateTable('long_work').set(change).where('id', '=', id).where('state', '=', 'running'))
  const row = await tx.first(tx.db.selectFrom('long_work').select('is_stopping').where('id', '=', id))
  return row === undefined || row.is_stopping === 1
}

/** Notes that work is wanted to stop. */
export async function askToStop(tx: Transaction, id: number): Promise<void> {
  await tx.run(
    tx.db.updateTable('long_work').set({ is_stopping: 1 }).where('id', '=', id).where('state', '=', 'running'),
  )
}

/** One entry; undefined for none. */
export async function workById(reader: Reader, id: number, now: number): Promise<LongWorkEntry | undefined> {
  const row = await reader.first(reader.db.selectFrom('long_work').selectAll().where('id', '=', id))
  return row && entryOf(row, now)
}

/** The last one of a kind; undefined for none. */
export async function latestWork(reader: Reader, kind: LongWorkKind, now: number): Promise<LongWorkEntry | undefined> {
  const query = reader.db.selectFrom('long_work').selectAll().where('kind', '=', kind)
  const row = await reader.first(query.orderBy('id', 'desc').limit(1))
  return row && entryOf(row, now)
}

/** The last ones of a kind, newest first. */
export async function recentWork(reader: Reader, kind: LongWorkKind, now: number): Promise<readonly LongWorkEntry[]> {
  const query = reader.db.selectFrom('long_work').selectAll().where('kind', '=', kind)
  const kept = query.where('started_at', '>=', utcFromMillis(now - KEPT.time))
  return (await reader.all(kept.orderBy('id', 'desc').limit(LISTED))).map((row) => entryOf(row, now))
}

/** The last ones of each kind, newest first: what there are many of hides nothing else. Outcomes are long and not read. */
export async function recentOfAll(reader: Reader, now: number): Promise<readonly Omit<LongWorkEntry, 'outcome'>[]> {
  const found: LongWorkTable[] = []
  for (const kind of KINDS) {
    const query = reader.db.selectFrom('long_work').select(SHORT).where('kind', '=', kind)
    const kept = query.where('started_at', '>=', utcFromMillis(now - KEPT.time))
    const rows = await reader.all(kept.orderBy('id', 'desc').limit(LISTED))
    found.push(...rows.map((row) => ({ ...row, outcome: null })))
  }
  return found.sort((one, other) => other.id - one.id).map((row) => entryOf(row, now))
}

/** Those that follow an entry, newest first. */
export async function workAfter(reader: Reader, id: number, now: number): Promise<readonly LongWorkEntry[]> {
  const query = reader.db.selectFrom('long_work').selectAll().where('follows', '=', id)
  return (await reader.all(query.orderBy('id', 'desc').limit(KEPT.count))).map((row) => entryOf(row, now))
}

function entryOf(row: LongWorkTable, now: number): LongWorkEntry {
  const isLost = row.state === 'running' && row.seen_at < utcFromMillis(now - LOST)
  return {
    id: row.id,
    kind: row.kind as LongWorkKind,
    state: isLost ? 'lost' : (row.state as LongWorkState),
    by: { id: row.by_id, name: row.by_name },
    about: row.about,
    done: row.done,
    total: row.total,
    startedAt: row.started_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    follows: row.follows,
    ...(row.outcome !== null && { outcome: row.outcome }),
    ...(row.problem !== null && { problem: storedJson<WorkProblem>(row.problem) }),
  }
}
