import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from './support/app.ts'

const SOON = { start_date: '2026-12-03 19:00:00', end_date: '2026-12-03 22:00:00' }
const PAST = { start_date: '2026-10-03 19:00:00', end_date: '2026-10-03 22:00:00' }

async function seeded(t: test.TestContext) {
  const site = await openTestApp(t)
  const create = async (json: object): Promise<void> => {
    const { status, body } = await site.call('editor', 'POST', '/events', { json })
    assert.equal(status, 201, JSON.stringify(body))
  }
  const cellar = { venue: 'Felsenkeller', address: 'Hafenstraße 3', city: 'Leipzig', status: 'publish' }
  await create({ title: 'Quartet', venue: cellar, organizer: { organizer: 'Jazz Society' }, ...SOON })
  await create({ title: 'Old quartet', venue: cellar, ...PAST })
  await create({ title: 'Trio', venue: cellar, event_status: 'canceled', ...SOON })
  await create({ title: 'Chess evening', categories: ['Tournaments'], tags: ['beginners'], ...SOON })
  await create({
    title: 'Secret jazz',
    status: 'private',
    venue: { venue: 'Hidden jazz bar', status: 'private' },
    ...SOON,
  })
  return site
}

async function search(site: TestApp, q: string) {
  const { status, body } = await site.call(
    'anonymous',
    'GET',
    `${site.origin}/kalends/v1/search?q=${encodeURIComponent(q)}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  const names = (key: string) => body[key].map((one: { name: string }) => one.name)
  const titles = body.events.map((one: { title: string }) => one.title)
  const found = [names('venues'), names('organizers'), names('categories'), names('tags')]
  return { titles, found, corrected: body.corrected, body }
}

test('names and addresses lead to what takes place there: first what is to come, then what is canceled or over', async (t) => {
  const site = await seeded(t)
  const all = ['Quartet', 'Trio', 'Old quartet']
  for (const q of ['felsenkeller', 'Felsenk', 'hafenstrasse', 'LEIPZIG']) {
    const { titles, found, corrected } = await search(site, q)
    assert.deepEqual([titles, found, corrected], [all, [['Felsenkeller'], [], [], []], false], q)
  }
  assert.deepEqual((await search(site, 'jazz felsenkeller')).titles, ['Quartet'])
  assert.deepEqual((await search(site, 'quartet -old')).titles, ['Quartet'])
  const { titles, found } = await search(site, 'tournaments')
  assert.deepEqual([titles, found], [['Chess evening'], [[], [], ['Tournaments'], []]])
  assert.deepEqual((await search(site, 'beginners')).found, [[], [], [], ['beginners']])
})

test('a word with one typing error is corrected, wherever it is; two are not', async (t) => {
  const site = await seeded(t)
  for (const q of [
    'felsenkeler',
    'felsenkellre',
    'xelsenkeller',
    'feslenkeller',
    'flsenkeller',
    'felsenkellerr',
    'felsexkeller',
  ]) {
    const { titles, corrected, body } = await search(site, q)
    assert.deepEqual([titles.length, corrected, body.q], [3, true, 'felsenkeller'], q)
  }
  assert.deepEqual((await search(site, 'tournaements')).titles, ['Chess evening'])
  assert.deepEqual((await search(site, 'felsxxkeller')).titles, [])
  assert.deepEqual((await search(site, 'jaz')).titles.length, 1)
})

test('no word is corrected to one that only those who write may read', async (t) => {
  const site = await seeded(t)
  for (const [title, more] of [
    ['Insolvenz', { status: 'draft', tags: ['layoffs'] }],
    ['Locked', { description: 'bankruptcy', password: 'sesame' }],
  ] as const)
    assert.equal((await site.call('editor', 'POST', '/events', { json: { title, ...SOON, ...more } })).status, 201)
  for (const q of ['insolvens', 'bankruptcx', 'layofs']) {
    const { titles, found, corrected } = await search(site, q)
    assert.deepEqual([titles, found.flat(), corrected], [[], [], false], q)
  }
})

test('a word that the index does not know leads nowhere by itself, and hides nothing', async (t) => {
  const site = await seeded(t)
  const json = { title: 'R&B bar night', venue: { venue: 'Elsewhere', status: 'publish' }, ...SOON }
  assert.equal((await site.call('editor', 'POST', '/events', { json })).status, 201)
  const other = { title: 'Open stage', venue: { venue: 'R&B Bar', status: 'publish' }, ...SOON }
  assert.equal((await site.call('editor', 'POST', '/events', { json: other })).status, 201)
  assert.deepEqual((await search(site, 'r&b bar')).titles.toSorted(), ['Open stage', 'R&B bar night'])
})

test('nothing hidden is found, and links of results lead to pages', async (t) => {
  const site = await seeded(t)
  const { titles, found, body } = await search(site, 'jazz')
  assert.deepEqual([titles, found], [['Quartet'], [[], ['Jazz Society'], [], []]])
  for (const { url } of [...body.events, ...body.organizers]) assert.equal((await fetch(url)).status, 200, url)
  const missing = await site.call('anonymous', 'GET', `${site.origin}/kalends/v1/search`)
  assert.equal(missing.status, 400)
})
