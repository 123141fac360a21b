import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { addRedirect, listRedirects, removeRedirect } from '../src/calendar/redirects/store.ts'
import { openTestApp, type TestApp } from './support/app.ts'

/*
 * Addresses of a former site: rules that send them on.
 */

async function locationOf({ origin }: Pick<TestApp, 'origin'>, path: string): Promise<string> {
  const response = await fetch(origin + path, { redirect: 'manual' })
  await response.text()
  return response.status === 301
    ? (response.headers.get('location') ?? '').replace(origin, '')
    : String(response.status)
}

/** The location of a target exactly as written, which `fetch` would tidy up. */
function rawLocationOf(origin: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    request({ hostname, port, path }, (response) => {
      response.resume()
      resolve(String(response.headers.location ?? response.statusCode))
    })
      .once('error', reject)
      .end()
  })
}

test('a rule for a path with parameters is for these alone, and one for the path for all others', async (t) => {
  const app = await openTestApp(t)
  const add = (from: string, to: string) => addRedirect(app.app, { from, to })
  await add('/show.php?id=1', '/events/')
  await add('/show.php?id=2&size=%e4', '/venue/')
  await add('/show.php', '/organizer/x')
  assert.equal(await locationOf(app, '/show.php?id=1'), '/events/')
  assert.equal(await locationOf(app, '/show.php/?id=1'), '/events/')
  assert.equal(await locationOf(app, '/show.php?id=2&size=%e4'), '/venue/')
  assert.equal(await locationOf(app, '/show.php?id=3'), '/organizer/x?id=3')
  assert.equal(await locationOf(app, '/show.php'), '/organizer/x')
  for (const from of ['/a/*?b=1', `/a?${'b'.repeat(1001)}`, '/a?b#c'])
    await assert.rejects(add(from, '/events/'), { code: 'redirect_not_usable' }, from)
  await add('/round?a=1', '/round?a=2')
  await assert.rejects(add('/round?a=2', '/round?a=1'), { code: 'redirect_not_usable' })
  await removeRedirect(app.app, { from: '/show.php?id=1' })
  assert.equal(await locationOf(app, '/show.php?id=1'), '/organizer/x?id=1')
})

test('rules send what names nothing elsewhere, the most particular one first, and leave pages alone', async (t) => {
  const app = await openTestApp(t)
  const add = (from: string, to: string) => addRedirect(app.app, { from, to })
  await add('/old', '/events/')
  await add('/calendar/*', '/events/*')
  await add('/calendar/special/*', '/venue/')
  await add('/straße/', '/organizer/x')
  await add('/elsewhere/*', 'https://other.example/a/*')
  await add('/query', '/events/?search=x')
  await add('/events', '/nowhere')
  assert.equal(await locationOf(app, '/old'), '/events/')
  assert.equal(await locationOf(app, '/old/?utm=1'), '/events/?utm=1')
  assert.equal(await locationOf(app, '/old/more'), '404')
  assert.equal(await locationOf(app, '/calendar/2027-01/?a=b'), '/events/2027-01?a=b')
  assert.equal(await locationOf(app, '/calendar'), '/events/')
  assert.equal(await locationOf(app, '/calendar/special/day'), '/venue/')
  assert.equal(await locationOf(app, '/stra%C3%9Fe'), '/organizer/x')
  assert.equal(await locationOf(app, '/stra%c3%9fe/'), '/organizer/x')
  assert.equal(await locationOf(app, '/elsewhere/b/c%20d'), 'https://other.example/a/b/c%20d')
  assert.equal(await locationOf(app, '/query?a=b'), '/events/?search=x')
  assert.equal(await locationOf(app, '/events/'), '200', 'a page that is there is never hidden')
  assert.equal(await locationOf(app, '/cal/events/v1/nothing'), '404')
  const posted = await fetch(`${app.origin}/old`, { method: 'POST', redirect: 'manual' })
  assert.equal(posted.status, 404)
  await removeRedirect(app.app, { from: '/old/' })
  assert.equal(await locationOf(app, '/old'), '404')
  await assert.rejects(removeRedirect(app.app, { from: '/old' }), /no redirect from \/old/)
  assert.equal((await listRedirects(app.app)).length, 6)
})

test('no request makes a rule lead to a host that it does not name', async (t) => {
  const app = await openTestApp(t)
  await addRedirect(app.app, { from: '/o/*', to: '/*' })
  await addRedirect(app.app, { from: '/x/*', to: 'https://other.example/*' })
  const rests = ['/evil.example', '//evil.example', '/\\evil.example', '%2F%2Fevil.example', '..//evil.example']
  for (const rest of [
    ...rests,
    '@evil.example',
    '.evil.example',
    '%0D%0AX-Injected:%201',
    '%00',
    '%E0%A4%A',
    '?//evil',
  ]) {
    for (const [prefix, host] of [
      ['/o/', new URL(app.origin).host],
      ['/x/', 'other.example'],
    ] as const) {
      const location = await rawLocationOf(app.origin, prefix + rest)
      if (/^\d+$/.test(location)) continue
      assert.equal(new URL(location, app.origin).host, host, prefix + rest)
    }
  }
})

test('rules that lead in a circle or that are none are refused', async (t) => {
  const app = await openTestApp(t)
  const add = (from: string, to: string) => addRedirect(app.app, { from, to })
  await add('/a', '/b')
  await add('/b', '/c')
  for (const [from, to] of [
    ['/c', '/a'],
    ['/c', '/c'],
    ['/c', '/c/'],
    ['/d/*', '/d/e/*'],
    ['/d/*', '/d'],
    ['/*', '/e'],
  ] as const)
    await assert.rejects(add(from, to), /would lead in a circle/, `${from} ${to}`)
  for (const [from, to] of [
    ['old', '/x'],
    ['//old', '/x'],
    ['/o*d', '/x'],
    ['/old*', '/x'],
    ['/old\n', '/x'],
    ['/old', '//evil.example'],
    ['/old', '/\\evil.example'],
    ['/old', 'javascript:alert(1)'],
    ['/old', 'ftp://x.example/'],
    ['/old', '/x/*'],
    ['/old/*', 'https://other.example*'],
    ['/old/*', 'https://other.example/?q=/*'],
    ['/old/*', '/x/*/y'],
    ['/old', '/x\r\nX-Injected: 1'],
    [`/${'a/'.repeat(60)}b`, '/x'],
    ['/old', `/${'x'.repeat(1001)}`],
  ] as const)
    await assert.rejects(add(from, to), /The redirect was not added/, `${from} ${to}`)
  assert.deepEqual(
    (await listRedirects(app.app)).map(({ source }) => source),
    ['/a', '/b'],
  )
  await add('/a', 'https://other.example/')
  await add('/c', '/a')
})

test('rules that lead in a circle only with some parameters, or below some paths, are refused as well', async (t) => {
  const app = await openTestApp(t)
  const add = (from: string, to: string) => addRedirect(app.app, { from, to })
  await add('/b?x=1', '/a?x=1')
  await assert.rejects(add('/a', '/b'), /would lead in a circle/)
  await add('/c', '/d')
  await add('/d?x=2', '/e?x=2')
  await assert.rejects(add('/e', '/c'), /would lead in a circle/)
  await add('/new/2025/fair', '/old/2025/fair')
  await assert.rejects(add('/old/*', '/new/*'), /would lead in a circle/)
  await add('/a', '/b?x=3')
  await add('/old/*', '/newer/*')
  const sources = (await listRedirects(app.app)).map(({ source }) => source)
  assert.deepEqual(sources, ['/a', '/b?x=1', '/c', '/d?x=2', '/new/2025/fair', '/old/*'])
})
