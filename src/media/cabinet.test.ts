import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { testFolder } from '../storage/testing.ts'
import { type NewFileSet, openCabinet } from './cabinet.ts'
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
  const broken = { ...files, remove: () => Promise.reject(new Error('busy')) }
  const cabinet = openCabinet({
    files: broken,
    isNamed: async () => false,
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
  await files.remove('ab1.png')
  await files.remove('ab1.png')
  assert.equal(await files.open('ab1.png'), undefined)
})
