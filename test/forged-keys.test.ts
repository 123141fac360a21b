import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

const KEY = { 'idempotency-key': 'a-key-of-the-page' }

test('a page without the token of the session gets no stored answer, and its refusal is not stored', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const token = /name="_csrf" value="([\w-]+)"/.exec((await ada.show('/admin/events/new')).text)?.[1] ?? ''
  const write = async (headers: Readonly<Record<string, string>>) => {
    const response = await fetch(`${site.origin}/cal/events/v1/tags`, {
      method: 'POST',
      headers: { cookie: ada.cookie, 'content-type': 'application/json', ...KEY, ...headers },
      body: JSON.stringify({ name: 'Ours' }),
    })
    const { code } = (await response.json()) as { readonly code?: string }
    return [response.status, code, response.headers.get('idempotency-replayed')]
  }
  const forged = [403, 'rest_csrf_token', null]
  const own = { origin: site.origin, 'x-kalends-csrf': token }
  assert.deepEqual(await write({}), forged)
  assert.deepEqual(await write(own), [201, undefined, null])
  assert.deepEqual(await write({}), forged)
  assert.deepEqual(await write({ origin: site.origin }), forged)
  assert.deepEqual(await write(own), [201, undefined, 'true'])
})

test('conflicts count events that no list shows, and name them to nobody without credentials', async (t) => {
  const { call, origin } = await openTestApp(t)
  const venue = (await call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })).body.id
  const times = { start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 11:00:00', venue, status: 'publish' }
  await call('editor', 'POST', '/events', { json: { ...times, title: 'Secret rehearsal', hide_from_listings: true } })
  await call('editor', 'POST', '/events', { json: { ...times, title: 'Regatta' } })
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
  await call('editor', 'POST', '/events', {
    json: { ...times, title: 'Secret course', hide_from_listings: true, recurrence },
  })
  const path = `${origin}/kalends/v1/conflicts?venue=${venue}&start_date=2027-04-17+10:00`
  const titles = async (as: 'anonymous' | 'editor') => {
    const { body } = await call(as, 'GET', path)
    const all: readonly { event?: { title: string } }[] = body.conflicts
    return { total: body.total, named: all.flatMap(({ event }) => event?.title ?? []).sort() }
  }
  assert.deepEqual(await titles('anonymous'), { total: 3, named: ['Regatta'] })
  assert.deepEqual(await titles('editor'), { total: 3, named: ['Regatta', 'Secret course', 'Secret rehearsal'] })
})
