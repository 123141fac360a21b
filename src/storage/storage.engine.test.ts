import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addressOf, ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { Compilable, Lane, Reader, Storage, Transaction } from './engine.ts'
import { openStorage } from './open.ts'

// What every engine owes to those above it (engine.ts), on the table `meta`.

function set(key: string, value = 'x'): (tx: Transaction) => Promise<string> {
  return async (tx) => {
    await tx.run(tx.db.insertInto('meta').values({ key, value }))
    return key
  }
}

async function keys(reader: Reader, lane?: Lane): Promise<string[]> {
  const rows = await reader.all(reader.db.selectFrom('meta').select('key').orderBy('key'), lane)
  return rows.map(({ key }) => key)
}

function raw<Row>(reader: Reader, builder: ReturnType<typeof sql<Row>>): Compilable<Row> {
  return { compile: () => builder.compile(reader.db) }
}

const LANES: readonly Lane[] = ['inline', 'offloaded']

for (const engine of ENGINES) {
  test(`${engine}: a write resolves with what its job returned and is seen by both lanes`, async (t) => {
    const storage = await openTestStorage(engine, t)
    assert.equal(await storage.write(set('a')), 'a')
    for (const lane of LANES) assert.deepEqual(await keys(storage, lane), ['a'])
  })

  test(`${engine}: a job sees its own writes, readers do not see them before the commit`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const seen: string[][] = []
    const outside: Promise<string[]>[] = []
    await storage.write(async (tx) => {
      await set('a')(tx)
      seen.push(await keys(tx))
      seen.push(await keys(tx, 'offloaded'))
      outside.push(keys(storage), keys(storage, 'offloaded'))
      // With SQLite the first of them is done, and waiting for the other one would end the job.
      if (engine !== 'sqlite') await Promise.all(outside)
    })
    assert.deepEqual(seen, [['a'], ['a']])
    assert.deepEqual((await Promise.all(outside))[0], [])
    assert.deepEqual(await keys(storage), ['a'])
  })

  test(`${engine}: no read during 200 writes at once sees an open transaction, and the engine that can shares commits`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const before = storage.stats()
    const acknowledged = new Set<string>()
    let open = true
    // Each job writes two rows: a reader that sees one of them has looked into a transaction.
    const writes = Array.from({ length: 200 }, async (_, index) => {
      await storage.write(async (tx) => {
        await set(`first ${index}`)(tx)
        await set(`second ${index}`)(tx)
      })
      acknowledged.add(`first ${index}`)
    })
    const readers = LANES.map(async (lane) => {
      while (open) {
        const known = [...acknowledged]
        const found = new Set(await keys(storage, lane))
        const half = [...found].filter(
          (key) => !found.has(key.replace(/^\w+/, (w) => (w === 'first' ? 'second' : 'first'))),
        )
        assert.deepEqual(half, [])
        assert.deepEqual(
          known.filter((key) => !found.has(key)),
          [],
        )
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    await Promise.all(writes)
    open = false
    await Promise.all(readers)
    const after = storage.stats()
    assert.equal(after.jobs - before.jobs, 200)
    if (engine === 'sqlite') assert.ok(after.commits - before.commits < 200)
    else assert.equal(after.commits - before.commits, 200)
    assert.equal((await keys(storage)).length, 400)
  })

  test(`${engine}: what waits for its turn is told, and how long commits took`, async (t) => {
    let clock = 0
    const now = (): number => {
      clock += 5
      return clock
    }
    const storage = await openTestStorage(engine, t, { now, offloadWorkers: 1, connections: 1 })
    const before = storage.stats()
    const writes = ['a', 'b', 'c'].map((key) => storage.write(set(key)))
    const reads = [1, 2, 3].map(() => keys(storage, 'offloaded'))
    const { writesWaiting, readsWaiting } = storage.stats()
    assert.equal(writesWaiting, 3)
    assert.ok(readsWaiting >= 2, String(readsWaiting))
    await Promise.all([...writes, ...reads])
    const after = storage.stats()
    assert.deepEqual([after.writesWaiting, after.readsWaiting], [0, 0])
    const commits = after.commits - before.commits
    assert.ok(commits >= 1 && after.commitTime - before.commitTime >= commits * 5)
    const names = after.pools.map(({ name, open, idle }) => `${name} ${open} ${idle}`)
    assert.deepEqual(names, engine === 'sqlite' ? [] : ['read 1 1', 'write 1 1'])
    assert.equal(after.replica, undefined)
  })

  test(`${engine}: jobs take effect in the order of the calls`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const order: number[] = []
    await Promise.all(Array.from({ length: 20 }, (_, index) => storage.write(async () => void order.push(index))))
    assert.deepEqual(
      order,
      Array.from({ length: 20 }, (_, index) => index),
    )
  })

  test(`${engine}: a job that throws undoes its own writes only and rejects with what it threw`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const mistake = new Error('changed my mind')
    const results = await Promise.allSettled([
      storage.write(set('a')),
      storage.write(async (tx) => {
        await set('b')(tx)
        throw mistake
      }),
      storage.write(() => {
        throw mistake
      }),
      storage.write(set('c')),
    ])
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason)),
      ['a', mistake, mistake, 'c'],
    )
    assert.deepEqual(await keys(storage), ['a', 'c'])
  })

  test(`${engine}: after a failed statement a job cannot succeed, also when it catches the error`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(set('a'))
    const job = storage.write(async (tx) => {
      await set('b')(tx)
      await set('a')(tx).catch(() => {})
      await set('c')(tx).catch(() => {})
      return 'fine'
    })
    await assert.rejects(job, /UNIQUE|unique/)
    assert.deepEqual(await keys(storage), ['a'])
  })

  test(`${engine}: the transaction of a settled job refuses everything`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const tx = await storage.write(async (inner) => ({ inner }))
    await assert.rejects(set('a')(tx.inner), /has ended/)
    await assert.rejects(keys(tx.inner), /has ended/)
    assert.throws(() => tx.inner.afterCommit(() => {}), /has ended/)
    assert.throws(() => tx.inner.atEnd(async () => {}), /has ended/)
    assert.deepEqual(await keys(storage), [])
  })

  test(`${engine}: steps at the end run after the job, in order, and a failing one undoes the job`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const order: string[] = []
    await storage.write(async (tx) => {
      tx.atEnd(async () => {
        order.push(await set('end 1')(tx))
        tx.atEnd(async () => void order.push(await set('end 3')(tx)))
      })
      tx.atEnd(async () => void order.push(await set('end 2')(tx)))
      order.push(await set('body')(tx))
    })
    assert.deepEqual(order, ['body', 'end 1', 'end 2', 'end 3'])
    const job = storage.write(async (tx) => {
      tx.atEnd(async () => {
        throw new Error('at the end')
      })
      await set('undone')(tx)
    })
    await assert.rejects(job, /at the end/)
    assert.deepEqual(await keys(storage), ['body', 'end 1', 'end 2', 'end 3'])
  })

  test(`${engine}: listeners hear of commits before the writer does, never of failures, and may throw`, async (t) => {
    const reports: string[] = []
    const report = (error: unknown, circumstance: string) => void reports.push(`${circumstance}: ${error}`)
    const storage = await openTestStorage(engine, t, { report })
    const order: string[] = []
    const write = (name: string, fails = false) =>
      storage.write(async (tx) => {
        tx.afterCommit(() => void order.push(`heard ${name}`))
        tx.afterCommit(() => {
          throw new Error(`listener of ${name}`)
        })
        await set(name)(tx)
        if (fails) throw new Error('fails')
        order.push(`ran ${name}`)
      })
    await Promise.all([write('a'), assert.rejects(write('b', true)), write('c').then(() => order.push('answered c'))])
    assert.deepEqual(
      order.filter((entry) => !entry.startsWith('ran')),
      ['heard a', 'heard c', 'answered c'],
    )
    assert.ok(order.indexOf('heard a') > order.indexOf('ran a'))
    assert.deepEqual(reports, [
      'notifying about a commit: Error: listener of a',
      'notifying about a commit: Error: listener of c',
    ])
  })

  test(`${engine}: rows are ordinary objects and values keep their kind in both lanes`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const row = raw(
      storage,
      sql<Record<string, unknown>>`
      select 5 as five, 1.5 as """half""", 'ä' as text, null as nobody, 9007199254740991 as large`,
    )
    for (const lane of LANES) {
      const expected = { five: 5, '"half"': 1.5, text: 'ä', nobody: null, large: Number.MAX_SAFE_INTEGER }
      assert.deepEqual(await storage.all(row, lane), [expected])
      assert.deepEqual(await storage.first(row, lane), expected)
      await assert.rejects(storage.all(raw(storage, sql`select 9007199254740993 as larger`), lane))
    }
  })

  test(`${engine}: no rows are an empty list and undefined`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const none = storage.db.selectFrom('meta').select('key').where('key', '=', 'none')
    for (const lane of LANES) {
      assert.deepEqual(await storage.all(none, lane), [])
      assert.equal(await storage.first(none, lane), undefined)
    }
  })

  test(`${engine}: a whole number put into a text column is its digits, booleans are 0 and 1`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write((tx) => tx.run(raw(tx, sql`insert into meta (key, value) values ('n', ${5}), ('t', ${true})`)))
    assert.deepEqual(await storage.all(storage.db.selectFrom('meta').select(['key', 'value']).orderBy('key')), [
      { key: 'n', value: '5' },
      { key: 't', value: '1' },
    ])
  })

  for (const [name, value] of Object.entries({
    undefined,
    NaN: Number.NaN,
    date: new Date(0),
    object: {},
    fn: () => 1,
  })) {
    test(`${engine}: ${name} is refused as a value in both lanes and in a job`, async (t) => {
      const storage = await openTestStorage(engine, t)
      const query: Compilable<unknown> = { compile: () => ({ sql: 'select ?', parameters: [value] }) }
      for (const lane of LANES) await assert.rejects(storage.all(query, lane), /value 1 of the statement/)
      await assert.rejects(
        storage.write((tx) => tx.run(query)),
        /value 1 of the statement/,
      )
    })
  }

  test(`${engine}: changes counts the rows of the statement, not those of triggers`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const changes = await storage.write(async (tx) => [
      await tx.run(tx.db.insertInto('entry_text').values([1, 2, 3].map((id) => ({ id, body: `text ${id}` })))),
      await tx.run(tx.db.deleteFrom('entry_text').where('id', '>', 1)),
      await tx.run(tx.db.deleteFrom('entry_text').where('id', '>', 1)),
    ])
    assert.deepEqual(changes, [{ changes: 3 }, { changes: 2 }, { changes: 0 }])
  })

  test(`${engine}: a lane is counted where it ran; without threads everything is inline`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const before = storage.stats()
    await keys(storage)
    await keys(storage, 'offloaded')
    await keys(storage, 'offloaded')
    const after = storage.stats()
    assert.equal(after.readsInline - before.readsInline, 1)
    assert.equal(after.readsOffloaded - before.readsOffloaded, 2)
    if (engine !== 'sqlite') return
    const threadless = await openTestStorage(engine, t, { offloadWorkers: 0 })
    await keys(threadless, 'offloaded')
    assert.equal(threadless.stats().readsOffloaded, 0)
  })

  test(`${engine}: a reader cannot write`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const query = storage.db.insertInto('meta').values({ key: 'a', value: 'x' }).returning('key')
    for (const lane of LANES) await assert.rejects(storage.all(query, lane))
    assert.deepEqual(await keys(storage), [])
  })

  test(`${engine}: a wrong statement rejects in both lanes and the next one works`, async (t) => {
    const storage = await openTestStorage(engine, t)
    for (const lane of LANES) {
      await assert.rejects(storage.all(raw(storage, sql`select nonsense from nowhere`), lane), /nowhere/)
      assert.deepEqual(await keys(storage, lane), [])
    }
  })

  test(`${engine}: the builder does not execute`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await assert.rejects(storage.db.selectFrom('meta').select('key').execute(), /only builds statements/)
    await assert.rejects(
      storage.db.transaction().execute(async () => {}),
      /only builds statements/,
    )
  })

  test(`${engine}: the data version changes with commits of this and of another storage, and only then`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const other = await openStorage({ database: addressOf(storage), synchronous: 'NORMAL' })
    t.after(() => other.close())
    const versions = [storage.dataVersion()]
    await keys(storage)
    versions.push(storage.dataVersion())
    await storage.write(set('own'))
    versions.push(storage.dataVersion())
    await other.write(set('foreign'))
    // A database server reports it a moment later.
    while (engine !== 'sqlite' && storage.dataVersion() === versions[2]) await new Promise(setImmediate)
    versions.push(storage.dataVersion())
    assert.equal(versions[0], versions[1])
    assert.equal(new Set(versions).size, 3)
    assert.deepEqual(await keys(storage), ['foreign', 'own'])
  })

  test(`${engine}: closing finishes what was accepted and refuses what comes later`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const accepted = Promise.all([
      ...Array.from({ length: 100 }, (_, index) => storage.write(set(`k${index}`))),
      keys(storage, 'offloaded'),
      keys(storage, 'offloaded'),
    ])
    const closing = storage.close()
    await assert.rejects(storage.write(set('late')), /closed/)
    for (const lane of LANES) await assert.rejects(keys(storage, lane), /closed/)
    assert.throws(() => storage.dataVersion(), /closed|not open/)
    await closing
    await storage.close()
    assert.equal((await accepted).length, 102)
    const again = await openStorage({ database: addressOf(storage) })
    t.after(() => again.close())
    assert.equal((await keys(again)).length, 100)
  })

  test(`${engine}: an aborted run of writes and reads leaves no job behind`, async (t) => {
    const storage: Storage = await openTestStorage(engine, t)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        storage.write(async (tx) => {
          await set(`k${index}`)(tx)
          if (index % 3 === 0) throw new Error('every third')
          return index
        }),
      ),
    )
    const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [`k${outcome.value}`] : []))
    assert.deepEqual((await keys(storage)).sort(), kept.sort())
  })
}

test('an address without a known engine is refused without repeating its password', async () => {
  await assert.rejects(
    openStorage({ database: 'postgress://me:secret@host/db' }),
    (error: Error & { code: string }) => {
      assert.equal(error.code, 'database_not_usable')
      assert.doesNotMatch(error.message, /secret/)
      return true
    },
  )
  await assert.rejects(openStorage({ database: 'sqlite:' }), { code: 'database_not_usable' })
})

test('a file that is no database and a path that is a folder are refused with a code', async (t) => {
  const { testFolder } = await import('../../test/support/test-storage.ts')
  const { writeFileSync } = await import('node:fs')
  const folder = testFolder(t)
  writeFileSync(`${folder}/letter.db`, 'Dear calendar, '.repeat(100))
  await assert.rejects(openStorage({ database: `sqlite:${folder}/letter.db` }), { code: 'database_not_usable' })
  await assert.rejects(openStorage({ database: `sqlite:${folder}` }), { code: 'database_not_usable' })
})

test('the folder of a database is made when it is missing, and three slashes mean an absolute path', async (t) => {
  const { testFolder } = await import('../../test/support/test-storage.ts')
  const folder = testFolder(t)
  const storage = await openStorage({ database: `sqlite://${folder}/deep/er/kalends.db` })
  t.after(() => storage.close())
  assert.equal(storage.location, `${folder}/deep/er/kalends.db`)
})
