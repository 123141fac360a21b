import assert from 'node:assert/strict'
import test from 'node:test'
import { examineCopies } from '../src/doctor/copies.ts'
import { examineRows } from '../src/doctor/rows.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'

type Person = Awaited<ReturnType<typeof visitor>>

const WHEN = { start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', status: 'publish' }

async function make({ call }: TestApp, path: string, json: object): Promise<number> {
  const { status, body } = await call('administrator', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

async function read({ call }: TestApp, path: string) {
  return (await call('administrator', 'GET', path)).body
}

/** What is wrong with what is stored twice, and with the journal; `[]` where all is well. */
async function faults({ app }: TestApp) {
  const all = [...(await examineRows(app.storage)), ...(await examineCopies(app.storage)).findings]
  return all.filter(({ problems }) => problems > 0)
}

/** What the undo button of a page sends; '' where there is none. */
function undoIn(text: string): string {
  return /name="undo" value="([^"]*)"/.exec(text)?.[1] ?? ''
}

/** Deletes an item by its form, after the question; the page that follows. */
async function remove(person: Person, page: string) {
  const asked = await person.submit(page, { action: 'delete' })
  assert.match(asked.text, /It can be undone for an hour\./)
  const { to } = await person.send(page, asked.text, { action: 'delete' })
  return { to, text: (await person.show(to)).text }
}

/** Takes back what a page offers to; the page that follows. */
async function takeBack(person: Person, list: string, text: string): Promise<string> {
  const { to } = await person.submit(list, { action: 'restore', undo: undoIn(text) })
  return (await person.show(to)).text
}

const idsOf = (terms: readonly { readonly id: number }[]): number[] => terms.map(({ id }) => id).sort((a, b) => a - b)

/** How many events lists show of a category or tag, with all that is below it. */
async function listed(site: TestApp, filter: string): Promise<number> {
  return (await read(site, `/events?${filter}&start_date=1000-01-01&end_date=9999-12-31&per_page=1`)).total
}

test('a category that was deleted comes back with its place, its children and all its events', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const top = await make(site, '/categories', { name: 'Arts' })
  const json = { name: 'Music & Dance', slug: 'music', description: 'All <em>sounds</em>', parent: top }
  const music = await make(site, '/categories', json)
  const jazz = await make(site, '/categories', { name: 'Jazz', parent: music })
  const gig = await make(site, '/events', { ...WHEN, title: 'Gig', categories: [music, jazz] })
  const draft = await make(site, '/events', { ...WHEN, title: 'Draft', status: 'draft', categories: [music] })
  const low = await make(site, '/events', { ...WHEN, title: 'Low', categories: [jazz] })
  const weekly = { ...WHEN, title: 'Weekly', recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4', categories: [music] }
  const series = await make(site, '/events', weekly)
  const dates = (await read(site, `/events?series=${series}&end_date=2027-12-31`)).events
  await site.call('administrator', 'POST', `/events/${dates[1].id}`, { json: { title: 'Guest', scope: 'this' } })
  const before = await read(site, `/categories/${music}`)
  const counts = () => Promise.all([top, music, jazz].map((id) => listed(site, `categories=${id}`)))
  const listedBefore = await counts()

  const { text } = await remove(ada, `/admin/categories/${music}`)
  assert.equal((await site.call('editor', 'GET', `/categories/${music}`)).status, 400)
  assert.equal((await read(site, `/categories/${jazz}`)).parent, top)
  await site.call('administrator', 'POST', `/events/${gig}`, { json: { title: 'Gig moved', categories: [jazz, top] } })
  const told = await takeBack(ada, '/admin/categories', text)

  assert.match(told, /role="status">Brought back</)
  assert.deepEqual(await read(site, `/categories/${music}`), before)
  assert.equal((await read(site, `/categories/${jazz}`)).parent, music)
  const found = await read(site, `/events/${gig}`)
  assert.deepEqual([found.title, idsOf(found.categories)], ['Gig moved', [top, music, jazz]])
  assert.deepEqual(idsOf((await read(site, `/events/${draft}`)).categories), [music])
  assert.deepEqual(idsOf((await read(site, `/events/${low}`)).categories), [jazz])
  for (const { id } of dates) assert.deepEqual(idsOf((await read(site, `/events/${id}`)).categories), [music])
  assert.deepEqual(await counts(), listedBefore)
  assert.deepEqual(await faults(site), [])
})
