import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import test from 'node:test'
import { testFolder } from '../../../../../test/support/test-storage.ts'
import { openSpool } from './spool.ts'

test('imports of several processes in one folder keep their items apart, and leave no files', async (t) => {
  const folder = testFolder(t)
  const [one, other] = [await openSpool(folder, 'event'), await openSpool(folder, 'event')]
  await one.put('1', { id: 1, title: 'Longer than the other' })
  await other.put('2', { id: 2, title: 'Short' })
  await other.close()
  await one.put('3', { id: 3 })
  assert.deepEqual([await one.get('1'), await one.get('3')], [{ id: 1, title: 'Longer than the other' }, { id: 3 }])
  // As after a crash: this one is still open.
  assert.deepEqual(await readdir(folder), [])
  await one.close()
})
