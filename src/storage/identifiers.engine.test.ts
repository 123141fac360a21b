import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { Storage } from './engine.ts'
import {
  claimEntryId,
  claimTermId,
  nextApplicationPasswordId,
  nextEntryId,
  nextTermId,
  nextUserId,
} from './identifiers.ts'

async function entryKinds(storage: Storage): Promise<[number, string][]> {
  const rows = await storage.all(storage.db.selectFrom('entry').select(['id', 'kind']).orderBy('id'))
  return rows.map(({ id, kind }) => [id, kind])
}

for (const engine of ENGINES) {
  test(`${engine}: entries of all kinds share one counter, terms have another, users and passwords their own`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const ids = await storage.write(async (tx) => [
      await nextEntryId(tx, 'event'),
      await nextEntryId(tx, 'venue'),
      await nextTermId(tx, 'category'),
      await nextTermId(tx, 'tag'),
      await nextUserId(tx),
      await nextApplicationPasswordId(tx),
      await nextEntryId(tx, 'media'),
    ])
    assert.deepEqual(ids, [1, 2, 1, 2, 1, 1, 3])
    assert.deepEqual(await entryKinds(storage), [
      [1, 'event'],
      [2, 'venue'],
      [3, 'media'],
    ])
  })

  test(`${engine}: an id that was deleted for good is not used again, also not by a claim`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const id = await storage.write(async (tx) => {
      const taken = await nextEntryId(tx, 'event')
      await tx.run(tx.db.insertInto('entry_text').values({ id: taken, body: 'x' }))
      return taken
    })
    await storage.write((tx) => tx.run(tx.db.deleteFrom('entry_text').where('id', '=', id)))
    assert.equal(await storage.write((tx) => claimEntryId(tx, 'event', id)), false)
    assert.equal(await storage.write((tx) => nextEntryId(tx, 'event')), id + 1)
  })

  test(`${engine}: a claim moves the counter on, and a free id below it can be claimed too`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(async (tx) => {
      assert.equal(await claimEntryId(tx, 'event', 50), true)
      assert.equal(await nextEntryId(tx, 'venue'), 51)
      assert.equal(await claimEntryId(tx, 'organizer', 20), true)
      assert.equal(await nextEntryId(tx, 'venue'), 52)
    })
    assert.deepEqual(await entryKinds(storage), [
      [20, 'organizer'],
      [50, 'event'],
      [51, 'venue'],
      [52, 'venue'],
    ])
  })

  test(`${engine}: a used id cannot be claimed by any kind, and the refusal changes nothing`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(async (tx) => {
      assert.equal(await claimEntryId(tx, 'event', 7), true)
      assert.equal(await claimEntryId(tx, 'event', 7), false)
      assert.equal(await claimEntryId(tx, 'venue', 7), false)
      assert.equal(await nextEntryId(tx, 'event'), 8)
    })
    assert.deepEqual(await entryKinds(storage), [
      [7, 'event'],
      [8, 'event'],
    ])
  })

  test(`${engine}: what is no identifier cannot be claimed`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(async (tx) => {
      for (const id of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53]) {
        assert.equal(await claimEntryId(tx, 'event', id), false, String(id))
        assert.equal(await claimTermId(tx, 'tag', id), false, String(id))
      }
      assert.equal(await nextEntryId(tx, 'event'), 1)
    })
  })

  test(`${engine}: terms are claimed like entries`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(async (tx) => {
      assert.equal(await claimTermId(tx, 'category', 9), true)
      assert.equal(await claimTermId(tx, 'tag', 9), false)
      assert.equal(await nextTermId(tx, 'tag'), 10)
      assert.equal(await nextEntryId(tx, 'event'), 1)
    })
  })

  test(`${engine}: writes at once, some of them failing, get different ids`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        storage.write(async (tx) => {
          const id = await nextEntryId(tx, 'event')
          if (index % 4 === 0) throw new Error('changed my mind')
          return id
        }),
      ),
    )
    const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    assert.equal(new Set(ids).size, 45)
    assert.deepEqual(
      (await entryKinds(storage)).map(([id]) => id),
      ids.sort((a, b) => a - b),
    )
  })
}
