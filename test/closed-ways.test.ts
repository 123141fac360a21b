import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from './support/app.ts'

test('where nobody can sign in, the page says so', async (t) => {
  const { origin } = await openTestApp(t, { passwordSignIn: 'no' })
  assert.match(await (await fetch(`${origin}/admin/login`)).text(), /Nobody can sign in here at the moment/)
})
