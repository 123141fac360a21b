import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import { changeRow, deleteRows, insertRow, putRows } from './row-writes.ts'

for (const engine of ENGINES) {
  test(`${engine}: rows are inserted, replaced, changed and deleted, each time with the values of that time`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const user = { name: 'ada', email: 'a@x', role: 'editor', created_at: '' }
    await storage.write(async (tx) => {
      for (const id of [41, 42, 43])
        await insertRow(tx, 'user', {
          ...user,
          id,
          name_folded: `ada ${id}`,
          email_folded: `${id}@x`,
          display_name: 'Ada',
          disabled_at: null,
        })
      await changeRow(tx, 'user', { id: 41, role: 'author' })
      await changeRow(tx, 'user', { id: 42, role: 'subscriber', disabled_at: 'now' })
      await changeRow(tx, 'user', { id: 99, role: 'administrator' })
      await deleteRows(tx, 'user', { column: 'name_folded', value: 'ada 43' })
      for (const ids of [[3], [1, 2, 3], Array.from({ length: 150 }, (_none, index) => index + 1)]) {
        const rows = ids.map((id) => ({ id, body: `${id} of ${ids.length}`, terms: null }))
        await putRows(tx, 'entry_text', rows)
      }
      await putRows(tx, 'entry_text', [{ id: 2, body: 'last', terms: null }])
      await deleteRows(tx, 'entry_text', { column: 'id', value: 1 })
    })
    const users = storage.db.selectFrom('user').select(['id', 'role', 'disabled_at']).where('id', '>', 40).orderBy('id')
    assert.deepEqual(await storage.all(users), [
      { id: 41, role: 'author', disabled_at: null },
      { id: 42, role: 'subscriber', disabled_at: 'now' },
    ])
    const texts = await storage.all(storage.db.selectFrom('entry_text').select('body').orderBy('id'))
    assert.deepEqual([texts.length, texts[0]?.body, texts[148]?.body], [149, 'last', '150 of 150'])
  })
}
