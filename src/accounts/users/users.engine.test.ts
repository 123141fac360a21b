import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { type ErrorCode, Failure } from '../../base/errors.ts'
import { authenticate, hashPassword } from '../../http/auth/authenticate.ts'
import type { EngineName, Storage } from '../../storage/engine.ts'
import { readSince } from '../../storage/journal/read.ts'
import { lastUse } from '../../storage/last-use.ts'
import {
  addFirstAdministrator,
  addPassword,
  addUser,
  disableUser,
  enableUser,
  findUserById,
  listPasswords,
  listUsers,
  PASSWORD_USES,
  revokePassword,
  setRole,
  type UserBook,
  userLookup,
} from './index.ts'

const NOW = Date.UTC(2026, 4, 1, 10, 30)
const ANN = { name: 'Ann', email: 'ann@example.org', role: 'editor' }

async function openBook(engine: EngineName, t: TestContext): Promise<UserBook> {
  return { storage: await openTestStorage(engine, t), now: () => NOW, secret: 'key' }
}

function failsWith(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof Failure && error.code === code
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

for (const engine of ENGINES) {
  test(`${engine}: a user is added with the next id and listed`, async (t) => {
    const book = await openBook(engine, t)
    const ann = await addUser(book, ANN)
    const bob = await addUser(book, { ...ANN, name: 'bob', email: 'bob@localhost', displayName: 'Bob B.' })
    assert.deepEqual(ann, { ...ANN, id: 1, displayName: 'Ann', createdAt: '2026-05-01 10:30:00', disabledAt: null })
    assert.equal(bob.displayName, 'Bob B.')
    assert.deepEqual(await listUsers(book), [ann, bob])
    assert.deepEqual(await findUserById(book.storage, 2), bob)
    assert.equal(await findUserById(book.storage, 3), undefined)
  })

  test(`${engine}: names and addresses are unique whatever their letter case and accents`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    await assert.rejects(addUser(book, { ...ANN, name: 'ÁNN', email: 'other@example.org' }), failsWith('name_taken'))
    await assert.rejects(addUser(book, { ...ANN, name: 'other', email: 'ANN@example.org' }), failsWith('email_taken'))
    assert.equal((await listUsers(book)).length, 1)
    assert.equal((await addUser(book, { ...ANN, name: 'other', email: 'other@example.org' })).id, 2)
  })

  test(`${engine}: names, addresses and roles are checked`, async (t) => {
    const book = await openBook(engine, t)
    for (const name of ['', 'a b', 'a:b', 'a@b', 'a\n', 'x'.repeat(61)]) {
      await assert.rejects(addUser(book, { ...ANN, name }), failsWith('bad_user_name'), name)
    }
    for (const email of ['', 'ann', 'ann@', '@example.org', 'a b@example.org', 'a@b@c', 'a@b\u0000']) {
      await assert.rejects(addUser(book, { ...ANN, email }), failsWith('bad_user_email'), email)
    }
    await assert.rejects(addUser(book, { ...ANN, role: 'boss' }), failsWith('unknown_role'))
    assert.deepEqual(await listUsers(book), [])
  })

  test(`${engine}: a role is changed, and the same role again writes nothing`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    assert.equal((await setRole(book, { name: 'ann', role: 'author' })).role, 'author')
    await setRole(book, { name: 'ann', role: 'author' })
    assert.equal((await readSince(book.storage, 0, 10)).length, 2)
    await assert.rejects(setRole(book, { name: 'ann', role: 'boss' }), failsWith('unknown_role'))
    await assert.rejects(setRole(book, { name: 'bob', role: 'author' }), failsWith('no_such_user'))
  })

  test(`${engine}: an application password logs in by name and by address until it is revoked`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    const users = userLookup(book.storage, book.secret)
    const first = await addPassword(book, { name: 'ANN', label: 'phone' })
    const second = await addPassword(book, { name: 'ann' })
    const caller = { id: 1, role: 'editor', name: 'Ann' }
    assert.deepEqual(await authenticate(basic('ann', first.password), users), caller)
    assert.deepEqual(await authenticate(basic('Ann@Example.org', second.password), users), caller)
    await assert.rejects(
      authenticate(basic('ann@example.com', second.password), users),
      failsWith('incorrect_password'),
    )
    await revokePassword(book, { name: 'ann', id: first.id })
    await assert.rejects(authenticate(basic('ann', first.password), users), failsWith('incorrect_password'))
    assert.deepEqual(await authenticate(basic('ann', second.password), users), caller)
  })

  test(`${engine}: application passwords are listed without their text, revoked ones included`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    const added = await addPassword(book, { name: 'ann', label: 'phone' })
    assert.match(added.password, /^[A-Za-z0-9]{24}$/)
    await addPassword(book, { name: 'ann' })
    await revokePassword(book, { name: 'ann', id: 1 })
    const at = '2026-05-01 10:30:00'
    assert.deepEqual(await listPasswords(book, { name: 'ann' }), [
      { id: 1, label: 'phone', createdAt: at, revokedAt: at, usedAt: null },
      { id: 2, label: '', createdAt: at, revokedAt: null, usedAt: null },
    ])
    await assert.rejects(listPasswords(book, { name: 'bob' }), failsWith('no_such_user'))
    await assert.rejects(addPassword(book, { name: 'bob' }), failsWith('no_such_user'))
  })

  test(`${engine}: the last use of an application password is known to five minutes, and the journal has none of it`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    const { password } = await addPassword(book, { name: 'ann' })
    await addPassword(book, { name: 'ann' })
    const entries = (await readSince(book.storage, 0, 10)).length
    let now = Date.UTC(2026, 4, 2, 8)
    const writes: Promise<unknown>[] = []
    const write: Storage['write'] = (...job) => {
      const written = book.storage.write(...job)
      writes.push(written)
      return written
    }
    const report = (error: unknown): never => assert.fail(String(error))
    const note = lastUse({ storage: { write }, report, now: () => now }, PASSWORD_USES)
    const users = userLookup(book.storage, book.secret, note)
    const use = async (): Promise<(string | null)[]> => {
      // At once, and again: whoever is many notes it once.
      await Promise.all([1, 2].map(() => authenticate(basic('ann', password), users)))
      await authenticate(basic('ann', 'wrong'), users).catch(() => undefined)
      await Promise.all(writes)
      return (await listPasswords(book, { name: 'ann' })).map(({ usedAt }) => usedAt)
    }
    assert.deepEqual(await use(), ['2026-05-02 08:00:00', null])
    now += 240_000
    assert.deepEqual(await use(), ['2026-05-02 08:00:00', null])
    now += 60_000
    assert.deepEqual(await use(), ['2026-05-02 08:05:00', null])
    assert.equal((await readSince(book.storage, 0, 10)).length, entries)
  })

  test(`${engine}: a password is revoked once and only for its own user`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    await addUser(book, { ...ANN, name: 'bob', email: 'bob@example.org' })
    await addPassword(book, { name: 'ann' })
    await assert.rejects(revokePassword(book, { name: 'bob', id: 1 }), failsWith('no_such_password'))
    await revokePassword(book, { name: 'ann', id: 1 })
    await assert.rejects(revokePassword(book, { name: 'ann', id: 1 }), failsWith('no_such_password'))
    await assert.rejects(revokePassword(book, { name: 'ann', id: 9 }), failsWith('no_such_password'))
  })

  test(`${engine}: a disabled user is refused like an unknown one and may come back`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    const { password } = await addPassword(book, { name: 'ann' })
    const users = userLookup(book.storage, book.secret)
    assert.equal((await disableUser(book, { name: 'ann' })).disabledAt, '2026-05-01 10:30:00')
    await assert.rejects(authenticate(basic('ann', password), users), failsWith('incorrect_password'))
    assert.equal((await enableUser(book, { name: 'ann' })).disabledAt, null)
    assert.equal((await authenticate(basic('ann', password), users)).id, 1)
  })

  test(`${engine}: every change is in the journal with its revision and never with a hash`, async (t) => {
    const book = await openBook(engine, t)
    await addUser(book, ANN)
    const { password } = await addPassword(book, { name: 'ann', label: 'phone' })
    await revokePassword(book, { name: 'ann', id: 1 })
    await disableUser(book, { name: 'ann' })
    const entries = await readSince(book.storage, 0, 10)
    const actions = entries.map(({ resource, id, revision, action }) => [resource, id, revision, action])
    assert.deepEqual(actions, [
      ['user', 1, 1, 'create'],
      ['user', 1, 2, 'update'],
      ['user', 1, 3, 'update'],
      ['user', 1, 4, 'update'],
    ])
    const text = JSON.stringify(entries)
    assert.ok(text.includes('phone'))
    assert.ok(!text.includes(password))
    assert.ok(!text.includes(hashPassword(book.secret, password)))
  })

  test(`${engine}: the first administrator is added once, and only when there is nobody`, async (t) => {
    const book = await openBook(engine, t)
    const [one, two] = await Promise.all([addFirstAdministrator(book), addFirstAdministrator(book)])
    assert.equal(two, undefined)
    assert.ok(one)
    const caller = await authenticate(basic('admin', one.password), userLookup(book.storage, book.secret))
    assert.deepEqual(caller, { id: 1, role: 'administrator', name: 'admin' })
    assert.equal((await readSince(book.storage, 0, 10)).length, 1)
  })
}
