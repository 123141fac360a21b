import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/support/app.ts'
import { draws, SEED } from '../../../../test/support/draws.ts'
import { calendar, event, send } from '../../../../test/support/icalendar-import.ts'
import { rowsOf } from '../../../../test/support/storage.ts'

/** Names of clubs, halls and subjects: all different, some only by an accent or a sign, some with one email address. */
const NAMES = [
  'Old Mill',
  'Café Grün',
  'Cafe Grun',
  'Straßenfest',
  'Chess & Go',
  'Chess – Go',
  'C',
  'C++',
  'C#',
  'Ωδείο',
]
const ADDRESSES = ['', '2 High St, Ely', '2 High St, Elý', 'Station Rd, 10115 Berlin', '7 Quay']
const MAILS = ['noreply@host.example', 'office@clubs.example']

type Pick = <Item>(items: readonly Item[]) => Item

/** Numbers that follow from a seed. */
function pickFrom(seed: number): Pick {
  let state = seed
  return (items) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    const item = items[Math.floor((state / 0x80000000) * items.length)]
    assert.ok(item !== undefined)
    return item
  }
}

/** Another spelling of a name: case, spaces and Unicode form. */
function respelled(text: string, pick: Pick): string {
  const spaced = text.replaceAll(' ', pick([' ', '  ', ' \u00a0']))
  const cased = pick([spaced, spaced.toUpperCase(), spaced.toLowerCase()])
  return `${pick(['', ' '])}${cased.normalize(pick(['NFC', 'NFD']))}`
}

interface Entry {
  readonly uid: string
  readonly venue: string
  readonly address: string
  readonly organizer: string
  readonly mail: string
  readonly categories: readonly string[]
}

function entries(pick: Pick): readonly Entry[] {
  return Array.from({ length: 12 }, (_, index) => ({
    uid: `e${index}`,
    venue: pick(NAMES),
    address: pick(ADDRESSES),
    organizer: pick(NAMES),
    mail: pick(MAILS),
    categories: [...new Set([pick(NAMES), pick(NAMES)])],
  }))
}

function fileOf(all: readonly Entry[], spell: (name: string) => string): Buffer {
  const text = (value: string): string => value.replaceAll(',', '\\,')
  const lines = all.flatMap(({ uid, venue, address, organizer, mail, categories }) =>
    event(
      uid,
      'DTSTART:20270105T100000Z',
      `SUMMARY:${uid}`,
      `LOCATION:${text(
        [venue, address]
          .filter((part) => part !== '')
          .map(spell)
          .join(', '),
      )}`,
      `ORGANIZER;CN="${spell(organizer)}":mailto:${mail}`,
      `CATEGORIES:${categories.map((one) => text(spell(one))).join(',')}`,
    ),
  )
  return calendar(...lines)
}

function countsOf(app: TestApp) {
  return Promise.all(
    ['venue', 'organizer', 'category', 'journal'].map(
      async (table) => (await rowsOf(app.app.storage, `select count(*) as n from ${table}`))[0]?.['n'],
    ),
  )
}

test('names stay apart, and spelled otherwise, in another order and repeated they are the same', async (t) => {
  const app = await openTestApp(t)
  for (let draw = 0; draw < draws(200, 3); draw += 1) {
    const pick = pickFrom(SEED + draw)
    const all = entries(pick)
    await send(
      app,
      fileOf(all, (name) => name),
    )
    const before = await countsOf(app)
    const stored = await rowsOf(app.app.storage, 'select name from organizer')
    for (const { organizer } of all)
      assert.ok(
        stored.some(({ name }) => name === organizer),
        organizer,
      )
    const shuffled = [...all, ...all].sort(() => pick([1, -1]))
    const report = await send(
      app,
      fileOf(shuffled, (name) => respelled(name, pick)),
    )
    assert.deepEqual(await countsOf(app), before, `draw ${draw}`)
    const { category, venue, organizer, event: events } = report.counts
    assert.deepEqual(
      [category, venue, organizer, events].map(({ created, updated }) => created + updated),
      [0, 0, 0, 0],
    )
  }
})

test('each of different names is one, however many calendars name it', async (t) => {
  const app = await openTestApp(t)
  const all = NAMES.map((name, index) => ({
    ...{ uid: `e${index}`, venue: name, address: '', organizer: name, mail: MAILS[0] ?? '', categories: [name] },
  }))
  await send(
    app,
    fileOf(all, (name) => name),
  )
  await send(
    app,
    fileOf(
      all.map((one) => ({ ...one, uid: `again-${one.uid}` })),
      (name) => name.toUpperCase(),
    ),
  )
  const [venues, organizers, categories] = await countsOf(app)
  assert.deepEqual([venues, organizers, categories], [NAMES.length, NAMES.length, NAMES.length])
})

test('a place without an address is the one that has one, in every order of a file', async (t) => {
  for (const order of [1, -1]) {
    const app = await openTestApp(t)
    const places = [
      'Corn Exchange',
      'Corn Exchange , 2 High St',
      'CORN EXCHANGE, 2 high st, Ely',
      'Corn Exchange, 7 Quay',
    ]
    const lines = places.map((place, index) =>
      event(`e${index}`, 'DTSTART:20270105T100000Z', 'SUMMARY:a', `LOCATION:${place.replaceAll(',', '\\,')}`),
    )
    for (const _time of [1, 2]) await send(app, calendar(...lines.toSorted(() => order).flat()))
    const venues = await rowsOf(app.app.storage, 'select address from venue order by address')
    assert.deepEqual(
      venues.map(({ address }) => address),
      ['2 high st, Ely', '7 Quay'],
    )
  }
})

test('places of one name whose addresses differ are several', async (t) => {
  const app = await openTestApp(t)
  const rows = ['Old Mill,1 Quay,Leeds', 'old mill,1 quay,LEEDS', '"Old  Mill ",1 Quay,Hull', 'Old Mill,9 Quay,Leeds']
  const table = ['title,start_date,venue,address,city', ...rows.map((row, index) => `${index},2027-08-23,${row}`)]
  for (const _time of [1, 2]) await send(app, Buffer.from(table.join('\n')), { name: 'events.csv' })
  assert.equal((await rowsOf(app.app.storage, 'select id from venue')).length, 3)
})

test('very long names and titles that differ at their ends stay apart', async (t) => {
  const app = await openTestApp(t)
  const long = 'Society '.repeat(80)
  const rows = ['2027-08-23', '2027-08-24'].map((start) => `${long},${start}`)
  const lines = ['north', 'south'].map((end) =>
    event(end, 'DTSTART:20270105T100000Z', `SUMMARY:${end}`, `LOCATION:${long}${end}`, `ORGANIZER;CN=${long}${end}:x`),
  )
  for (const time of [1, 2]) {
    const table = Buffer.from(['title,start_date', ...rows].join('\n'))
    const reports = [await send(app, table, { name: 'events.csv' }), await send(app, calendar(...lines.flat()))]
    for (const { counts } of reports) assert.equal(counts.event.created, time === 1 ? 2 : 0)
  }
  const [venues, organizers] = await countsOf(app)
  assert.deepEqual([venues, organizers], [2, 2])
})

test('texts in another Unicode form change nothing', async (t) => {
  const app = await openTestApp(t)
  const lines = ['SUMMARY:Café night', 'DESCRIPTION:Grüße', 'COMMENT:é', 'X-TAGS:Été', 'STATUS:CANCELLED', 'X-OTHER:ö']
  const table = 'title,start_date,venue,organizer,description\nCafé,2027-08-23 10:00,Mühle,Grün,é\n'
  for (const [time, form] of ['NFC', 'NFD', 'NFC'].entries()) {
    const all = event('x', 'DTSTART:20270105T100000Z', ...lines).map((line) => line.normalize(form))
    const reports = [
      await send(app, calendar(...all)),
      await send(app, Buffer.from(table.normalize(form)), { name: 'events.csv' }),
    ]
    for (const { counts } of reports)
      assert.deepEqual([counts.event.created, counts.event.updated], [time === 0 ? 1 : 0, 0], form)
  }
})

test('a row whose title is spelled otherwise is the same event', async (t) => {
  const app = await openTestApp(t)
  for (const title of ['Café night', 'CAFE\u0301  night', 'café Night']) {
    const report = await send(app, Buffer.from(`title,start_date\n${title},2027-08-23 10:00\n`), { name: 'events.csv' })
    assert.equal(report.counts.event.created, title === 'Café night' ? 1 : 0)
  }
})
