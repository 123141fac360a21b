import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import type { Storage } from '../src/storage/engine.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openStorage } from '../src/storage/open.ts'
import { openTestApp, type TestApp, UNLIMITED } from './support/app.ts'
import { kalends, startServer } from './support/server.ts'
import { rowsOf, runStatement } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testDatabase } from './support/test-storage.ts'
import { uploadRaw } from './support/upload.ts'

/*
 * `kalends move` as people run it. Where a calendar goes from a file: to PostgreSQL and back in the run on PostgreSQL,
 * else into another file.
 */

const PROGRAM = fileURLToPath(new URL('../bin/kalends.js', import.meta.url))
const SITE = { siteHost: 'calendar.example', siteZone: 'America/New_York', baseUrl: 'https://calendar.example' }
const NAMES = [
  'Łódź',
  'Straße',
  'Ελλάδα',
  'Москва',
  '東京 ジャズ',
  'بغداد',
  '😀 party',
  'étude',
  "rock'n'roll",
  '50% off',
]

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-move-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function fill(app: TestApp): Promise<void> {
  const recorded = (name: string) => readFileSync(new URL(`fixtures/recorded/${name}`, import.meta.url))
  const files = ['harbour-categories.json', 'harbour-events.json'].map((name) => ({ name, bytes: recorded(name) }))
  await app.app.importJson?.(files, { author: 'administrator', onProgress: () => undefined })
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="boat.png"' }
  const { body: image } = await uploadRaw(app, 'administrator', { bytes: picture, headers })
  for (const [index, name] of NAMES.entries()) {
    const { status, body } = await app.call('author', 'POST', '/events', {
      json: {
        ...{ title: name, description: `<p>${name} &amp; friends</p>`, cost: index % 2 ? '' : `${index} €` },
        ...{ start_date: `2027-01-1${index} 10:00:00`, end_date: `2027-02-1${index} 10:00:00` },
        ...{ timezone: 'Europe/Warsaw', venue: { venue: name, geo_lat: index / 7, geo_lng: -index / 3 } },
        ...{ organizer: [{ organizer: name, email: 'o@example.org' }], categories: [name], tags: [name, 'all'] },
        ...{ status: index === 3 ? 'draft' : 'publish', password: index === 4 ? 'secret' : '' },
        image: (image as { id: number }).id,
      },
    })
    assert.equal(status, 201, JSON.stringify(body))
    if (index === 5) await app.call('author', 'DELETE', `/events/${body.id}`)
    if (index === 6) await app.call('author', 'POST', `/events/${body.id}`, { json: { title: `${name} again` } })
  }
}

/** A series with a date that differs, one that was taken out, and one without end. */
async function fillSeries(app: TestApp): Promise<void> {
  const at = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 11:00:00', timezone: 'Europe/Warsaw' }
  const weekly = { ...at, title: 'Yoga', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'], tags: ['all'] }
  const { body } = await app.call('author', 'POST', '/events', { json: weekly })
  const query = { series: body.id, start_date: '2027-01-01', end_date: '2028-01-01' }
  const { events } = (await app.call('anonymous', 'GET', '/events', { query })).body
  await app.call('author', 'PATCH', `/events/${events[1].id}`, { json: { title: 'Outdoors', tags: ['late'] } })
  await app.call('author', 'DELETE', `/events/${events[2].id}`)
  const endless = { ...at, title: 'Assembly', recurrence: ['RRULE:FREQ=MONTHLY;BYDAY=1MO'] }
  assert.equal((await app.call('author', 'POST', '/events', { json: endless })).status, 201)
}

const LISTS = [
  ...['events', 'venues', 'organizers', 'categories', 'tags'].flatMap((name) => [
    `/${name}`,
    `/${name}?per_page=3&page=2`,
    ...NAMES.slice(1, 5).map((search) => `/${name}?${new URLSearchParams({ search })}`),
  ]),
  ...['status=any', 'featured=true', 'starts_after=2027-01-12&ends_before=2027-02-17', 'tags=all&categories=1,2'].map(
    (query) => `/events?${query}`,
  ),
  ...['?orderby=name&order=desc', '?hide_empty=true'].flatMap((query) => [`/categories${query}`, `/tags${query}`]),
  '/events?geoloc=true&geoloc_lat=1&geoloc_lng=-2&geoloc_radius=500',
].map((path) => `/cal/events/v1${path}`)

/** Addresses of everything that can be read. */
async function surface(storage: Storage): Promise<string[]> {
  const ids = (table: string) => rowsOf(storage, `select id, slug from ${table} order by id`)
  const paths = ['/wp-json/', '/cal/events/v1', '/cal/events/v1/doc', '/wp-json/kalends/v1', '/', ...LISTS]
  for (const [table, name] of [
    ['event', 'events'],
    ['venue', 'venues'],
    ['organizer', 'organizers'],
    ['category', 'categories'],
    ['tag', 'tags'],
  ] as const) {
    for (const { id, slug } of await ids(table)) {
      paths.push(`/cal/events/v1/${name}/${id}`)
      if (table !== 'category' && table !== 'tag') paths.push(`/cal/events/v1/${name}/by-slug/${slug}`)
    }
  }
  for (const { id, series_id } of await rowsOf(storage, 'select id, series_id from series_date order by id limit 6'))
    paths.push(
      `/cal/events/v1/events/${id}`,
      `/kalends/v1/events/${id}.ics`,
      `/cal/events/v1/events?series=${series_id}`,
    )
  const [picture] = await rowsOf(storage, 'select id, file from media')
  return [
    // Once each: what is asked again may be compressed by then.
    ...new Set(paths),
    ...['media', `media/${picture?.['id']}`].map((path) => `/kalends/v1/${path}`),
    `/media/${picture?.['file']}`,
    '/wp-json/wp/v2/users/me?context=edit',
    '/wp-json/wp/v2/tags?per_page=100',
  ]
}

/** Status, headers and body of every answer, for everybody and for an editor. */
async function answersOf(origin: string, paths: readonly string[], authorization: string): Promise<string[]> {
  const answers: string[] = []
  for (const path of paths) {
    for (const headers of [{}, { authorization }]) {
      const answer = await fetch(origin + path, { headers, redirect: 'manual' })
      const fields = [...answer.headers].filter(([name]) => name !== 'date' && !name.startsWith('x-request'))
      answers.push(`${path} ${answer.status} ${JSON.stringify(fields)}\n${await answer.text()}`)
    }
  }
  return answers
}

async function isOpen(t: TestContext, flags: Record<string, string>, now: number): Promise<string> {
  const log = createLog({ level: 'silent', now: () => now })
  const config = readConfig({ ...SITE, ...UNLIMITED, port: '0', ...flags }, {})
  const app = await openApp(config, { now: () => now, log, role: 'serve' })
  t.after(() => app.close())
  return (await app.listen()).addresses[0] ?? ''
}

test('after a move every address answers as before, byte for byte', { timeout: 240_000 }, async (t) => {
  const [data, newData] = [await makeFolder(t), await makeFolder(t)]
  const file = `sqlite:${join(data, 'kalends.db')}`
  const before = await openTestApp(t, { ...SITE, data, database: file })
  await fill(before)
  await fillSeries(before)
  const paths = await surface(before.app.storage)
  const authorization = before.authorization('editor')
  const wanted = await answersOf(before.origin, paths, authorization)
  assert.ok(wanted.length > 250 && wanted.filter((answer) => / 200 /.test(answer)).length > 200)
  const there = await testDatabase(TEST_ENGINE, t)
  const moved = JSON.parse(await kalends('move', '--to', there, '--database', file, '--data', data, '--json'))
  assert.equal(moved.began, 'first')
  const origin = await isOpen(t, { data, database: there }, before.clock.now)
  assert.deepEqual(await answersOf(origin, paths, authorization), wanted)
  if (TEST_ENGINE === 'sqlite') return
  const [away, back] = [`${there}?application_name=away`, `sqlite:${join(newData, 'kalends.db')}`]
  const text = await kalends('move', '--to', back, '--to-data', newData, '--database', away, '--data', data)
  assert.match(text, /^table +rows +checksum of both\nmeta +\d+ +[0-9a-f]{16}\n/)
  assert.match(text, /\nMoved \d+ rows from postgres:\S+ to \S+kalends\.db\. \d+ files of pictures were copied\.\n$/)
  const returned = await isOpen(t, { data: newData, database: back }, before.clock.now)
  assert.deepEqual(await answersOf(returned, paths, authorization), wanted)
})

test('a move that is killed goes on where it was, and no server starts before it has ended', async (t) => {
  const data = await makeFolder(t)
  const from = `sqlite:${join(data, 'kalends.db')}`
  const to = await testDatabase(TEST_ENGINE, t)
  await seed(t, from)
  const command = ['move', '--to', to, '--database', from, '--data', data]
  const target = await openStorage({ database: to, report: () => undefined })
  t.after(() => target.close())
  await migrate(target, { now: () => 0 })
  const child = spawn(process.execPath, [PROGRAM, ...command], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  const copied = async () => Number((await rowsOf(target, 'select count(*) as n from journal'))[0]?.['n'])
  while ((await copied()) < 400 && child.exitCode === null) await sleep(2)
  child.kill('SIGKILL')
  await once(child, 'close')
  const arrived = await copied()
  assert.ok(arrived > 0 && arrived < JOURNAL, `${arrived} rows`)
  await assert.rejects(startServer(data, ['--database', to]), /A move into .* was interrupted/)
  const { began, tables } = JSON.parse(await kalends(...command, '--json'))
  const journal = tables.find(({ table }: { table: string }) => table === 'journal')
  assert.deepEqual([began, journal.rows, await copied()], ['continued', JOURNAL, JOURNAL])
})

const JOURNAL = 30_000

async function seed(t: TestContext, database: string): Promise<void> {
  const storage = await openStorage({ database, synchronous: 'NORMAL' })
  t.after(() => storage.close())
  await migrate(storage, { now: () => 0 })
  await runStatement(
    storage,
    `insert into journal with recursive n(i) as (select 1 union all select i + 1 from n where i < ${JOURNAL})
      select i, '', null, 'tag', i, 1, 'create', 'Łódź ' || i from n`,
  )
}

test('a calendar is not moved while a server uses it, nor one that is not there', async (t) => {
  const data = await makeFolder(t)
  const server = await startServer(data)
  const to = `sqlite:${join(await makeFolder(t), 'new.db')}`
  const refused = (...flags: string[]) => kalends('move', '--to', to, '--data', data, ...flags)
  await assert.rejects(refused(), /is in use: stop its servers/)
  await server.stop('SIGTERM')
  await assert.rejects(refused('--database', `sqlite:${data}/none.db`), /There is no calendar to move: .*none\.db/)
  await assert.rejects(kalends('move', '--to', 'mysql://x', '--data', data), /--to must be postgres/)
  assert.match(await refused(), /Moved \d+ rows from/)
})

test('the key of another calendar is not overwritten', async (t) => {
  const [data, newData] = [await makeFolder(t), await makeFolder(t)]
  const from = `sqlite:${join(data, 'kalends.db')}`
  await kalends(
    'user',
    'add',
    'ann',
    '--email',
    'ann@example.org',
    '--role',
    'editor',
    '--data',
    data,
    '--database',
    from,
  )
  await writeFile(join(newData, 'secret.key'), 'other\n')
  const to = ['--to', `sqlite:${join(newData, 'kalends.db')}`, '--to-data', newData]
  await assert.rejects(kalends('move', ...to, '--data', data, '--database', from), /key of another calendar/)
  await rm(join(newData, 'secret.key'))
  await kalends('move', ...to, '--data', data, '--database', from)
  const keys = await Promise.all([data, newData].map((folder) => readFile(join(folder, 'secret.key'), 'utf8')))
  assert.equal(keys[0], keys[1])
})
