import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addToken, listTokens } from '../src/accounts/tokens/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { callWith, tokenOf } from './support/tokens.ts'

const PROFILE = '/admin/profile'

/** A visitor that fills in the form for a token, which is one of several on the page. */
async function browserOf(site: TestApp, role: Parameters<typeof visitor>[1]) {
  const browser = await visitor(site, role)
  const page = (await browser.show(PROFILE)).text
  const _csrf = /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const post = async (path: string, form: readonly (readonly [string, string])[]) => {
    const response = await fetch(site.origin + path, {
      method: 'POST',
      headers: { cookie: browser.cookie, origin: site.origin },
      body: new URLSearchParams([['_csrf', _csrf], ...form.map(([name, value]): [string, string] => [name, value])]),
      redirect: 'manual',
    })
    return { status: response.status, to: response.headers.get('location'), text: await response.text() }
  }
  return { ...browser, page, post }
}

const FORM = [
  ['action', 'token'],
  ['tokenName', 'Search <b>of</b> the city'],
  ['expires', '30'],
  ['scopes[]', 'read'],
  ['scopes[]', 'events:write'],
] as const

test('a person creates a token under Profile, sees it once, and revokes it', async (t) => {
  const site = await openTestApp(t)
  const browser = await browserOf(site, 'author')
  assert.match(browser.page, /<h2>Tokens<\/h2>/)
  assert.match(browser.page, /value="read" checked/)
  assert.doesNotMatch(browser.page, /value="never"/)
  const created = await browser.post(PROFILE, FORM)
  const token = /<p class="secret"[^>]*>(kal_[^<]+)<\/p>/.exec(created.text)?.[1] ?? ''
  assert.equal((await callWith(site, token, { method: 'GET', path: '/events' })).status, 200)
  const later = (await browser.show(PROFILE)).text
  assert.ok(!later.includes(token) && later.includes('Search &lt;b&gt;of&lt;/b&gt; the city'))
  const [made] = await listTokens(site.app, { user: 'author' })
  assert.deepEqual([made?.scopes, made?.expiresAt], [['read', 'events:write'], '2026-12-20 18:00:00'])
  const revoke = [
    ['action', 'revoke-token'],
    ['token', made?.id ?? ''],
  ] as const
  const question = await browser.post(PROFILE, revoke)
  assert.match(question.text, /Revoke Search/)
  assert.equal((await listTokens(site.app, { user: 'author' })).length, 1)
  assert.equal((await browser.post(PROFILE, [...revoke, ['confirmed', 'true']])).to, `${PROFILE}?done=revoked`)
  assert.equal((await callWith(site, token, { method: 'GET', path: '/events' })).status, 401)
})

test('what is refused stays in the form, and nobody revokes the tokens of others under Profile', async (t) => {
  const site = await openTestApp(t)
  const browser = await browserOf(site, 'author')
  const refused = await browser.post(PROFILE, [...FORM.slice(0, 3), ['scopes[]', 'root'], ['scopes[]', 'admin']])
  assert.equal(refused.status, 400)
  assert.match(refused.text, /at least one scope/)
  assert.match(refused.text, /value="admin" checked/)
  for (const [expires, problem] of [
    ['never', /administrators/],
    ['999', /within a year/],
  ] as const) {
    const form = FORM.map(([name, value]) => [name, name === 'expires' ? expires : value] as const)
    assert.match((await browser.post(PROFILE, form)).text, problem)
  }
  const other = await tokenOf(site, 'editor', 'read')
  await browser.post(PROFILE, [
    ['action', 'revoke-token'],
    ['token', other.id],
    ['confirmed', 'true'],
  ])
  assert.equal((await listTokens(site.app, { user: 'editor' })).length, 1)
  assert.equal((await listTokens(site.app, { user: 'author' })).length, 0)
})

test('a sign-in that is ten minutes old has to be confirmed before a token is created', async (t) => {
  const site = await openTestApp(t)
  const browser = await browserOf(site, 'author')
  site.clock.now += 601_000
  assert.match((await browser.show(PROFILE)).text, /href="\/admin\/confirm\?next=%2Fadmin%2Fprofile"/)
  assert.match((await browser.post(PROFILE, FORM)).to ?? '', /^\/admin\/confirm\?next=/)
  assert.deepEqual(await listTokens(site.app, { user: 'author' }), [])
})

test('administrators see the tokens of everybody under Users and revoke them', async (t) => {
  const site = await openTestApp(t)
  await addToken(site.app, { user: 'author', name: 'Newsletter' })
  const [made] = await listTokens(site.app, { user: 'author' })
  const path = '/admin/users/author'
  const browser = await browserOf(site, 'administrator')
  const { text } = await browser.show(path)
  assert.match(text, /Newsletter/)
  // What is said to the owner alone.
  assert.match(browser.page, /in your name/)
  assert.doesNotMatch(text, /in your name/)
  assert.match(browser.page, /value="never"/)
  const revoke = [
    ['action', 'revoke-token'],
    ['token', made?.id ?? ''],
  ] as const
  assert.match((await browser.post(path, revoke)).text, /Revoke Newsletter\?/)
  assert.match((await browser.post(path, [...revoke, ['confirmed', 'true']])).text, /Token revoked/)
  assert.deepEqual(await listTokens(site.app, { user: 'author' }), [])
})
