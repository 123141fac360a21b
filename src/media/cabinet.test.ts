import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { testFolder } from '../storage/testing.ts'
import { type NewFileSet, openCabinet } from './cabinet.ts'
import type { FileStore } from './files.ts'
import { folderStore } from './folder.ts'

const SET: NewFileSet = {
  full: 'ab1.png',
  names: ['ab1.png', 'ab1-2x2.png'],
  files: [
    { name: 'ab1.png', bytes: Buffer.from('full') },
    { name: 'ab1-2x2.png', bytes: Buffer.from('small') },
  ],
}

function open(t: TestContext) {
  const folder = testFolder(t)
  const files = folderStore(folder)
  const named = new Set<string>()
  const reports: unknown[] = []
  const cabinet = openCabinet({
    files,
    isNamed: async (full) => named.has(full),
    isNamedByAnybody: async (full) => named.has(full),
    report: (error) => void reports.push(error),
  })
  const kept = async (): Promise<string[]> => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    return found.flatMap((one) => (one.isFile() ? [one.name] : [])).sort()
  }
  return { folder, files, named, reports, cabinet, kept }
}

test('files stay when a row names them afterwards, and go when none does', async (t) => {
  const { cabinet, named, kept } = open(t)
  await cabinet.whileKept([SET], async () => assert.equal((await kept()).length, 2))
  assert.deepEqual(await kept(), [])
  await cabinet.whileKept([SET], async () => void named.add(SET.full))
  assert.deepEqual(await kept(), ['ab1-2x2.png', 'ab1.png'])
  await cabinet.tidy(SET)
  assert.equal((await kept()).length, 2)
  named.clear()
  await cabinet.tidy(SET)
  assert.deepEqual(await kept(), [])
})

test('work that fails leaves no file and throws what it threw', async (t) => {
  const { cabinet, kept } = open(t)
  await assert.rejects(
    cabinet.whileKept([SET], () => Promise.reject(new Error('refused'))),
    /refused/,
  )
  assert.deepEqual(await kept(), [])
})

test('the same files stay as long as one of several works needs them, however the others end', async (t) => {
  const { cabinet, named, kept } = open(t)
  const second = Promise.withResolvers<void>()
  const isUnderWay = Promise.withResolvers<void>()
  const first = cabinet.whileKept([SET], () => {
    isUnderWay.resolve()
    return second.promise
  })
  await isUnderWay.promise
  await cabinet.whileKept([SET], async () => undefined)
  await cabinet.tidy(SET)
  assert.equal((await kept()).length, 2)
  named.add(SET.full)
  second.resolve()
  await first
  assert.equal((await kept()).length, 2)
})

test('files that cannot be taken away are reported and nothing else', async (t) => {
  const { files, reports } = open(t)
  const broken = { ...files, setAside: () => Promise.reject(new Error('busy')) }
  const cabinet = openCabinet({
    files: broken,
    isNamed: async () => false,
    isNamedByAnybody: async () => false,
    report: (error) => void reports.push(error),
  })
  assert.equal(await cabinet.whileKept([SET], async () => 7), 7)
  assert.match(String(reports[0]), /busy/)
})

test('a file is written whole, again when it was damaged, and without drafts beside it', async (t) => {
  const { folder, files, kept } = open(t)
  const bytes = Buffer.from('full')
  await Promise.all([1, 2, 3].map(() => files.put('ab1.png', bytes)))
  await writeFile(join(folder, 'ab', 'ab1.png'), 'fu')
  await files.put('ab1.png', bytes)
  const file = await files.open('ab1.png')
  assert.equal(file?.size, 4)
  const parts: Buffer[] = []
  for await (const part of file?.read({ start: 1, end: 2 }) ?? []) parts.push(part)
  assert.equal(Buffer.concat(parts).toString(), 'ul')
  assert.deepEqual(await kept(), ['ab1.png'])
})

test('a file that is set aside is found by nobody until it is put back, and is gone once it is discarded', async (t) => {
  const { files, kept } = open(t)
  await files.put('ab1.png', Buffer.from('full'))
  const aside = await files.setAside('ab1.png')
  assert.deepEqual([await files.open('ab1.png'), await files.setAside('ab1.png')], [undefined, undefined])
  await aside?.restore()
  await aside?.restore()
  assert.deepEqual(await kept(), ['ab1.png'])
  const again = await files.setAside('ab1.png')
  await again?.discard()
  await again?.discard()
  assert.deepEqual(await kept(), [])
})

test('files that were set aside are put back when nobody can say whether a row names them', async (t) => {
  const { files, kept, reports } = open(t)
  const cabinet = openCabinet({
    files,
    isNamed: async () => false,
    isNamedByAnybody: () => Promise.reject(new Error('no database')),
    report: (error) => void reports.push(error),
  })
  for (const { name, bytes } of SET.files) await files.put(name, bytes)
  assert.equal(await cabinet.tidy(SET), false)
  assert.deepEqual(await kept(), ['ab1-2x2.png', 'ab1.png'])
  assert.match(String(reports[0]), /no database/)
})

/** Steps that are being done: the next one begins when there are none, so that any order of them is found. */
let steps = 0

async function act(release: () => Promise<void>): Promise<void> {
  await release()
  do await setImmediate()
  while (steps > 0)
}

/** A process whose steps come in the order of a scheduler: it has a cabinet of its own on files and rows of all. */
function processOf(s: fc.Scheduler, files: FileStore, rows: ReadonlySet<number>) {
  const step =
    <Given extends unknown[], Result>(name: string, does: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await s.schedule(Promise.resolve(), name)
      steps += 1
      return does(...given).finally(() => {
        steps -= 1
      })
    }
  const named = async (): Promise<boolean> => rows.size > 0
  return openCabinet({
    files: {
      ...files,
      put: step('put', files.put),
      setAside: step('set aside', async (name: string) => {
        const aside = await files.setAside(name)
        return aside && { restore: step('restore', aside.restore), discard: step('discard', aside.discard) }
      }),
    },
    isNamed: step('is named', named),
    isNamedByAnybody: step('is named by anybody', named),
    report: assert.ifError,
  })
}

test('in whatever order the steps of processes follow on each other, a row keeps its files and no row leaves none', async (t) => {
  const { files, kept } = open(t)
  const one: NewFileSet = { full: 'ab1.png', names: ['ab1.png'], files: SET.files.slice(0, 1) }
  const given = [
    fc.scheduler({ act }),
    fc.constantFrom('fails', 'stays', 'goes'),
    fc.constantFrom<number[]>([1], [1, 2]),
  ] as const
  const races = fc.asyncProperty(...given, async (s, fate, leaving) => {
    const rows = new Set(leaving)
    for (const { name, bytes } of one.files) await files.put(name, bytes)
    const remove = async (id: number): Promise<void> => {
      const cabinet = processOf(s, files, rows)
      await s.schedule(Promise.resolve(), `row ${id} goes`)
      rows.delete(id)
      await cabinet.tidy(one)
    }
    const make = async (): Promise<void> => {
      await processOf(s, files, rows).whileKept([one], async () => {
        await s.schedule(Promise.resolve(), 'a row comes')
        if (fate !== 'fails') rows.add(3)
      })
      if (fate === 'goes') await remove(3)
    }
    await s.waitFor(Promise.all([...leaving.map(remove), make()]))
    assert.deepEqual(await kept(), fate === 'stays' ? ['ab1.png'] : [])
  })
  await fc.assert(races, { numRuns: 300 })
})
