import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/support/app.ts'
import { openRemoteSite, paint } from '../../../../test/support/images.ts'
import { rowsOf } from '../../../../test/support/storage.ts'
import { ENGINES, openTestStorage } from '../../../../test/support/test-storage.ts'
import { fail } from '../../../base/errors.ts'
import { addressGate } from '../../../base/outgoing/addresses.ts'
import { fetchCalendarImages } from './calendar-images.ts'
import type { CalendarReport } from './import-calendar.ts'
import type { PlannedEvent } from './planned.ts'

const [teal, red] = await Promise.all([paint(120, 90).png().toBuffer(), paint(120, 90, 'red').png().toBuffer()])
/** Whether the server of the images is in order. */
const other = { isWell: true }

const site = await openRemoteSite(
  { after },
  {
    '/a.png': (response) => void (other.isWell ? response.end(teal) : response.writeHead(500).end()),
    '/same.png': (response) => void response.end(teal),
    '/red.png': (response) => void response.end(red),
    '/text.png': (response) => void response.end('no picture'),
  },
)

function event(uid: string, ...more: readonly string[]): string[] {
  return ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20270105T100000Z', `SUMMARY:${uid}`, ...more, 'END:VEVENT']
}

async function importing({ app }: TestApp, lines: readonly string[], isDryRun = false): Promise<CalendarReport> {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
  const files = [{ name: 'a.ics', bytes: Buffer.from(text) }]
  assert.ok(app.importCalendars)
  return app.importCalendars({ files, isDryRun }, () => undefined)
}

/** The names of the files of the images of events, by title and start. */
async function images(app: TestApp): Promise<Record<string, string>> {
  const { body } = await app.call('anonymous', 'GET', '/events', { query: { start_date: '2027-01-01', per_page: 50 } })
  const of = ({ title, start_date, image }: { title: string; start_date: string; image: { url: string } | false }) => [
    `${title} ${start_date.slice(8, 10)}`,
    image === false ? '' : image.url.replace(app.origin, ''),
  ]
  return Object.fromEntries(body.events.map(of))
}

async function countMedia(app: TestApp): Promise<number> {
  const { body } = await app.call('administrator', 'GET', `${app.origin}/kalends/v1/media`)
  return body.total
}

test('pictures of an imported calendar are fetched once, stored once by content, and kept when their server is away', async (t) => {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  Object.assign(other, { isWell: true })
  site.asked.length = 0
  const weekly = ['DTSTART:20270106T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=2', `IMAGE;VALUE=URI:${site.origin}/a.png`]
  const lines = [
    ...event('Talk', `IMAGE;VALUE=URI:${site.origin}/a.png`),
    ...event('Walk', `ATTACH;FMTTYPE=image/png:${site.origin}/same.png`),
    ...['BEGIN:VEVENT', 'UID:Choir', 'SUMMARY:Choir', ...weekly, 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'UID:Choir', 'SUMMARY:Choir', 'RECURRENCE-ID:20270113T100000Z', 'DTSTART:20270113T100000Z'],
    ...[`IMAGE;VALUE=URI:${site.origin}/red.png`, 'END:VEVENT'],
  ]
  await importing(app, lines, true)
  assert.deepEqual(site.asked, [])
  const report = await importing(app, lines)
  assert.deepEqual(report.notes, [])
  assert.deepEqual([...site.asked].sort(), ['/a.png', '/red.png', '/same.png'])
  const shown = await images(app)
  const { 'Talk 05': talk = '', 'Choir 13': own = '' } = shown
  assert.deepEqual(shown, { 'Talk 05': talk, 'Walk 05': talk, 'Choir 06': talk, 'Choir 13': own })
  assert.equal(await countMedia(app), 2)
  const file = await fetch(app.origin + talk)
  assert.deepEqual([file.status, talk.startsWith('/'), own === talk], [200, true, false])
  other.isWell = false
  const again = await importing(app, lines)
  assert.deepEqual([again.updated, again.notes, site.asked.length], [0, [], 3])
  assert.deepEqual(await images(app), shown)
})

test('an image that cannot be had is noted, and its event comes without it', async (t) => {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  other.isWell = false
  const of = (path: string): string => `IMAGE;VALUE=URI:${site.origin}${path}`
  const lines = [...event('A', of('/a.png')), ...event('B', of('/text.png')), ...event('C', of('/none.png'))]
  const { created, skipped, notes } = await importing(app, lines)
  assert.deepEqual([created, skipped], [3, []])
  const told = Object.fromEntries(notes.map(({ what, why }) => [what.replace(`image ${site.origin}`, ''), why]))
  assert.equal(told['/a.png'], 'subscriptions.problem.serverResponded?status=500')
  assert.equal(told['/none.png'], 'subscriptions.problem.serverResponded?status=404')
  assert.match(told['/text.png'] ?? '', /^import\.problem\.noImage\?reason=/)
  assert.equal(await countMedia(app), 0)
  other.isWell = true
  assert.deepEqual((await importing(app, lines)).updated, 1)
  assert.equal(await countMedia(app), 1)
})

test('pictures at private addresses are not asked for unless that is allowed', async (t) => {
  const app = await openTestApp(t)
  site.asked.length = 0
  const { created, notes } = await importing(app, event('A', `IMAGE;VALUE=URI:${site.origin}/a.png`))
  assert.deepEqual([created, notes.map(({ why }) => why), site.asked], [1, ['closed address'], []])
})

for (const engine of ENGINES)
  test(`${engine}: a picture for which the server is too busy is tried again, and then left out`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const named = [{ entry: { imageAddress: `${site.origin}/red.png` } } as PlannedEvent]
    const parts = { storage, gate: addressGate(['127.0.0.1']), imageLimit: 1_000_000 }
    let tries = 0
    const fetched = (busy: number) => {
      tries = 0
      const adoptImage = async () => {
        tries += 1
        if (tries <= busy) throw fail('rest_unavailable')
        return { ok: true, id: 5 } as const
      }
      return fetchCalendarImages({ ...parts, adoptImage, owner: 1, ends: undefined }, named)
    }
    const without = await fetched(Number.POSITIVE_INFINITY)
    assert.deepEqual([without.ids.size, without.notes.length], [0, 1])
    assert.equal(without.notes[0]?.why, 'import.problem.busyForImage')
    const { ids, notes } = await fetched(2)
    assert.deepEqual([[...ids.values()], notes, tries], [[5], [], 3])
  })

test('of a picture whose address is signed anew each time only the last address is kept', async (t) => {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  t.after(async () => void Object.assign(other, { isWell: true }))
  const kept = async (): Promise<string[]> =>
    (await rowsOf(app.app.storage, "select kind, external_id as key from provenance where origin = 'calendars'")).map(
      ({ kind, key }) => `${kind} ${String(key).replace(site.origin, '')}`,
    )
  const send = (signature: number) =>
    importing(app, event('Talk', `IMAGE;VALUE=URI:${site.origin}/a.png?signed=${signature}`))
  Object.assign(other, { isWell: false })
  await send(1)
  assert.deepEqual(await kept(), ['picture-failed /a.png?signed=1'])
  Object.assign(other, { isWell: true })
  for (const signature of [1, 2, 3]) await send(signature)
  assert.deepEqual(await kept(), ['picture /a.png?signed=3'])
  assert.equal(await countMedia(app), 1)
})
