import assert from 'node:assert/strict'
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../test/support/test-storage.ts'
import { makeFolder, makeNamedFolder } from './make-folder.ts'

test('a folder is made with those above it, for its owner alone, and once', async (t) => {
  const folder = testFolder(t)
  for (const name of ['one/two/three', 'one/two/three', 'one/four']) {
    await makeFolder(join(folder, name))
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o700)
  }
})

test('a folder below a link that leads nowhere, below a file or in /proc, is refused at once', async (t) => {
  const folder = testFolder(t)
  symlinkSync(join(folder, 'away'), join(folder, 'link'))
  writeFileSync(join(folder, 'file'), '')
  await assert.rejects(makeFolder(join(folder, 'link/one/two')), { code: 'ENOENT' })
  await assert.rejects(makeFolder(join(folder, 'file/one')), { code: 'ENOTDIR' })
  if (existsSync('/proc/self')) await assert.rejects(makeFolder('/proc/kalends/one'), { code: 'ENOENT' })
})

test('a folder that was named and cannot be one is an error that says why', async (t) => {
  const folder = testFolder(t)
  symlinkSync(join(folder, 'away'), join(folder, 'link'))
  writeFileSync(join(folder, 'file'), '', { mode: 0o755 })
  await makeNamedFolder(join(folder, 'new'))
  const refused = { code: 'folder_not_usable' }
  for (const name of ['link', 'link/one', 'file', 'file/one'])
    await assert.rejects(makeNamedFolder(join(folder, name)), refused, name)
  await assert.rejects(makeNamedFolder(join(folder, 'file')), /it is no folder$/)
})
