import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'

const app = await openTestApp({ after })

async function made(title: string, day: string, more: object = {}): Promise<number> {
  const json = { title, start_date: `${day} 10:00`, end_date: `${day} 11:00`, ...more }
  const { status, body } = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

/** The small month of a page: its name, the addresses of its arrows, and those of its days; undefined without one. */
async function smallMonth(path: string) {
  const { status, body } = await app.call('anonymous', 'GET', app.origin + path)
  assert.equal(status, 200, path)
  const [, name, inside = ''] = /<nav class="mini" aria-label="([^"]*)">([\s\S]*?)<\/nav>/.exec(String(body)) ?? []
  if (name === undefined) return undefined
  const addresses = (pattern: RegExp): string[] =>
    [...inside.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&').replace(app.origin, ''))
  return { name, arrows: addresses(/rel="nofollow" href="([^"]*)"/g), days: addresses(/<td[^>]*><a href="([^"]*)"/g) }
}

test('a small month knows the events of its days at once, on the list or not', async () => {
  await made('Late', '2027-03-20', { categories: ['Music'] })
  const path = '/events/?start_date=2027-03-10'
  const before = await smallMonth(path)
  assert.deepEqual(before, {
    name: 'March 2027',
    arrows: ['/events/?start_date=2027-02-01', '/events/?start_date=2027-04-01'],
    days: ['/events/2027-03-20/'],
  })
  const early = await made('Early', '2027-03-03')
  await made('Night', '2027-04-01')
  assert.deepEqual((await smallMonth(path))?.days, ['/events/2027-03-03/', '/events/2027-03-20/'])
  await app.call('administrator', 'PATCH', `/events/${early}`, {
    json: { start_date: '2027-03-04 10:00', end_date: '2027-03-05 11:00' },
  })
  const both = ['/events/2027-03-04/', '/events/2027-03-05/', '/events/2027-03-20/']
  assert.deepEqual((await smallMonth(path))?.days, both)
  await app.call('administrator', 'DELETE', `/events/${early}`)
  assert.deepEqual((await smallMonth(path))?.days, ['/events/2027-03-20/'])
})

test('a small month takes notice of filters, words and the scope of its page', async () => {
  await made('Lute', '2028-05-06', { categories: ['Folk'] })
  await made('Chess', '2028-05-07')
  const days = async (path: string) => (await smallMonth(path))?.days
  assert.deepEqual(await days('/events/?categories=folk&start_date=2028-05-01'), [
    '/events/2028-05-06/?categories=folk',
  ])
  assert.deepEqual(await days('/events/category/folk/?start_date=2028-05-01'), ['/events/category/folk/2028-05-06/'])
  const found = await smallMonth('/search?q=chess&start_date=2028-05-01')
  assert.equal(found?.days.length, 1)
  assert.equal(found?.arrows[0], '/search?q=chess&start_date=2028-04-01')
  assert.equal((await smallMonth('/de/events/?start_date=2028-05-01'))?.name, 'Mai 2028')
})

test('no small month stands in a frame, nor where months have no address', async () => {
  assert.equal(await smallMonth('/events/?start_date=2028-05-01&embed=1'), undefined)
  for (const day of ['1001-01-31', '9998-12-01', '9999-12-31'])
    assert.equal(await smallMonth(`/events/?start_date=${day}`), undefined, day)
  for (const day of ['1001-02-01', '9998-11-30'])
    assert.equal((await smallMonth(`/events/?start_date=${day}`))?.arrows.length, 2, day)
})
