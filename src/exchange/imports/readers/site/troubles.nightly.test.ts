import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { type MadeItem, openMadeSite, type Trouble } from '../../../../../test/support/made-site.ts'
import { eventsOf, idsIn, importMade, madeEvent, madeEvents } from '../../../../../test/support/site-import.ts'

type Change = Extract<Trouble, { kind: 'list' }>['change']

function list(change: Change): Trouble {
  return { kind: 'list', change }
}

const LATER = new Date(Date.UTC(2026, 0, 1)).toUTCString()

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'errors with a page': { kind: 'status', status: 500 },
  'a request to wait, in seconds': { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  'a request to wait, as a date': { kind: 'status', status: 503, headers: { 'retry-after': LATER, date: LATER } },
  'answers that are cut off': { kind: 'cut' },
  'half of the JSON': { kind: 'half' },
  'connections that break': { kind: 'reset' },
  'a page instead of JSON': { kind: 'page' },
  'notices before the JSON': { kind: 'notice' },
  'a byte order mark': { kind: 'mark' },
  'pages that lack items': list((items) => ({ items: items.slice(0, -2) })),
  'pages that repeat items': list((items) => ({ items: [...items.slice(0, 3), ...items] })),
  'pages that repeat some items and lack others': list((items) => ({
    items: [...items.slice(0, 2), ...items.slice(0, -2)],
  })),
  'totals that are too high': list((items, total) => ({ items, total: total + 7 })),
  'totals that are too low': list((items, total) => ({ items, total: total - 60 })),
}

for (const [name, trouble] of Object.entries(TROUBLES)) {
  test(`${name}: everything comes all the same`, async (t) => {
    const [app, site] = [await openTestApp(t), await openMadeSite(t)]
    site.content.events = madeEvents(130)
    site.trouble = (path, tries) => (path.includes('/events?') && tries <= 2 ? trouble : undefined)
    const report = await importMade(app, site)
    assert.equal(report.complete, true)
    assert.deepEqual(idsIn(await eventsOf(app)), idsIn(site.content.events))
  })
}

test('a list that shifts while it is read is read again until it stands', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = madeEvents(130)
  const change = (): void => {
    const [, , ...left] = site.content.events
    const added: MadeItem[] = Array.from({ length: 3 }, (_none, index) => madeEvent(900 + index))
    site.content.events = [...added, ...left]
  }
  site.trouble = (path, tries) => {
    if (path.includes('page=2') && path.includes('/events?') && tries === 1) change()
    return undefined
  }
  const report = await importMade(app, site, { concurrency: 1 })
  assert.equal(report.complete, true)
  assert.deepEqual(idsIn(await eventsOf(app)), idsIn(site.content.events))
})

test('a page that never comes is named, and the rest is imported', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = madeEvents(130)
  site.trouble = (path) =>
    path.includes('page=2') && path.includes('/events?')
      ? { kind: 'status', status: 503, headers: { 'retry-after': '4000' } }
      : undefined
  const report = await importMade(app, site, { vanished: 'trash' })
  assert.deepEqual([report.complete, report.counts.event.created, report.vanished], [false, 80, []])
  assert.match(report.skipped[0]?.why ?? '', /page 2: the site asks to come back in 4000 seconds/)
  site.trouble = () => undefined
  assert.equal((await importMade(app, site)).counts.event.created, 50)
})

for (const announcedBy of ['root', 'link', 'html', 'nothing'] as const) {
  test(`the API is found when it is announced by ${announcedBy}, at any prefix and by query`, async (t) => {
    const [app, site] = [await openTestApp(t), await openMadeSite(t)]
    site.content.events = madeEvents(2)
    for (const prefix of announcedBy === 'nothing' ? ['/wp-json', '?'] : ['/wp-json', '?', '/blog/api']) {
      Object.assign(site, { announcedBy, prefix })
      const report = await importMade(app, site, { address: `${site.origin}/calendar/` })
      assert.equal(report.counts.event.found, 2, prefix)
    }
  })
}

test('an address of the API itself will do, and one without any is refused', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = madeEvents(2)
  const address = `${site.origin}/wp-json/tribe/events/v1/events/1000`
  assert.equal((await importMade(app, site, { address })).counts.event.found, 2)
  Object.assign(site, { announcedBy: 'nothing', prefix: '/hidden' })
  site.trouble = (path) => (path.includes('events') ? { kind: 'status', status: 404 } : undefined)
  await assert.rejects(importMade(app, site, { allow: [] }), { code: 'site_not_found' })
})
