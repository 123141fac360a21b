import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeLink } from '../src/accounts/sessions/index.ts'
import type { Storage } from '../src/storage/engine.ts'
import { TABLES, TABLES_LEFT_OUT, TABLES_OF_SECRETS } from '../src/storage/export/tables.ts'
import { migrate } from '../src/storage/migrate.ts'
import { MIGRATIONS } from '../src/storage/migrations/index.ts'
import { openStorage } from '../src/storage/open.ts'
import { openSnapshot } from '../src/storage/snapshot.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { contentOf, exported, imported, NOW, objectsIn, type Place, placeOn, provenanceIn } from './support/exports.ts'
import { assertOneInstant } from './support/instant.ts'
import { sampleImage } from './support/sample-image.ts'
import { kalends } from './support/server.ts'
import { numbersOf, rowsOf } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { openTestStorage, testFolder } from './support/test-storage.ts'
import { upload } from './support/upload.ts'

/*
 * `kalends export` and back. From a file to PostgreSQL and back in the run on PostgreSQL, else into another file.
 */

const PROGRAM = fileURLToPath(new URL('../bin/kalends.js', import.meta.url))
const NAMES = ['Łódź "quoted"', 'back\\slash', '東京 ジャズ', '=1+1', "rock'n'roll", 'a\u2028b', '../../up', '<b>&amp;']

/** A calendar with everything in it, open. */
async function openFilled(t: TestContext, place: Place, { recurs = true } = {}): Promise<TestApp> {
  const app = await openTestApp(t, { data: place.data, database: place.database })
  const { body: picture } = await upload(app, 'administrator', { bytes: await sampleImage(1), name: 'x"y\n.png' })
  for (const [index, title] of NAMES.entries()) {
    const { status, body } = await app.call('author', 'POST', '/events', {
      json: {
        ...{ title, description: `<p>${title}\nsecond line</p>`, start_date: `2027-01-1${index} 10:00:00` },
        ...{ end_date: `2027-01-1${index} 12:30:00`, timezone: 'Europe/Warsaw', image: picture.id },
        ...{ venue: { venue: title, geo_lat: index / 7, geo_lng: -index / 3 }, tags: [title, 'all'] },
        ...{ categories: [title], password: index === 4 ? 'secret' : '' },
        ...(index === 5 && recurs && { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }),
      },
    })
    assert.equal(status, 201, JSON.stringify(body))
    if (index === 5) await app.call('author', 'PATCH', `/events/${body.id}`, { json: { slug: 'another-name' } })
    if (index === 6) await app.call('author', 'DELETE', `/events/${body.id}`)
  }
  return app
}

test('an export beside writers is the state of one instant', { timeout: 240_000 }, async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  const app = await openFilled(t, place, { recurs: false })
  let isOver = false
  let written = 0
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (; !isOver; written += 1) {
      const json = { title: `Load ${writer}`, start_date: '2027-03-01 10:00:00', tags: [`tag ${written % 5}`] }
      const { body } = await app.call('author', 'POST', '/events', { json })
      if (written % 3 === 0) await app.call('administrator', 'DELETE', `/events/${body.id}?force=true`)
    }
  })
  for (const deadline = Date.now() + 60_000; written < 20; await sleep(5)) assert.ok(Date.now() < deadline)
  const folder = join(testFolder(t), 'everything')
  const { journal } = await exported(place, folder)
  isOver = true
  await Promise.all(writers)
  const other = await placeOn(TEST_ENGINE, t)
  await imported(other, folder)
  const snapshot = await openSnapshot(other.database)
  t.after(() => snapshot.close())
  assert.equal(await assertOneInstant(snapshot), journal)
})

test('secrets leave the calendar only when asked, and users choose new passwords', async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  const app = await openFilled(t, place)
  await makeLink(app.app, { name: 'author' })
  const folder = join(testFolder(t), 'open')
  await exported(place, folder)
  const hashes = await rowsOf(app.app.storage, 'select hash from application_password')
  const all = [...contentOf(folder).values()].join('\n')
  for (const { hash } of hashes) assert.equal(all.includes(String(hash)), false)
  for (const table of TABLES_OF_SECRETS)
    assert.equal(existsSync(join(folder, 'tables', `${table}.jsonl`)), false, table)
  assert.equal(existsSync(join(folder, 'secret.key')), false)
  const other = await placeOn(TEST_ENGINE, t)
  await imported(other, folder)
  const link = await kalends('user', 'link', 'author', '--data', other.data, '--database', other.database)
  assert.match(link, /http:/)
})

test('former slugs of events come along', async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  const app = await openFilled(t, place)
  const slugs = 'select * from former_slug order by entry_id, number'
  const before = await rowsOf(app.app.storage, slugs)
  assert.equal(before.length, 1)
  const folder = join(testFolder(t), 'renamed')
  await exported(place, folder)
  const other = await placeOn(TEST_ENGINE, t)
  await imported(other, folder)
  const snapshot = await openSnapshot(other.database)
  t.after(() => snapshot.close())
  assert.deepEqual(await rowsOf(snapshot, slugs), before)
})

test('the address of a subscription, which may contain a token, stays behind: it pauses until somebody enters it again', async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  const app = await openTestApp(t, { data: place.data, database: place.database })
  const add = (url: string) =>
    app.call('administrator', 'POST', `${app.origin}/kalends/v1/subscriptions`, { json: { url, name: 'Rowers' } })
  const urls = ['https://rowers.example/private-s3cret/diary.ics', 'https://rowers.example/diary.ics?token=s3cret']
  for (const url of urls) assert.equal((await add(url)).status, 201)
  const picture = {
    what: 'picture https://rowers.example/boat.php?key=s3cret',
    why: 'subscriptions.problem.serverResponded?status=503',
  }
  const report = { created: 0, updated: 0, unchanged: 1, trashed: 0, skipped: [picture], notes: [] }
  await app.app.storage.write((tx) => tx.run(tx.db.updateTable('source').set({ report: JSON.stringify(report) })))
  const [open, closed, again] = ['open', 'closed', 'again'].map((name) => join(testFolder(t), name)) as [
    string,
    string,
    string,
  ]
  await exported(place, closed, true)
  assert.match(contentOf(closed).get('tables/source.jsonl') ?? '', /private-s3cret.*\n.*token=s3cret/)
  await exported(place, open)
  assert.doesNotMatch([...contentOf(open).values()].join('\n'), /s3cret/)
  const other = await placeOn(TEST_ENGINE, t)
  await imported(other, open)
  await exported(other, again)
  assert.deepEqual(contentOf(again), contentOf(open))
  const command = (...argv: readonly string[]) =>
    kalends('subscription', ...argv, '--data', other.data, '--database', other.database)
  assert.match(await command('list'), /Rowers +https:\/\/rowers\.example\/#1 .*paused: its URL was not exported/)
  await assert.rejects(command('resume', '1'), /its URL was not exported; enter it again/)
  await command('change', '1', '--url', 'https://rowers.example/diary.ics')
  assert.match(await command('resume', '1'), /Rowers is active again/)
  assert.match(await command('list'), /https:\/\/rowers\.example\/diary\.ics .*active/)
})

test('the queries of addresses that images came from, which may contain tokens, stay behind', async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  const site = await openTestApp(t, { data: place.data, database: place.database })
  const { app } = site
  for (const seed of [1, 2])
    assert.equal((await upload(site, 'author', { bytes: await sampleImage(seed) })).status, 201)
  const address = 'https://rowers.example/boat.php'
  const items = ['picture', 'picture-failed'].flatMap((kind) =>
    ['s3cret', 'another'].map((token, item_id) => {
      return { origin: 'calendars', kind, external_id: `${address}?token=${token}`, item_id, digest: 'x', is_gone: 0 }
    }),
  )
  await app.storage.write(async (tx) => {
    await tx.run(tx.db.updateTable('media').set({ source_url: `${address}?token=s3cret#` }))
    await tx.run(tx.db.insertInto('provenance').values(items))
  })
  const [open, closed, again] = ['open', 'closed', 'again'].map((name) => join(testFolder(t), name)) as [
    string,
    string,
    string,
  ]
  await exported(place, closed, true)
  assert.match(contentOf(closed).get('tables/media.jsonl') ?? '', /boat\.php\?token=s3cret/)
  await exported(place, open)
  assert.match(contentOf(open).get('tables/media.jsonl') ?? '', /rowers\.example\/boat\.php#/)
  assert.doesNotMatch([...contentOf(open).values()].join('\n'), /token=|s3cret|another/)
  const other = await placeOn(TEST_ENGINE, t)
  await imported(other, open)
  await exported(other, again)
  assert.deepEqual(contentOf(again), contentOf(open))
})

test('every column of hashes and tokens is in a table of secrets, or of what no export has', async (t) => {
  const storage = await openTestStorage(TEST_ENGINE, t)
  // The password of an event belongs to the event: without it everybody could read what it protects.
  const known = ['event.password_hash']
  const kept = [...TABLES_OF_SECRETS, ...TABLES_LEFT_OUT]
  for (const table of TABLES.filter((name) => !kept.includes(name))) {
    const columns = await columnsOf(storage, table)
    const secret = columns.filter((name) => /hash|secret|token|password|credential/.test(name))
    assert.deepEqual(
      secret.filter((name) => !known.includes(`${table}.${name}`)),
      [],
      table,
    )
  }
})

async function columnsOf(storage: Storage, table: string): Promise<string[]> {
  const rows = await rowsOf(
    storage,
    storage.engine === 'sqlite'
      ? 'select name from pragma_table_info(?)'
      : 'select column_name as name from information_schema.columns where table_name = ?',
    table,
  )
  return rows.map(({ name }) => String(name))
}

/** Starts a command and kills it as soon as a file is there. */
async function killedAt(file: string, argv: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...argv], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver && !existsSync(file)) await sleep(1)
  child.kill('SIGKILL')
  await ended
}

test('a killed export or import leaves nothing half, and can be repeated', { timeout: 240_000 }, async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  await openFilled(t, place)
  const folder = join(testFolder(t), 'everything')
  const flags = (one: Place) => ['--data', one.data, '--database', one.database]
  for (const file of ['tables', 'tables/journal.jsonl', 'export.json']) {
    if (existsSync(folder)) renameSync(folder, `${folder}-${file.length}`)
    await killedAt(join(`${folder}.partial`, file), ['export', folder, ...flags(place)])
    assert.equal(existsSync(folder) && !existsSync(join(folder, 'export.json')), false)
  }
  if (!existsSync(folder)) await kalends('export', folder, ...flags(place))
  assert.deepEqual(readdirSync(folder).sort(), ['export.json', 'media', 'tables'])
  assert.equal(existsSync(`${folder}.partial`), false)
  const { rows } = await imported(await placeOn(TEST_ENGINE, t), folder)
  for (const file of ['media', 'secret.key']) {
    const other = await placeOn(TEST_ENGINE, t)
    await killedAt(join(other.data, file), ['import', folder, ...flags(other)])
    const events = await eventsIn(other)
    if (events === 0)
      assert.match(await kalends('import', folder, ...flags(other)), new RegExp(`Imported ${rows} rows`))
    const repeated = join(testFolder(t), 'again')
    await kalends('export', repeated, ...flags(other))
    assert.deepEqual(contentOf(repeated), contentOf(folder))
  }
})

async function eventsIn({ database }: Place): Promise<number> {
  const storage = await openStorage({ database })
  await migrate(storage, { now: () => NOW })
  const [events = 0] = await numbersOf(storage, 'select count(*) as n from event')
  await storage.close()
  return events
}

/** Edits a file of an export and makes its header agree. */
function edit(folder: string, table: string, change: (row: Record<string, unknown>) => unknown): void {
  const path = join(folder, 'tables', `${table}.jsonl`)
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const text = lines.map((line) => `${JSON.stringify(change(JSON.parse(line)))}\n`).join('')
  writeFileSync(path, text)
  editHeader(folder, (header) => {
    const own = header.tables.find((one: { table: string }) => one.table === table)
    Object.assign(own, { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') })
  })
}

// biome-ignore lint/suspicious/noExplicitAny: headers of every shape
function editHeader(folder: string, change: (header: any) => void): void {
  const path = join(folder, 'export.json')
  const header = JSON.parse(readFileSync(path, 'utf8'))
  change(header)
  writeFileSync(path, JSON.stringify(header))
}

test('what is damaged, strange or newer is refused, and nothing is imported', { timeout: 240_000 }, async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  await openFilled(t, place)
  const target = await placeOn(TEST_ENGINE, t)
  const cases: readonly (readonly [(folder: string) => void, RegExp])[] = [
    [(folder) => writeFileSync(join(folder, 'tables/event.jsonl'), '{}\n'), /event\.jsonl has 3 bytes instead/],
    [(folder) => writeFileSync(join(folder, 'tables/other.jsonl'), ''), /other\.jsonl does not belong/],
    [
      (folder) => editHeader(folder, (header) => header.tables.push({ table: '../../up' })),
      /no table "\.\.\/\.\.\/up"/,
    ],
    [(folder) => editHeader(folder, (header) => header.media.push({ name: '../../up.jpg' })), /no name of a picture/],
    [(folder) => editHeader(folder, (header) => Object.assign(header, { schema: 10_000 })), /newer version/],
    [(folder) => editHeader(folder, (header) => Object.assign(header, { format: 3 })), /newer version/],
    [
      (folder) => editHeader(folder, (header) => Object.assign(header, { format: 1, schema: 12 })),
      /before the first release/,
    ],
    [(folder) => edit(folder, 'event', (row) => ({ ...row, 'id"; drop': 1 })), /id"; drop/],
    [(folder) => edit(folder, 'event', (row) => [row]), /a line is no object/],
    [(folder) => edit(folder, 'event', (row) => ({ ...row, title: true })), /neither text nor number/],
    [(folder) => edit(folder, 'tag', ({ id, name, ...row }) => ({ id, ...row, name })), /not what the database made/],
  ]
  for (const [damage, reason] of cases) {
    const folder = join(testFolder(t), 'everything')
    await exported(place, folder)
    damage(folder)
    await assert.rejects(imported(target, folder), reason)
    if (existsSync(join(target.data, 'kalends.db')) || TEST_ENGINE === 'postgres')
      assert.equal(await eventsIn(target), 0)
  }
  const folder = join(testFolder(t), 'everything')
  await exported(place, folder)
  await assert.rejects(exported(place, folder), /is there and not empty/)
  await assert.rejects(imported(place, folder), /into an empty calendar.*table entry has rows/)
  await imported(target, folder)
  await assert.rejects(imported(target, folder), /into an empty calendar/)
})

test('the key of another calendar is not overwritten', async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  await openFilled(t, place)
  const folder = join(testFolder(t), 'everything')
  await exported(place, folder, true)
  const target = await placeOn(TEST_ENGINE, t)
  writeFileSync(join(target.data, 'secret.key'), `${'0'.repeat(64)}\n`)
  await assert.rejects(imported(target, folder), /key of another calendar/)
  assert.equal(await eventsIn(target), 0)
})

test('an export of an older schema is brought up to date', async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  const app = await openFilled(t, place)
  const folder = join(testFolder(t), 'everything')
  await exported(place, folder)
  const later = {
    id: (MIGRATIONS.at(-1)?.id ?? 0) + 1,
    name: 'later',
    up: () => ["alter table tag add column colour text not null default ''", "update tag set colour = 'blue'"],
  }
  const target = await placeOn(TEST_ENGINE, t)
  await imported(target, folder, [...MIGRATIONS, later])
  const snapshot = await openSnapshot(target.database)
  t.after(() => snapshot.close())
  const tags = await rowsOf(app.app.storage, 'select name from tag order by id')
  assert.ok(tags.length > 1)
  assert.deepEqual(
    await rowsOf(snapshot, 'select name, colour from tag order by id'),
    tags.map(({ name }) => ({ name, colour: 'blue' })),
  )
})

const FORMAT_1 = fileURLToPath(new URL('./fixtures/export-format-1', import.meta.url))

/** Application password of the user `editor` of that export. */
const PASSWORD = 'WWoUtftw0ckXXWMlPhMXj4C3'

test('an export of the last version before the first release is imported whole', { timeout: 240_000 }, async (t) => {
  const place = await placeOn(TEST_ENGINE, t)
  const { journal, pictures, missing } = await imported(place, FORMAT_1)
  assert.deepEqual({ journal, pictures, missing }, { journal: 61, pictures: 10, missing: [] })
  const folder = join(testFolder(t), 'again')
  await exported(place, folder, true)
  const [before, after] = [contentOf(FORMAT_1), contentOf(folder)]
  assert.equal(after.get('secret.key'), before.get('secret.key'))
  for (const [name, text] of before) {
    if (name.startsWith('media/')) assert.equal(after.get(name), text, name)
    // What was removed there could be restored for an hour only.
    if (!name.startsWith('tables/') || name === 'tables/removed_item.jsonl') continue
    // All three are in the table of provenance now.
    if (/\/(?:imported_item|source_event|entry_lineage)\./.test(name)) continue
    const rows = objectsIn(text)
    const columns = Object.keys(rows[0] ?? {})
    const again = objectsIn(after.get(name) ?? '').map((row) =>
      Object.fromEntries(columns.map((one) => [one, row[one]])),
    )
    assert.deepEqual(again, rows, name)
  }
  const expected = provenanceIn(before)
  assert.ok(expected.length > 0)
  const found = objectsIn(after.get('tables/provenance.jsonl') ?? '')
  assert.deepEqual(new Set(found), new Set(expected))
  const app = await openTestApp(t, { ...place, siteZone: 'Europe/Berlin' })
  const editor = { authorization: `Basic ${Buffer.from(`editor:${PASSWORD}`).toString('base64')}` }
  const headers = { ...editor, 'content-type': 'application/json' }
  const body = '{"name":"made in the copy"}'
  const tag = await fetch(`${app.origin}/cal/events/v1/tags`, { method: 'POST', headers, body })
  assert.equal(tag.status, 201, await tag.text())
  assert.ok(Number(tag.headers.get('x-kalends-seq')) > journal)
})
