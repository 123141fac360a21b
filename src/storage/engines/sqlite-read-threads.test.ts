import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { type TestScope, testDatabase } from '../testing.ts'
import { openConnection, rowObjects } from './sqlite-connection.ts'
import { ReadThreads } from './sqlite-read-threads.ts'

const SLOW = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) as top from n`

async function openThreads(t: TestScope, limit: number): Promise<ReadThreads> {
  const path = (await testDatabase('sqlite', t)).slice('sqlite:'.length)
  const connection = openConnection(path, { busyTimeout: 0 })
  connection.pragma('journal_mode = wal')
  t.after(() => connection.close())
  const threads = new ReadThreads(path, limit)
  t.after(() => threads.close())
  return threads
}

async function read(threads: ReadThreads, sql: string): Promise<unknown[]> {
  return rowObjects(await threads.read({ sql, parameters: [] }))
}

async function nextWorker(): Promise<Worker> {
  const [worker] = (await once(process, 'worker')) as [Worker]
  return worker
}

test('more queries than threads wait for their turn and all are answered', async (t) => {
  const threads = await openThreads(t, 2)
  const rows = await Promise.all(Array.from({ length: 30 }, (_, index) => read(threads, `select ${index} as n`)))
  assert.deepEqual(
    rows.flat(),
    Array.from({ length: 30 }, (_, n) => ({ n })),
  )
})

test('a slow query does not hold up this thread', async (t) => {
  const threads = await openThreads(t, 1)
  let answered = false
  let turns = 0
  const slow = read(threads, SLOW).then((rows) => {
    answered = true
    return rows
  })
  while (!answered) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  assert.deepEqual(await slow, [{ top: 3000000 }])
  assert.ok(turns > 100, `${turns} turns`)
})

test('when a thread dies, its query rejects clearly, waiting ones and later ones get a new thread', async (t) => {
  const threads = await openThreads(t, 1)
  const born = nextWorker()
  const first = read(threads, SLOW)
  const second = read(threads, 'select 2 as n')
  const worker = await born
  const reborn = nextWorker()
  void worker.terminate()
  await assert.rejects(first, /the reading thread ended while it worked on this query/)
  assert.deepEqual(await second, [{ n: 2 }])
  assert.notEqual((await reborn).threadId, worker.threadId)
  assert.deepEqual(await read(threads, 'select 3 as n'), [{ n: 3 }])
})

test('a thread that dies while idle is replaced when the next query comes', async (t) => {
  const threads = await openThreads(t, 1)
  const born = nextWorker()
  await read(threads, 'select 1 as n')
  await (await born).terminate()
  assert.deepEqual(await read(threads, 'select 2 as n'), [{ n: 2 }])
})

test('a thread that cannot start rejects its query with the cause instead of starting for ever', async () => {
  const threads = new ReadThreads('/nonexistent/kalends.db', 1)
  await assert.rejects(read(threads, 'select 1'), (error: Error) => {
    assert.match(String((error.cause as Error).message), /unable to open/)
    return true
  })
  await threads.close()
})

test('an error keeps the text and result code of SQLite', async (t) => {
  const threads = await openThreads(t, 1)
  await assert.rejects(read(threads, 'select * from nowhere'), { message: /no such table: nowhere/, errcode: 1 })
})

test('closing waits for accepted queries', async (t) => {
  const threads = await openThreads(t, 1)
  const answers = [read(threads, SLOW), read(threads, 'select 2 as n')]
  await threads.close()
  assert.deepEqual(await Promise.all(answers), [[{ top: 3000000 }], [{ n: 2 }]])
})
