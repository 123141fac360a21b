import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type TestScope, testFolder } from '../../test/support/test-storage.ts'
import { acquireWriterLock } from './writer-lock.ts'

const LOCK_MODULE = new URL('./writer-lock.ts', import.meta.url).href

/** Another process that tries to take the lock; resolves with what it got and keeps the process alive. */
async function tryElsewhere(t: TestScope, folder: string): Promise<{ child: ChildProcess; got: boolean }> {
  const script = `
    const { acquireWriterLock } = await import(${JSON.stringify(LOCK_MODULE)})
    const lock = acquireWriterLock(${JSON.stringify(folder)})
    process.stdout.write(lock ? 'taken' : 'refused')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, got: String(said) === 'taken' }
}

test('a second process is refused while the first holds the lock, and gets it after the release', async (t) => {
  const folder = testFolder(t)
  const lock = acquireWriterLock(folder)
  assert.ok(lock)
  assert.equal((await tryElsewhere(t, folder)).got, false)
  lock.release()
  assert.equal((await tryElsewhere(t, folder)).got, true)
  assert.equal(acquireWriterLock(folder), undefined)
})

test('a process that is killed with SIGKILL frees its lock', async (t) => {
  const folder = testFolder(t)
  const { child, got } = await tryElsewhere(t, folder)
  assert.equal(got, true)
  assert.equal(acquireWriterLock(folder), undefined)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = acquireWriterLock(folder)
  assert.ok(lock)
  lock.release()
})

test('the same process is refused too, until it releases; releasing twice frees nobody else', (t) => {
  const folder = testFolder(t)
  const first = acquireWriterLock(folder)
  assert.equal(acquireWriterLock(folder), undefined)
  first?.release()
  const second = acquireWriterLock(folder)
  assert.ok(second)
  first?.release()
  assert.equal(acquireWriterLock(folder), undefined)
  second.release()
})

test('the lock is held although nobody keeps its handle, and the lock file stores nothing', async (t) => {
  const folder = testFolder(t)
  assert.ok(acquireWriterLock(folder))
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round += 1) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal((await tryElsewhere(t, folder)).got, false)
  assert.equal(statSync(`${folder}/kalends.lock`).size, 0)
})

test('a folder that does not exist is an error, not a refusal', (t) => {
  assert.throws(() => acquireWriterLock(`${testFolder(t)}/missing`))
})
