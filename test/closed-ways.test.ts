import assert from 'node:assert/strict'
import test from 'node:test'
import { warnOfClosedWays } from '../src/app/single-sign-on.ts'
import { openTestApp } from './support/app.ts'

test('where nobody can sign in, the page and the log say so', async (t) => {
  const { app, origin } = await openTestApp(t, { passwordSignIn: 'no' })
  assert.match(await (await fetch(`${origin}/admin/login`)).text(), /Nobody can sign in here at the moment/)
  const warned = async (breakGlass: readonly string[], baseUrl = ''): Promise<string[]> => {
    const lines: string[] = []
    const warn = (...parts: readonly unknown[]): void => void lines.push(JSON.stringify(parts))
    await warnOfClosedWays(app.storage, { passwordSignIn: false, breakGlass, baseUrl }, { warn })
    return lines
  }
  assert.match((await warned([]))[0] ?? '', /nobody can sign in/)
  assert.deepEqual(await warned([], 'https://example.org'), [])
  assert.deepEqual(await warned(['Editor']), [])
  assert.match((await warned(['editor', 'edit']))[0] ?? '', /"edit".*--break-glass/)
})
