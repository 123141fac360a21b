import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { draws } from '../../../test/support/draws.ts'
import { TEST_ENGINE } from '../../../test/support/test-engine.ts'
import { ENGINES, type TestScope, testDatabase, testFolder } from '../../../test/support/test-storage.ts'
import type { Storage } from '../engine.ts'
import { migrate } from '../migrate.ts'
import { openStorage } from '../open.ts'
import { headSeq, readSince } from './read.ts'

/** Only the writer is killed; with PostgreSQL the database, which holds the writes, continues. .ci/run kills more. */
const KILLS = draws(TEST_ENGINE === 'postgres' ? 3 : 50, 10)

/** Acknowledgements that a writer lives to see, however slow the machine is. */
const FIRST = 3

/** Longest life of a writer after these, in milliseconds. */
const LIFE = 60

function moduleAddress(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}

/**
 * A program that writes until it is killed: 16 writers at once, each job two rows in different tables and a journal
 * entry; some jobs fail on purpose. An ID is printed, synchronously, only after its write was acknowledged.
 */
function writerProgram(database: string): string {
  return `
    import { writeSync } from 'node:fs'
    import { flushCompileCache } from 'node:module'
    const { openStorage } = await import(${moduleAddress('../open.ts')})
    const { nextEntryId } = await import(${moduleAddress('../identifiers.ts')})
    const { record } = await import(${moduleAddress('./append.ts')})
    const storage = await openStorage({ database: ${JSON.stringify(database)} })
    // Most of the time goes into starting; a process that is killed would not keep what it has compiled.
    flushCompileCache()
    async function writeForEver(writer) {
      for (let round = 0; ; round += 1) {
        const id = await storage.write(async (tx) => {
          const id = await nextEntryId(tx, 'event')
          record(tx, { actor: 1, resource: 'event', id, revision: 1, action: 'create', at: 'now', snapshot: { id } })
          await tx.run(tx.db.insertInto('entry_text').values({ id, body: 'text of ' + id }))
          if ((round + writer) % 10 === 0) throw new Error('on purpose')
          return id
        }).catch(() => undefined)
        if (id !== undefined) writeSync(1, id + '\\n')
      }
    }
    for (let writer = 0; writer < 16; writer += 1) void writeForEver(writer)`
}

/** Where a writer writes, and where it keeps what Node has compiled. */
interface Place {
  readonly database: string
  readonly compiled: string
}

function startWriter(t: TestScope, { database, compiled }: Place): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writerProgram(database)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Runs a writer, kills it at a random moment and returns the IDs it had acknowledged. */
async function acknowledgedUntilKilled(t: TestScope, place: Place): Promise<number[]> {
  const child = startWriter(t, place)
  const said: Buffer[] = []
  const { promise: writes, resolve } = Promise.withResolvers<void>()
  child.stdout?.on('data', (bytes: Buffer) => {
    said.push(bytes)
    if (linesOf(said).length >= FIRST) resolve()
  })
  const closed = once(child, 'close')
  await Promise.race([writes, closed])
  await delay(Math.random() * LIFE)
  child.kill('SIGKILL')
  await closed
  return linesOf(said).map(Number)
}

/** What follows the last line break is a number that may be cut. */
function linesOf(said: readonly Buffer[]): string[] {
  return Buffer.concat(said).toString().split('\n').slice(0, -1)
}

async function assertNothingLost(storage: Storage, acknowledged: ReadonlySet<number>): Promise<number> {
  // A database server may still be at the last commit of a writer that is dead: what gets its turn now comes after it.
  await storage.write(async () => undefined)
  const ids = async (table: 'entry' | 'entry_text') =>
    (await storage.all(storage.db.selectFrom(table).select('id').orderBy('id'))).map(({ id }) => id)
  const entries = await ids('entry')
  assert.deepEqual(await ids('entry_text'), entries)
  const journal = await readSince(storage, 0, Number.MAX_SAFE_INTEGER)
  assert.deepEqual(
    journal.map(({ seq }) => seq),
    journal.map((_, index) => index + 1),
  )
  assert.equal(await headSeq(storage), journal.length)
  assert.deepEqual(
    journal.map(({ id }) => id).sort((a, b) => a - b),
    entries,
  )
  const kept = new Set(entries)
  assert.deepEqual(
    [...acknowledged].filter((id) => !kept.has(id)),
    [],
  )
  return entries.length
}

for (const engine of ENGINES) {
  test(`${engine}: a writer killed ${KILLS} times loses no acknowledged write, halves none, leaves no gap`, async (t) => {
    // Two databases side by side, each killed half of the times.
    const lost = await Promise.all([1, 2].map(() => killRepeatedly(t, KILLS / 2)))
    for (const { acknowledged, kept } of lost) {
      assert.ok(acknowledged > KILLS, `only ${acknowledged} writes were acknowledged`)
      assert.ok(kept >= acknowledged)
      t.diagnostic(`${acknowledged} writes acknowledged, ${kept} found`)
    }
  })

  async function killRepeatedly(t: TestScope, times: number): Promise<{ acknowledged: number; kept: number }> {
    const database = await testDatabase(engine, t)
    const compiled = testFolder(t)
    const fresh = await openStorage({ database })
    await migrate(fresh, { now: () => 0 })
    await fresh.close()
    const acknowledged = new Set<number>()
    let kept = 0
    for (let kill = 0; kill < times; kill += 1) {
      for (const id of await acknowledgedUntilKilled(t, { database, compiled })) acknowledged.add(id)
      const storage = await openStorage({ database })
      kept = await assertNothingLost(storage, acknowledged)
      await storage.close()
    }
    return { acknowledged: acknowledged.size, kept }
  }
}
