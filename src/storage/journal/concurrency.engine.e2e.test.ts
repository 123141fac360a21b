import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { addressOf, ENGINES, openTestStorage, type TestScope } from '../../../test/support/test-storage.ts'
import type { Storage } from '../engine.ts'
import { headSeq, readSince } from './read.ts'

const PROCESSES = 4
const WRITERS = 4
const ROUNDS = 15

function moduleAddress(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}

/**
 * A program in which some writers at once commit and abort at random: before the journal, after it, and with several
 * changes in a job. It prints the IDs of the entries that were acknowledged, and ends.
 */
function writerProgram(database: string): string {
  return `
    const { openStorage } = await import(${moduleAddress('../open.ts')})
    const { nextEntryId } = await import(${moduleAddress('../identifiers.ts')})
    const { record } = await import(${moduleAddress('./append.ts')})
    const storage = await openStorage({ database: ${JSON.stringify(database)}, synchronous: 'NORMAL' })
    const change = { actor: 1, resource: 'event', revision: 1, action: 'create', at: 'now', snapshot: {} }
    async function write() {
      const dice = Math.random()
      const ids = []
      const written = await storage.write(async (tx) => {
        ids.length = 0
        for (let n = 0; n <= dice * 3; n += 1) {
          const id = await nextEntryId(tx, 'event')
          ids.push(id)
          record(tx, { ...change, id })
        }
        if (dice < 0.2) throw new Error('before the journal')
        if (dice > 0.8) tx.atEnd(() => Promise.reject(new Error('after the journal')))
      }).then(() => true, () => false)
      return written ? ids : []
    }
    async function writeOften() {
      for (let round = 0; round < ${ROUNDS}; round += 1) {
        for (const id of await write()) console.log(id)
      }
    }
    await Promise.all(Array.from({ length: ${WRITERS} }, writeOften))
    await storage.close()`
}

function startWriter(t: TestScope, database: string): { child: ChildProcess; acknowledged: Promise<number[]> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writerProgram(database)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const said: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => said.push(bytes))
  const acknowledged = once(child, 'close').then(([code]) => {
    assert.equal(code, 0)
    return Buffer.concat(said).toString().trim().split('\n').map(Number)
  })
  return { child, acknowledged }
}

/** Follows the journal until told, and asserts that no entry ever comes after one with a higher number. */
async function follow(storage: Storage, goOn: () => boolean): Promise<number[]> {
  const ids: number[] = []
  for (let last = false, heard = 0; !last; ) {
    while (goOn() && storage.dataVersion() === heard) await new Promise(setImmediate)
    heard = storage.dataVersion()
    // One more look after the end sees what was committed before it.
    last = !goOn()
    for (const { seq, id } of await readSince(storage, ids.length, 1000)) {
      assert.equal(seq, ids.length + 1, 'a number came before the one below it')
      ids.push(id)
    }
    const head = await headSeq(storage)
    assert.ok(head >= ids.length)
  }
  return ids
}

for (const engine of ENGINES) {
  const title = `${engine}: who follows the journal misses nothing of ${PROCESSES * WRITERS} writers in ${PROCESSES} processes`
  // Its journal under many jobs at once is tested beside this file.
  const skip = engine === 'sqlite' && 'with SQLite one process writes'
  test(title, { skip }, async (t) => {
    const storage = await openTestStorage(engine, t)
    const writers = Array.from({ length: PROCESSES }, () => startWriter(t, addressOf(storage)))
    let writing = true
    const following = follow(storage, () => writing)
    const acknowledged = (await Promise.all(writers.map((writer) => writer.acknowledged))).flat()
    writing = false
    const seen = await following
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      acknowledged.toSorted((a, b) => a - b),
    )
    assert.ok(acknowledged.length > PROCESSES * WRITERS * ROUNDS * 0.6)
    assert.equal(await headSeq(storage), acknowledged.length)
  })
}
