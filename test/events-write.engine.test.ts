import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'
import { MEETING } from './support/events.ts'
import { assertRoundTrips } from './support/round-trip.ts'
import { rowsOf } from './support/storage.ts'

const app = await openTestApp({ after })

const post = (json: object): Promise<Answer> =>
  app.call('administrator', 'POST', '/events', { json: { ...MEETING, ...json } })

async function patch(id: number, json: object): Promise<Answer['body']> {
  const answer = await app.call('administrator', 'PATCH', `/events/${id}`, { json })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function kept(field: string, sent: unknown): Promise<unknown> {
  const answer = await post({ [field]: sent })
  assert.equal(answer.status, 201, `${field} ${JSON.stringify(sent)} ${JSON.stringify(answer.body)}`)
  return answer.body[field]
}

async function refused(field: string, values: readonly unknown[]): Promise<void> {
  for (const sent of values) {
    const { status, body } = await post({ [field]: sent })
    assert.equal(status, 400, `${field} ${JSON.stringify(sent)}`)
    assert.equal(body.code, 'rest_invalid_param')
    assert.deepEqual(Object.keys(body.data.params), [field])
  }
}

test('titles and slugs are text or numbers, never blank, 0, yes or no, and what is no tag stays', async () => {
  assert.equal(await kept('title', 2028), '2028')
  assert.equal(await kept('title', '  Tom & <b>Jerry</b> &amp; "co" a\\b  '), 'Tom &amp; Jerry &amp; "co" a\\b')
  assert.equal(await kept('slug', 2028), '2028-2')
  await refused('title', ['', '0', 0, true, false, [], {}, ' \u00a0', '\u200b&#x202e;', '<b></b>', 'x'.repeat(1_001)])
  await refused('slug', ['', '!!!', true, [], {}])
})

test('slugs are transliterated, percent-encoded, cut at whole characters and made unique also among drafts', async () => {
  const slugs: readonly (readonly [sent: string, slug: string])[] = [
    ['Ünï Cödé/x.y', 'uni-code-x-y'],
    ['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'],
    ['caf%C3%A9 noir', 'cafe-noir'],
    ['日'.repeat(30), '%e6%97%a5'.repeat(22)],
  ]
  for (const [sent, slug] of slugs) assert.equal(await kept('slug', sent), slug)
  const drafts = [await post({ status: 'draft', slug: 'Same' }), await post({ status: 'draft', slug: 'same' })]
  assert.deepEqual(
    drafts.map((one) => one.body.slug),
    ['same', 'same-2'],
  )
})

test('a slug that is cut to make room for its number still leads to its event', async () => {
  const titles = [`ab${'日'.repeat(40)}`, `${'x'.repeat(197)} ${'y'.repeat(20)}`, 'z'.repeat(300)]
  for (const title of titles) {
    for (let round = 0; round < 3; round += 1) {
      const { body } = await post({ title })
      assert.ok(body.slug.length <= 200)
      for (const named of [body.slug, encodeURIComponent(body.slug)]) {
        const read = await app.call('anonymous', 'GET', `/events/by-slug/${named}`)
        assert.equal(read.body.id, body.id, body.slug)
      }
    }
  }
})

test('the trash gives every slug back as it was, however long', async () => {
  const made: Answer['body'][] = []
  for (let round = 0; round < 3; round += 1) made.push((await post({ title: 'ü'.repeat(300) })).body)
  for (const { id, slug } of made) {
    const { body } = await app.call('administrator', 'DELETE', `/events/${id}`)
    assert.equal(body.slug, `${slug}__trashed`)
    const read = await app.call('administrator', 'GET', `/events/by-slug/${body.slug}`)
    assert.equal(read.body.id, id)
  }
  for (const { id, slug } of made) assert.equal((await patch(id, { status: 'publish' })).slug, slug)
})

test('a slug that is given to an event in the trash stays free for others until it comes back', async () => {
  const { body } = await post({ title: 'Gone' })
  await app.call('administrator', 'DELETE', `/events/${body.id}`)
  assert.equal((await patch(body.id, { slug: 'Wanted' })).slug, 'wanted__trashed')
  assert.equal(await kept('slug', 'wanted'), 'wanted')
  assert.equal((await patch(body.id, { status: 'draft' })).slug, 'wanted-2')
})

test('an event that is made in the trash was a draft, also once it is sent back, which changes nothing', async () => {
  const { id, slug, status } = (await post({ title: 'Never seen', status: 'trash' })).body
  assert.deepEqual([slug, status], ['never-seen__trashed', 'trash'])
  const before = 'select trashed_from from event where id = ?'
  assert.deepEqual(await rowsOf(app.app.storage, before, id), [{ trashed_from: 'draft' }])
  await assertRoundTrips(app, { as: 'editor', paths: [`/events/${id}`], list: `/events?include=${id}&status=trash` })
  await patch(id, { title: 'Still unseen' })
  assert.deepEqual(await rowsOf(app.app.storage, before, id), [{ trashed_from: 'draft' }])
  await patch(id, { status: 'private' })
  await patch(id, { status: 'trash' })
  assert.deepEqual(await rowsOf(app.app.storage, before, id), [{ trashed_from: 'private' }])
})

test('zones are kept as sent in every accepted form, and unknown ones refused', async () => {
  const zones: readonly (readonly [zone: string, start: string, letters: string])[] = [
    ['europe/rome', '2027-03-01 09:00:00', 'CET'],
    ['UTC', '2027-03-01 10:00:00', 'UTC'],
    ['UTC+3', '2027-03-01 07:00:00', 'UTC+3'],
    ['UTC-3', '2027-03-01 13:00:00', 'UTC-3'],
    ['UTC+5.5', '2027-03-01 04:30:00', 'UTC+5.5'],
    ['UTC+5:30', '2027-03-01 04:30:00', 'UTC+5:30'],
    ['EST', '2027-03-01 15:00:00', 'EST'],
    ['+05:30', '2027-03-01 04:30:00', '+05:30'],
    ['-0300', '2027-03-01 13:00:00', '-03:00'],
    ['Z', '2027-03-01 10:00:00', 'Z'],
    ['GMT+3', '2027-03-01 07:00:00', 'GMT+0300'],
    ['Asia/Kathmandu', '2027-03-01 04:15:00', '+0545'],
  ]
  for (const [timezone, start, letters] of zones) {
    const { body } = await post({ timezone })
    assert.deepEqual([body.timezone, body.utc_start_date, body.timezone_abbr], [timezone, start, letters])
  }
  for (const timezone of ['', null]) assert.equal(await kept('timezone', timezone), 'America/New_York')
  await refused('timezone', ['Nope/Zone', 'utc+3', 'UTC+', 'UTC+99', 'UTC+0530', 'UTCfoo', 3, []])
})

test('venues and organizers are linked in every shape, and made once from inline data', async () => {
  const { body: hall } = await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall', city: 'Bern' } })
  const { body: barn } = await app.call('editor', 'POST', '/venues', { json: { venue: 'Barn' } })
  const ids = async (venue: unknown): Promise<number[]> => {
    const linked = (await kept('venue', venue)) as { id: number } | { id: number }[]
    return (Array.isArray(linked) ? linked : [linked]).map((one) => one.id)
  }
  for (const one of [hall.id, `${hall.id}`, [hall.id], [`${hall.id}`], { id: hall.id }, [{ id: `${hall.id}` }]])
    assert.deepEqual(await ids(one), [hall.id], JSON.stringify(one))
  for (const two of [`${barn.id},${hall.id}`, [barn.id, { id: hall.id }, barn.id], [{ venue: 'barn' }, hall.id]])
    assert.deepEqual(await ids(two), [barn.id, hall.id], JSON.stringify(two))
  for (const none of [null, '', 0, '0', [], {}, false]) assert.deepEqual(await ids(none), [])
  assert.deepEqual(await ids({ id: null, venue: 'Hall', city: 'Bern' }), [hall.id])
  assert.deepEqual(await ids({ id: barn.id, venue: 'Renamed', city: 'Basel' }), [barn.id])
  assert.equal((await app.call('anonymous', 'GET', `/venues/${barn.id}`)).body.venue, 'Barn')
  const other = await ids({ venue: 'Hall', city: 'Basel' })
  assert.ok(!other.includes(hall.id))
  await refused('venue', [999_999, 'hall', ['hall'], { city: 'Bern' }, { id: 0 }, -1, 1.5, true])
  await refused('organizer', [hall.id, 'club', { email: 'a@b.example' }, [{ organizer: 'Club', email: 'nobody' }]])
})

test('a cost of false is none, and 0 is free on create and update', async () => {
  assert.equal(await kept('cost', false), '')
  const { body } = await post({ cost: 0 })
  assert.equal(body.cost, 'Free')
  assert.equal((await patch(body.id, { cost: '$5' })).cost, '$5')
  assert.equal((await patch(body.id, { cost: 0 })).cost, 'Free')
  assert.equal((await patch(body.id, { cost: false })).cost, '')
})

test('forms carry lists and inline data in brackets', async () => {
  const form = {
    ...MEETING,
    'venue[venue]': 'Form hall',
    'venue[city]': 'Rome',
    'organizer[0][organizer]': 'Form club',
    'tags[]': 'one',
    'tickets[0][name]': 'Adult',
    'tickets[0][price]': '5.00',
    featured: 'on',
    cost: '',
  }
  const { status, body } = await app.call('administrator', 'POST', '/events', { form })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual([body.venue.venue, body.venue.city, body.featured, body.cost], ['Form hall', 'Rome', true, ''])
  assert.deepEqual(
    body.organizer.map((one: { organizer: string }) => one.organizer),
    ['Form club'],
  )
  assert.deepEqual(body.tickets, [{ name: 'Adult', price: '5.00' }])
})
