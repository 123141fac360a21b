import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { Failure } from '../../base/errors.ts'
import { loadSecret } from './secret.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'kalends-secret-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

test('the configured key wins and leaves no file behind', async (t) => {
  const data = await folder(t)
  assert.equal(await loadSecret('x'.repeat(32), data), 'x'.repeat(32))
  assert.deepEqual(await readdir(data), [])
})

test('the key file is made once, for its owner only, and read again', async (t) => {
  const data = await folder(t)
  const secret = await loadSecret('', data)
  assert.match(secret, /^[0-9a-f]{64}$/)
  assert.equal(await loadSecret('', data), secret)
  assert.deepEqual(await readdir(data), ['secret.key'])
  assert.equal((await stat(join(data, 'secret.key'))).mode & 0o777, 0o600)
})

test('many who make it at once all get the same key', async (t) => {
  const data = await folder(t)
  const secrets = await Promise.all(Array.from({ length: 20 }, () => loadSecret('', data)))
  assert.equal(new Set(secrets).size, 1)
  assert.deepEqual(await readdir(data), ['secret.key'])
})

test('a damaged key file is refused, not replaced', async (t) => {
  const data = await folder(t)
  await writeFile(join(data, 'secret.key'), 'half')
  await assert.rejects(loadSecret('', data), (error) => error instanceof Failure && error.code === 'secret_not_usable')
})

test('a folder that is not there is refused', async (t) => {
  const data = join(await folder(t), 'missing')
  await assert.rejects(loadSecret('', data), (error) => error instanceof Failure && error.code === 'secret_not_usable')
})
