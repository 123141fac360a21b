import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from './support/app.ts'

test('administrators list the users page by page, others do not', async (t) => {
  const app = await openTestApp(t)
  const address = `${app.origin}/wp-json/kalends/v1/users`
  const refused = [
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 403],
    ['editor', 403],
  ] as const
  for (const [role, status] of refused) {
    const { status: answered, body } = await app.call(role, 'GET', address)
    assert.deepEqual([answered, 'users' in body], [status, false], role)
  }
  const found: Record<string, unknown>[] = []
  for (let after = 0; ; after = Number(found.at(-1)?.['id'])) {
    const page = `${address}?limit=2${after > 0 ? `&after=${after}` : ''}`
    const { status, body, headers } = await app.call('administrator', 'GET', page)
    assert.equal(status, 200)
    assert.match(headers.get('cache-control') ?? '', /no-store.*private/)
    assert.ok(body.users.length <= 2)
    if (body.users.length === 0) break
    found.push(...body.users)
  }
  const all = await app.call('administrator', 'GET', address)
  assert.deepEqual(found, all.body.users)
  assert.equal(new Set(found.map(({ role }) => role)).size, 5)
  const [first] = found
  const members = ['id', 'name', 'display_name', 'email', 'role', 'disabled', 'created_at']
  assert.deepEqual(Object.keys(first ?? {}), members)
})
