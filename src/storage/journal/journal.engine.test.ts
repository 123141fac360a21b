import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { workOf } from '../../../test/support/work.ts'
import type { Reader, Statement, Storage } from '../engine.ts'
import { record } from './append.ts'
import type { Change, JournalEntry } from './entry.ts'
import { hasChangedSince, headSeq, pastOf, readSince } from './read.ts'
import { subscribe } from './subscribe.ts'

function change(id: number, more: Partial<Change> = {}): Change {
  return {
    actor: 1,
    resource: 'event',
    id,
    revision: 1,
    action: 'create',
    at: '2026-11-20 18:30:00',
    snapshot: { id, title: `Event ${id}` },
    ...more,
  }
}

function writeChanges(storage: Storage, ...changes: Change[]): Promise<void> {
  return storage.write(async (tx) => {
    for (const each of changes) record(tx, each)
  })
}

for (const engine of ENGINES) {
  test(`${engine}: an empty journal has no entries and its head is 0`, async (t) => {
    const storage = await openTestStorage(engine, t)
    assert.equal(await headSeq(storage), 0)
    assert.deepEqual(await readSince(storage, 0, 10), [])
  })

  test(`${engine}: changes are kept in the order of their reports with everything that was said`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const changes = [
      change(1),
      change(2, { actor: null, action: 'delete', snapshot: null, revision: 7, resource: 'venue' }),
      change(3, { snapshot: { text: 'ä "quoted"', nested: [1, null] } }),
    ]
    await writeChanges(storage, ...changes)
    assert.deepEqual(
      await readSince(storage, 0, 10),
      changes.map((each, index) => ({ seq: index + 1, ...each })),
    )
    assert.equal(await headSeq(storage), 3)
  })

  test(`${engine}: reading on begins after the number and ends at the limit`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await writeChanges(storage, ...[1, 2, 3, 4, 5].map((id) => change(id)))
    const seqs = async (seq: number, limit: number) => (await readSince(storage, seq, limit)).map((entry) => entry.seq)
    assert.deepEqual(await seqs(0, 2), [1, 2])
    assert.deepEqual(await seqs(2, 2), [3, 4])
    assert.deepEqual(await seqs(4, 2), [5])
    assert.deepEqual(await seqs(5, 2), [])
  })

  test(`${engine}: an item has changed when someone changed it, and not when time brought further dates of it`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await writeChanges(storage, change(1), change(2), change(1, { actor: null, action: 'extend', revision: 2 }))
    const hasChanged = (seq: number) => hasChangedSince(storage, { resource: 'event', id: 1, seq })
    assert.deepEqual([await hasChanged(0), await hasChanged(1)], [true, false])
    await writeChanges(storage, change(1, { action: 'update', revision: 3 }))
    assert.equal(await hasChanged(1), true)
  })

  test(`${engine}: entries are the last thing a job writes`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const heads: number[] = []
    await storage.write(async (tx) => {
      record(tx, change(1))
      heads.push(await headSeq(tx))
      record(tx, change(2))
      heads.push(await headSeq(tx))
    })
    assert.deepEqual([heads, await headSeq(storage)], [[0, 0], 2])
  })

  test(`${engine}: a change reported by a last step is kept too`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(async (tx) => {
      record(tx, change(1))
      tx.atEnd(async () => record(tx, change(2)))
    })
    assert.deepEqual(
      (await readSince(storage, 0, 10)).map(({ seq, id }) => [seq, id]),
      [
        [1, 1],
        [2, 2],
      ],
    )
  })

  test(`${engine}: numbers have no gap and follow the answers, whichever writes fail`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const answered: number[] = []
    const writes = Array.from({ length: 200 }, async (_, index) => {
      await storage.write(async (tx) => {
        for (let n = 0; n <= index % 3; n += 1) record(tx, change(index))
        if (index % 5 === 0) throw new Error('changed my mind')
        if (index % 7 === 0) tx.atEnd(() => Promise.reject(new Error('too late')))
      })
      answered.push(index)
    })
    await Promise.allSettled(writes)
    const entries = await readSince(storage, 0, 1000)
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, index) => index + 1),
    )
    assert.deepEqual([...new Set(entries.map(({ id }) => id))], answered)
    assert.equal(await headSeq(storage), entries.length)
  })

  test(`${engine}: subscribers get entries after the commit, before the answer, in order`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const heard: JournalEntry[] = []
    const commits: number[] = []
    const order: string[] = []
    subscribe(storage, (entries) => {
      heard.push(...entries)
      commits.push(storage.stats().commits)
      order.push(`heard ${entries.map(({ id }) => id)}`)
    })
    const before = storage.stats().commits
    await Promise.all([
      writeChanges(storage, change(1), change(2)).then(() => order.push('answered 1,2')),
      writeChanges(storage, change(3)).then(() => order.push('answered 3')),
    ])
    assert.deepEqual(heard, await readSince(storage, 0, 10))
    assert.ok(commits.every((count) => count > before))
    for (const ids of ['1,2', '3']) assert.ok(order.indexOf(`heard ${ids}`) < order.indexOf(`answered ${ids}`))
  })

  test(`${engine}: what subscribers read is the state with the change`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const reads: Promise<number>[] = []
    subscribe(storage, () => reads.push(headSeq(storage)))
    await writeChanges(storage, change(1))
    assert.deepEqual(await Promise.all(reads), [1])
  })

  test(`${engine}: a failed write, or one without changes, is not heard`, async (t) => {
    const storage = await openTestStorage(engine, t)
    let heard = 0
    subscribe(storage, () => {
      heard += 1
    })
    const failing = storage.write(async (tx) => {
      record(tx, change(1))
      throw new Error('changed my mind')
    })
    await Promise.all([assert.rejects(failing), writeChanges(storage)])
    assert.equal(heard, 0)
  })

  test(`${engine}: a subscriber that throws is reported and harms neither the others nor the write`, async (t) => {
    const reports: unknown[] = []
    const storage = await openTestStorage(engine, t, { report: (error) => void reports.push(error) })
    const heard: number[] = []
    subscribe(storage, () => {
      throw new Error('no')
    })
    subscribe(storage, (entries) => heard.push(...entries.map(({ seq }) => seq)))
    await writeChanges(storage, change(1))
    await writeChanges(storage, change(2))
    assert.deepEqual([heard, reports.length], [[1, 2], 2])
  })

  test(`${engine}: one who unsubscribed, or who listens to another storage, hears nothing`, async (t) => {
    const [storage, other] = [await openTestStorage(engine, t), await openTestStorage(engine, t)]
    const heard: string[] = []
    const stop = subscribe(storage, () => heard.push('stopped'))
    subscribe(other, () => heard.push('other'))
    subscribe(storage, () => heard.push('listening'))
    stop()
    stop()
    await writeChanges(storage, change(1))
    assert.deepEqual(heard, ['listening'])
  })
}

if (ENGINES.includes('sqlite')) {
  test('items as they were are looked up in the journal by their ids, however long it is', async (t) => {
    const storage = await openTestStorage('sqlite', t)
    const asked: Statement[] = []
    const reader: Reader = {
      ...storage,
      all: async (query) => {
        asked.push(query.compile())
        return []
      },
    }
    await pastOf(reader, 'event', [
      { id: 1, revision: 1 },
      { id: 2, revision: 3 },
    ])
    const [statement] = asked as [Statement]
    assert.ok((await workOf(storage, [statement])).indexes.includes('journal_item'))
  })
}
