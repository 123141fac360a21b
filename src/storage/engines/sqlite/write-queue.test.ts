import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type TestScope, testDatabase } from '../../../../test/support/test-storage.ts'
import type { Compilable, DeferredWrite, Storage, Transaction } from '../../engine.ts'
import { openStorage } from '../../open.ts'
import type { StorageOptions } from '../../options.ts'
import { statementBuilder } from '../../statement-builder.ts'
import { openConnection } from './connection.ts'
import { WriteQueue } from './write-queue.ts'

// Behaviour that SQLite's single write connection adds to what every engine owes (storage.engine.test.ts).

function query<Row>(text: string, ...parameters: unknown[]): Compilable<Row> {
  return { compile: () => ({ sql: text, parameters }) }
}

/** What a long write reads before its commit, as far as it does. */
const GROUNDS = [
  'create table journal (seq integer primary key, snapshot text)',
  'create table occurrence (id integer primary key, status text)',
  'create table series_date (id integer primary key)',
]

async function openProbe(t: TestScope, options: Partial<StorageOptions> = {}): Promise<Storage> {
  const storage = await openStorage({ database: await testDatabase('sqlite', t), synchronous: 'NORMAL', ...options })
  t.after(() => storage.close())
  await storage.write(async (tx) => {
    for (const table of GROUNDS) await tx.run(query(table))
    await tx.run(query('create table parent (id integer primary key)'))
    await tx.run(query('create table child (parent integer references parent (id) deferrable initially deferred)'))
    await tx.run(query('create table probe (id integer primary key, word text unique)'))
  })
  return storage
}

function insert(id: number): (tx: Transaction) => Promise<number> {
  return async (tx) => {
    await tx.run(query('insert into probe (id, word) values (?, ?)', id, `w${id}`))
    return id
  }
}

async function ids(storage: Storage): Promise<number[]> {
  return (await storage.all(query<{ id: number }>('select id from probe order by id'))).map(({ id }) => id)
}

test('jobs that wait together share one commit, and a transaction takes at most 64 of them', async (t) => {
  const storage = await openProbe(t)
  const before = storage.stats()
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1)
  assert.deepEqual(await Promise.all(numbers.map((id) => storage.write(insert(id)))), numbers)
  const after = storage.stats()
  const commits = after.commits - before.commits
  assert.equal(after.jobs - before.jobs, 200)
  assert.ok(commits >= 4 && commits < 100, `${commits} commits`)
  assert.deepEqual(await ids(storage), numbers)
})

test('slow jobs do not wait for many others: after 40 milliseconds the transaction is committed', async (t) => {
  let milliseconds = 0
  const storage = await openProbe(t, { now: () => milliseconds })
  const before = storage.stats().commits
  const slow = (id: number) =>
    storage.write((tx) => {
      milliseconds += 16
      return insert(id)(tx)
    })
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map(slow))
  assert.equal(storage.stats().commits - before, 3)
})

test('within a transaction the event loop gets its turn after 10 milliseconds, and who writes then joins', async (t) => {
  let milliseconds = 0
  const storage = await openProbe(t, { now: () => milliseconds })
  const before = storage.stats().commits
  const seen: (string | number)[] = []
  const slow = (id: number) =>
    storage.write((tx) => {
      milliseconds += 6
      seen.push(id)
      return insert(id)(tx)
    })
  const joined = Promise.withResolvers<number>()
  const first = storage.write((tx) => {
    milliseconds += 6
    seen.push(1)
    setImmediate(() => {
      seen.push('turn')
      joined.resolve(slow(4))
    })
    return insert(1)(tx)
  })
  await Promise.all([first, slow(2), slow(3), joined.promise])
  assert.deepEqual(seen, [1, 2, 'turn', 3, 4])
  assert.equal(storage.stats().commits - before, 1)
})

test('jobs share one commit that come a few in each turn of the event loop, as requests do', async (t) => {
  const storage = await openProbe(t)
  const before = storage.stats().commits
  const writes: Promise<number>[] = []
  for (const id of [1, 3, 5, 7]) {
    writes.push(storage.write(insert(id)), storage.write(insert(id + 1)))
    await nextTurn()
  }
  await Promise.all(writes)
  assert.equal(storage.stats().commits - before, 1)
})

test('jobs that share a commit share the step that stores what they deferred, and its failure', async (t) => {
  const storage = await openProbe(t)
  const steps: [number, string | null][][] = []
  const store: DeferredWrite['store'] = async (_tx, values) => {
    steps.push([...values])
    if (values.has(9)) throw new Error('no room')
    return []
  }
  const defer = (id: number, value: string) =>
    storage.write(async (tx) => {
      await insert(id)(tx)
      await tx.deferBatch({ id, value, store })
    })
  await Promise.all([defer(1, 'a'), defer(2, 'b')])
  const results = await Promise.allSettled([defer(3, 'c'), defer(9, 'd'), storage.write(insert(4))])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.deepEqual(
    steps.map((step) => step.length),
    [2, 2],
  )
  assert.deepEqual(await ids(storage), [1, 2])
})

test('between the steps of a long work that a job has deferred other work gets its turn; a step that fails undoes all', async (t) => {
  const storage = await openProbe(t)
  const seen: (number | string)[] = []
  const store: DeferredWrite['store'] = async (_tx, values) =>
    [10, 11, 12].map((id) => async (open: Transaction) => {
      seen.push(id)
      await insert(id)(open)
      if (values.get(0) === 'bad' && id === 11) throw new Error('no room')
      if (id < 12) setImmediate(() => seen.push('turn'))
    })
  const defer = (value: string) => storage.write((tx) => tx.deferBatch({ id: 0, value, store }))
  await assert.rejects(defer('bad'), /no room/)
  assert.deepEqual(await ids(storage), [])
  seen.length = 0
  await defer('good')
  assert.deepEqual(seen, [10, 'turn', 11, 'turn', 12])
  assert.deepEqual(await ids(storage), [10, 11, 12])
})

test('after the last step of a long work the log is flushed before the commit, and who is told has another turn', async (t) => {
  const path = (await testDatabase('sqlite', t)).replace('sqlite:', '')
  const connection = openConnection(path, { busyTimeout: 100 })
  t.after(() => connection.close())
  connection.exec(GROUNDS.join(';'))
  const seen: string[] = []
  const queue = new WriteQueue({
    ...{ connection, db: statementBuilder('sqlite'), report: (error) => assert.fail(String(error)), now: () => 0 },
    checkpoints: { room: () => undefined, syncLog: async () => void seen.push('flushed') },
    committed: () => {
      seen.push('committed')
      setImmediate(() => seen.push('another turn'))
    },
  })
  const step = async (): Promise<void> => void seen.push('step')
  const store: DeferredWrite['store'] = async () => [step, step, step]
  await queue.write((tx) => tx.deferBatch({ id: 1, value: 'x', store }))
  assert.deepEqual(seen, ['step', 'step', 'step', 'flushed', 'committed', 'another turn'])
  seen.length = 0
  await queue.write(async () => undefined)
  assert.deepEqual(seen, ['committed'])
})

test('when one of several jobs fails it alone is undone: those before it are run once more, those after it once', async (t) => {
  const storage = await openProbe(t)
  const before = storage.stats()
  const runs: number[] = []
  const write = (id: number) =>
    storage.write(async (tx) => {
      runs.push(id)
      await insert(id)(tx)
      if (id === 3) throw new Error('on purpose')
    })
  const results = await Promise.allSettled([1, 2, 3, 4].map(write))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await ids(storage), [1, 2, 4])
  const { commits, jobs } = storage.stats()
  assert.deepEqual([runs, commits - before.commits, jobs - before.jobs], [[1, 2, 3, 1, 2, 3, 4], 1, 4])
  await assert.rejects(write(3), /on purpose/)
  assert.equal(runs.length, 8)
})

test('no promise settles before the commit that its job shares, not even that of a failed job', async (t) => {
  const storage = await openProbe(t)
  const commits = storage.stats().commits
  const settled: string[] = []
  const first = storage.write(insert(1)).then(() => settled.push(`ok ${storage.stats().commits - commits}`))
  const second = storage
    .write(async () => {
      throw new Error('no')
    })
    .catch(() => settled.push(`failed ${storage.stats().commits - commits}`))
  const third = storage.write(async (tx) => {
    settled.push('still running')
    return insert(3)(tx)
  })
  await Promise.all([first, second, third])
  assert.deepEqual(settled, ['still running', 'ok 1', 'failed 1'])
})

test('a commit that fails rejects all its jobs, notifies nobody, and the queue goes on', async (t) => {
  const storage = await openProbe(t)
  const notified: number[] = []
  const good = storage.write(async (tx) => {
    tx.afterCommit(() => notified.push(1))
    return insert(1)(tx)
  })
  // A deferred reference is checked by the outermost commit only.
  const bad = storage.write((tx) => tx.run(query('insert into child (parent) values (99)')))
  const results = await Promise.allSettled([good, bad])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual([await ids(storage), notified], [[], []])
  assert.equal(await storage.write(insert(2)), 2)
  assert.deepEqual(await ids(storage), [2])
})

test('when SQLite gives up the whole transaction, jobs before it reject too and later statements do not slip in', async (t) => {
  const storage = await openProbe(t)
  await storage.write(insert(1))
  const before = storage.write(insert(2))
  const culprit = storage.write(async (tx) => {
    await tx.run(query("insert or rollback into probe (id, word) values (3, 'w1')")).catch(() => {})
    await insert(4)(tx)
  })
  const after = storage.write(insert(5))
  const results = await Promise.allSettled([before, culprit, after])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
  await assert.rejects(before, /gave up the transaction/)
  await assert.rejects(culprit, /UNIQUE/)
  assert.deepEqual(await ids(storage), [1, 5])
})

test('a job that ends the transaction by itself rejects, and so do those that shared it', async (t) => {
  const storage = await openProbe(t)
  const rogue = storage.write((tx) => tx.run(query('rollback')))
  await assert.rejects(rogue)
  assert.equal(await storage.write(insert(2)), 2)
})

for (const [what, wait] of Object.entries({
  'a timer': () => delay(1),
  'the next turn of the event loop': () => nextTurn(),
  'a promise that never settles': () => new Promise(() => {}),
})) {
  test(`a job that awaits ${what} is rolled back with a clear error, and its neighbours are not harmed`, async (t) => {
    const storage = await openProbe(t)
    let late: Promise<unknown> = Promise.resolve()
    const results = await Promise.allSettled([
      storage.write(insert(1)),
      storage.write(async (tx) => {
        await insert(2)(tx)
        await wait()
        late = insert(4)(tx)
        await late
      }),
      storage.write(insert(3)),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.match(String((results[1] as PromiseRejectedResult).reason), /awaited something other than its transaction/)
    await delay(5)
    await late.catch((error: Error) => assert.match(error.message, /has ended/))
    assert.deepEqual(await ids(storage), [1, 3])
  })
}

test('a write inside a job rejects the outer one instead of waiting for ever', async (t) => {
  const storage = await openProbe(t)
  let inner: Promise<unknown> | undefined
  const outer = storage.write(async () => {
    inner = storage.write(insert(1))
    await inner
  })
  await assert.rejects(outer, /awaited something other/)
  assert.equal(await inner, 1)
})

/** A queue of writes, and another connection to the same file. */
async function besideAnother(t: TestScope, patience: number) {
  const path = (await testDatabase('sqlite', t)).slice('sqlite:'.length)
  const [mine, other] = [openConnection(path, { busyTimeout: 5000 }), openConnection(path, { busyTimeout: 0 })]
  t.after(() => [mine, other].map((connection) => connection.close()))
  mine.exec('create table probe (id integer primary key, word text unique)')
  const reports: string[] = []
  const report = (_error: unknown, circumstance: string): void => void reports.push(circumstance)
  const db = statementBuilder('sqlite')
  return { queue: new WriteQueue({ connection: mine, db, report, now: () => 0, patience }), other, reports }
}

test('while another program locks the file too long, all waiting jobs reject and later ones succeed', async (t) => {
  const { queue, other, reports } = await besideAnother(t, 20)
  other.exec('begin immediate')
  const results = await Promise.allSettled([queue.write(insert(1)), queue.write(insert(2))])
  assert.deepEqual(
    results.map((result) => result.status === 'rejected' && result.reason.code),
    ['rest_unavailable', 'rest_unavailable'],
  )
  assert.deepEqual(reports, ['another program has locked the file of the calendar for 20 ms'])
  other.exec('rollback')
  assert.equal(await queue.write(insert(3)), 3)
})

test('while another program locks the file the event loop goes on, and the write does once the lock is gone', async (t) => {
  const { queue, other, reports } = await besideAnother(t, 60_000)
  other.exec('begin immediate')
  const written = queue.write(insert(1))
  await delay(30)
  other.exec('rollback')
  assert.equal(await written, 1)
  assert.deepEqual(reports, [])
})

test('the event loop gets its turn between transactions', async (t) => {
  const storage = await openProbe(t)
  let turns = 0
  let counting = true
  const count = async () => {
    while (counting) {
      await nextTurn()
      turns += 1
    }
  }
  const counted = count()
  await Promise.all(Array.from({ length: 640 }, (_, index) => storage.write(insert(index + 1))))
  counting = false
  await counted
  assert.ok(turns >= 9, `${turns} turns`)
})

test('a transaction with very many rows takes no further job', async (t) => {
  const storage = await openProbe(t)
  const before = storage.stats().commits
  const long = (id: number) => async (tx: Transaction) => {
    tx.countRows(5_000)
    return insert(id)(tx)
  }
  await Promise.all([1, 2, 3, 4].map((id) => storage.write(long(id))))
  assert.equal(storage.stats().commits - before, 2)
})
