import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import {
  assertSameEvent,
  eventsIn,
  fileOf,
  fixture,
  importFiles,
  type Json,
} from '../../../../../test/support/json-import.ts'
import { fold } from '../../../../base/text/fold.ts'
import { cleanHtml } from '../../../../base/text/html.ts'
import { recallMade } from '../../../../base/text/long-texts.ts'
import { headSeq, readSince } from '../../../../storage/journal/read.ts'

const LIST = fixture('harbour-events.json')
const SINGLE = fixture('harbour-event.json')
const CATEGORIES = fixture('harbour-categories.json')
/** Categories 31, 32, 34; tag 35; venues 5011, 5012; organizers 5021, 5022; events 5001 to 5004. */
const ITEMS = 12

async function get({ call }: TestApp, path: string): Promise<Json> {
  const { status, body } = await call('administrator', 'GET', path)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}

function changed(change: (event: Json) => void): ReturnType<typeof fileOf> {
  const event: Json = JSON.parse(SINGLE.text)
  change(event)
  return fileOf(event)
}

test('an imported event reads back as it was recorded, with everything that it embeds', async (t) => {
  const app = await openTestApp(t)
  const report = await importFiles(app, [LIST])
  assert.deepEqual([report.created, report.updated, report.unchanged], [ITEMS, 0, 0])
  for (const recorded of eventsIn(LIST)) assertSameEvent(await get(app, `/events/${recorded.id}`), recorded)
})

test('what is left out is reported with its place and the reason', async (t) => {
  const { skipped } = await importFiles(await openTestApp(t), [LIST])
  assert.deepEqual(skipped, [{ what: 'harbour-events.json: events[3].categories[1]', why: 'it has no name' }])
})

test('an import lists, searches and counts like every write', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST])
  const ids = async (query: Record<string, string>) => {
    const answer = await app.call('anonymous', 'GET', '/events', { query: { start_date: '2022-01-01', ...query } })
    return answer.body.events.map(({ id }: Json) => id)
  }
  // 5003 is hidden from lists and 5004 a draft.
  assert.deepEqual(await ids({}), [5001, 5002])
  assert.deepEqual(await ids({ search: 'stout' }), [5001])
  assert.deepEqual(await ids({ venue: '5011' }), [5001])
  assert.deepEqual(await ids({ categories: 'music' }), [5001])
  assert.equal((await get(app, '/tags/35')).count, 2)
  assert.equal((await get(app, '/categories/34')).count, 0)
})

test('titles are decoded exactly once, and HTML is cleaned', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST])
  assert.equal((await get(app, '/events/5004')).title, 'Café &lt;b&gt;Night&lt;/b&gt;')
  const first = await get(app, '/events/5001')
  assert.equal(first.title, 'Shanties &amp; Stout – 2nd night')
  assert.equal(first.description.includes('script'), false)
  assert.equal(first.virtual_note, '<b>Open</b>')
  assert.equal(first.website, 'https://tickets.example/?a=1&b=2')
})

test('our members win over unknown ones, and the recorded author stays behind ours', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST], 'editor')
  const answer = await get(app, '/events/5001')
  assert.equal(answer.author, '2')
  assert.equal('_links' in answer, false)
  assert.notEqual(answer.json_ld.name, 'x')
  assert.ok(Object.keys(answer).indexOf('is_virtual') > Object.keys(answer).indexOf('custom_fields'))
  const { db } = app.app.storage
  const row = await app.app.storage.first(db.selectFrom('event').select('extra').where('id', '=', 5001))
  assert.equal(JSON.parse(row?.extra ?? '').author, '12')
})

test('a draft without publication date gets it from the wall clock that was recorded', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST])
  const { date_utc, status } = await get(app, '/events/5004')
  assert.deepEqual([status, date_utc], ['draft', '2022-02-01 09:30:00'])
})

test('parts of an event find it, in whatever order they come', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST])
  assert.equal((await get(app, '/events/5003')).post_parent, 5004)
})

test('importing twice changes nothing and leaves no trace in the journal', async (t) => {
  const app = await openTestApp(t)
  const files = [LIST, SINGLE, CATEGORIES]
  await importFiles(app, files)
  const before = await headSeq(app.app.storage)
  const report = await importFiles(app, files)
  assert.deepEqual([report.created, report.updated, report.unchanged], [0, 0, ITEMS + 1])
  assert.equal(await headSeq(app.app.storage), before)
})

test('every item has one journal entry, by its owner, at the moment of the import', async (t) => {
  const app = await openTestApp(t)
  const before = await headSeq(app.app.storage)
  await importFiles(app, [LIST])
  const entries = await readSince(app.app.storage, before, 100)
  assert.equal(entries.length, ITEMS)
  for (const { actor, action, at } of entries)
    assert.deepEqual([actor, action, at], [1, 'create', '2026-11-20 18:00:00'])
})

test('the same event in several files counts once, and the last file wins', async (t) => {
  const app = await openTestApp(t)
  const report = await importFiles(app, [LIST, changed((event) => (event.title = 'Last word'))])
  assert.equal(report.created, ITEMS)
  assert.equal((await get(app, '/events/5001')).title, 'Last word')
})

test('a changed record updates the stored event, and only that', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST])
  const before = await headSeq(app.app.storage)
  const file = changed((event) => {
    event.title = 'Moved'
    event.tags = []
    event.modified_utc = '2022-05-05 05:05:05'
  })
  const report = await importFiles(app, [file])
  // The tag is not in this file any more.
  assert.deepEqual([report.created, report.updated, report.unchanged], [0, 1, 5])
  const entries = await readSince(app.app.storage, before, 10)
  assert.deepEqual(
    entries.map(({ resource, id, revision, action }) => [resource, id, revision, action]),
    [['event', 5001, 2, 'update']],
  )
  const answer = await get(app, '/events/5001')
  assert.deepEqual([answer.title, answer.tags, answer.modified_utc], ['Moved', [], '2022-05-05 05:05:05'])
  assert.equal((await get(app, '/tags/35')).count, 1)
})

test('changed venues, organizers and terms are updated too', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST])
  const file = changed((event) => {
    event.venue.city = 'Westport'
    event.organizer[0].organizer = 'New Salts'
    event.categories[1].name = 'Music'
  })
  const report = await importFiles(app, [file])
  assert.equal(report.updated, 3)
  const answer = await get(app, '/events/5001')
  assert.deepEqual([answer.venue.city, answer.organizer[0].organizer], ['Westport', 'New Salts'])
  assert.equal((await get(app, '/categories/31')).name, 'Music')
  const found = await app.call('anonymous', 'GET', '/venues', { query: { search: 'westport' } })
  assert.equal(found.body.total, 1)
})

test('a category below one that no file holds stands at the top until a file does', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [LIST])
  const alone = await get(app, '/categories/34')
  assert.deepEqual([alone.parent, alone.recorded_parent], [0, 900])
  await importFiles(app, [CATEGORIES])
  const placed = await get(app, '/categories/34')
  assert.deepEqual([placed.parent, placed.recorded_parent], [900, undefined])
  assert.equal((await get(app, '/categories/32')).parent, 31)
  const report = await importFiles(app, [LIST])
  assert.deepEqual([report.created, report.updated], [0, 0])
})

test('categories that are parents of each other are imported with the circle cut', async (t) => {
  const app = await openTestApp(t)
  const term = (id: number, parent: number) => ({
    id,
    parent,
    name: `T${id}`,
    slug: `t${id}`,
    taxonomy: 'tribe_events_cat',
  })
  const file = fileOf([term(1, 2), term(2, 1), term(3, 3)])
  assert.equal((await importFiles(app, [file])).created, 3)
  assert.equal((await importFiles(app, [file])).unchanged, 3)
})

test('ids and slugs in use are not taken; the import stays recognisable', async (t) => {
  const app = await openTestApp(t)
  const own = { title: 'Ours', start_date: '2026-12-01', end_date: '2026-12-01', slug: 'shanties-stout' }
  const ours = (await app.call('administrator', 'POST', '/events', { json: own })).body
  const file = changed((event) => {
    event.id = ours.id
    event.global_id = `harbour.example?id=${ours.id}`
    event.global_id_lineage = [event.global_id]
  })
  await importFiles(app, [file])
  assert.equal((await get(app, `/events/${ours.id}`)).title, 'Ours')
  const imported = await get(app, '/events/by-slug/shanties-stout-2')
  assert.ok(imported.id > 5022, 'the next id lies beyond those that the files wish for')
  assert.deepEqual(imported.global_id_lineage, [imported.global_id, `harbour.example?id=${ours.id}`])
  const again = await importFiles(app, [file])
  assert.deepEqual([again.created, again.updated], [0, 0])
})

test('equal ids and slugs of different sites are different items', async (t) => {
  const app = await openTestApp(t)
  const other = fileOf(JSON.parse(SINGLE.text.replaceAll('harbour.example', 'other.example')), 'other.json')
  await importFiles(app, [SINGLE])
  // The terms have the same slugs: they are the same.
  const { created, updated, unchanged, counts } = await importFiles(app, [other])
  assert.deepEqual([created, updated, unchanged, counts.event.created], [4, 0, 3, 1])
  const both = await app.call('anonymous', 'GET', '/events', { query: { start_date: '2022-01-01' } })
  const slugs = both.body.events.map(({ slug }: Json) => slug)
  assert.deepEqual(slugs.toSorted(), ['shanties-stout', 'shanties-stout-2'])
  assert.equal((await importFiles(app, [SINGLE, other])).unchanged, 11)
})

test('what this calendar answered itself is recognised and not repeated in the lineage', async (t) => {
  const app = await openTestApp(t)
  const json = {
    ...{ title: 'Ours', start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00', cost: '€5' },
    ...{ venue: { venue: 'Hall', city: 'Cork' }, organizer: { organizer: 'Us' }, tags: ['new'], categories: ['Own'] },
    tickets: [{ name: 'Seat', price: '5' }],
  }
  const ours = (await app.call('administrator', 'POST', '/events', { json })).body
  const file = fileOf(await get(app, `/events/${ours.id}`))
  const report = await importFiles(app, [file])
  assert.deepEqual([report.created, report.unchanged, report.skipped], [0, 5, []])
  const elsewhere = await openTestApp(t)
  await importFiles(elsewhere, [file])
  const copy = await get(elsewhere, `/events/${ours.id}`)
  assert.deepEqual(copy.global_id_lineage, [copy.global_id])
  assert.deepEqual(copy.tickets, ours.tickets)
})

test('an item that was thrown away here is left in the trash', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [SINGLE])
  await app.call('administrator', 'DELETE', '/events/5001')
  await app.call('administrator', 'DELETE', '/venues/5011')
  const { updated, skipped } = await importFiles(app, [SINGLE])
  assert.equal(updated, 0)
  assert.deepEqual(
    skipped.map(({ what, why }) => [what, why]),
    [
      ['harbour-event.json: venue', 'it is in the trash here'],
      ['harbour-event.json', 'it is in the trash here'],
    ],
  )
})

test('an item that was recorded in the trash is there, twice as once', async (t) => {
  const app = await openTestApp(t)
  const file = changed((event) => (event.status = 'trash'))
  await importFiles(app, [file])
  assert.equal((await get(app, '/events/5001')).status, 'trash')
  const again = await importFiles(app, [file])
  assert.deepEqual([again.updated, again.skipped], [0, []])
})

test('the owner is the named user, else the first administrator', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [SINGLE], 'AUTHOR')
  const { author, venue, organizer } = await get(app, '/events/5001')
  assert.deepEqual([author, venue.author, organizer[0].author], ['3', '3', '3'])
  await assert.rejects(importFiles(app, [SINGLE], 'nobody'), { code: 'no_such_user' })
  // Another owner of a later import does not take over what is there.
  assert.equal((await importFiles(app, [SINGLE])).updated, 0)
})

test('lists, arrays and single items of every kind are understood', async (t) => {
  const app = await openTestApp(t)
  const event: Json = JSON.parse(SINGLE.text)
  const kinds = { venue: event.venue, organizer: event.organizer[0], category: event.categories[0], tag: event.tags[0] }
  const singles = Object.entries(kinds).map(([name, item]) => fileOf(item, `${name}.json`))
  assert.equal((await importFiles(app, singles)).created, 4)
  const lists = fileOf({
    venues: [kinds.venue],
    organizers: [kinds.organizer],
    categories: [kinds.category],
    tags: [kinds.tag],
  })
  assert.equal((await importFiles(app, [lists, fileOf(Object.values(kinds))])).unchanged, 4)
  assert.equal((await importFiles(app, [fileOf([])])).created, 0)
})

test('progress counts every item and ends at the total', async (t) => {
  const { app } = await openTestApp(t)
  const seen: Json[] = []
  await app.importJson?.([{ name: LIST.name, bytes: Buffer.from(LIST.text) }], {
    author: undefined,
    onProgress: (progress) => void seen.push(progress),
  })
  assert.deepEqual(seen.at(-1), { done: ITEMS, total: ITEMS })
  assert.ok(seen.every(({ done }, index) => index === 0 || done > seen[index - 1].done))
})

test('more events than one transaction takes are all imported', async (t) => {
  const app = await openTestApp(t)
  const event: Json = JSON.parse(SINGLE.text)
  const events = Array.from({ length: 250 }, (_, index) => ({
    ...event,
    id: 6000 + index,
    global_id: `harbour.example?id=${6000 + index}`,
    global_id_lineage: [],
  }))
  const report = await importFiles(app, [fileOf({ events })])
  assert.equal(report.created, 250 + 6)
  assert.equal((await get(app, '/events/6249')).slug, 'shanties-stout-250')
  assert.equal((await importFiles(app, [fileOf({ events })])).unchanged, 256)
})

test('costs are answered as they were recorded', async (t) => {
  const app = await openTestApp(t)
  const costs = [
    ['$15', '', 'prefix', ['15']],
    ['€10 – €25', '€', 'prefix', ['10', '25']],
    ['20 zł'.replace(' ', ''), 'zł', 'postfix', ['20']],
    ['Free', '', 'prefix', ['free']],
    ['Pay what you can', '', '', ['pay-what-you-can']],
    ['$1,000.50', '$', 'prefix', ['1000.50']],
    ['', '', 'prefix', []],
  ] as const
  for (const [cost, currency_symbol, currency_position, values] of costs) {
    const details = { currency_symbol, currency_code: '', currency_position, values }
    await importFiles(app, [changed((event) => Object.assign(event, { cost, cost_details: details }))])
    const answer = await get(app, '/events/5001')
    assert.deepEqual([answer.cost, answer.cost_details], [cost, details])
  }
  // The site's own sign is the dollar: a recorded amount never changes its currency.
  const foreign = { cost: '£5', cost_details: { currency_symbol: '', currency_position: 'prefix', values: ['5'] } }
  await importFiles(app, [changed((event) => Object.assign(event, foreign))])
  assert.equal((await get(app, '/events/5001')).cost, '£5')
})

test('site-level fields are kept, tickets of another form are left out', async (t) => {
  const app = await openTestApp(t)
  const custom_fields = { _field_1: { label: 'Dress', value: '<b>Oilskin</b>' } }
  const file = changed((event) => Object.assign(event, { custom_fields, tickets: [{ seat: 1 }] }))
  const { skipped, notes } = await importFiles(app, [file])
  assert.deepEqual(skipped, [])
  assert.deepEqual(notes, [{ what: 'made.json: tickets', why: 'it has a form that cannot be kept' }])
  const answer = await get(app, '/events/5001')
  assert.deepEqual([answer.custom_fields, 'tickets' in answer], [custom_fields, false])
})

test('a category is known by its slug and its parent, a taken slug gives way', async (t) => {
  const app = await openTestApp(t)
  const term = (id: number, slug: string, parent = 0) => ({
    id,
    parent,
    name: slug,
    slug,
    taxonomy: 'tribe_events_cat',
  })
  await importFiles(app, [fileOf([term(1, 'jazz')])])
  const nested = fileOf([term(8, 'jazz', 9), term(9, 'music')])
  assert.deepEqual((await importFiles(app, [nested])).created, 2)
  assert.equal((await get(app, '/categories/8')).slug, 'jazz-music')
  assert.equal((await get(app, '/categories/8')).parent, 9)
  assert.deepEqual((await importFiles(app, [nested])).unchanged, 2)
})

test('long descriptions are cleaned and folded in the thread for that, of all that an item embeds', async (t) => {
  const app = await openTestApp(t)
  const description = `<b>Müsli</b> ${'für alle '.repeat(20_000)}`
  const venue = `<i>Åland</i> ${'och mera '.repeat(20_000)}`
  await importFiles(app, [
    changed((event) => {
      event['description'] = description
      event['venue'].description = venue
    }),
  ])
  for (const html of [description, venue]) {
    const clean = recallMade('clean', html)
    assert.equal(clean, cleanHtml(html))
    const seen = recallMade('seen', clean ?? '') ?? ''
    assert.ok(seen.length > 0)
    assert.equal(recallMade('folded', seen), fold(seen))
  }
  assert.match(
    (await get(app, '/events?search=musli&start_date=2020-01-01')).events[0].description,
    /^<p><b>Müsli<\/b> für/,
  )
})
