// Only with --all: calendars are damaged in every way, inspected and repaired.
import assert from 'node:assert/strict'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { runHere } from '../src/cli/testing.ts'
import { paint } from '../src/media/testing.ts'
import { TEST_ENGINE } from '../src/storage/engines/testing.ts'
import { openStorage } from '../src/storage/open.ts'
import { administratorOf, ask, EVENT, sending } from './support/processes.ts'
import { databaseOf, kalends, openDataFolder, type ServerProcess, startServer } from './support/server.ts'
import { rowsOf, runStatement } from './support/storage.ts'
import { upload } from './support/upload.ts'

interface Said {
  readonly code: number
  readonly wrong: readonly string[]
}

/** Names of the checks that have found something, and the exit code. */
async function examined(data: string, ...more: readonly string[]): Promise<Said> {
  const { code, stdout } = await runHere(data, 'doctor', '--json', '--database', await databaseOf(data), ...more)
  const { findings } = JSON.parse(stdout) as { findings: { check: string; problems: number }[] }
  return { code, wrong: findings.filter(({ problems }) => problems > 0).map(({ check }) => check) }
}

/** A server with events of every sort: terms below terms, featured, ticketed, hidden, in the trash, deleted. */
async function openCalendar(t: TestContext): Promise<{ data: string; server: ServerProcess }> {
  const data = await openDataFolder(t)
  const server = await startServer(data)
  const authorization = administratorOf(server)
  const api = `${server.origin}/cal/events/v1`
  const post = async (path: string, json: object): Promise<number> => {
    const made = await ask(api + path, sending(authorization, json))
    assert.equal(made?.status, 201, JSON.stringify(made?.body))
    return made?.body.id ?? 0
  }
  const music = await post('/categories', { name: 'Music' })
  const jazz = await post('/categories', { name: 'Jazz', parent: music })
  const first = await post('/events', { ...EVENT, categories: [jazz], tags: ['late'], featured: true })
  await post('/events', {
    ...EVENT,
    venue: { venue: 'Hall' },
    organizer: { organizer: 'Club' },
    description: 'x '.repeat(9000),
  })
  await post('/events', { ...EVENT, hide_from_listings: true, categories: [music], status: 'draft' })
  await post('/events', { ...EVENT, password: 'secret', description: 'hidden words' })
  const gone = await post('/events', { ...EVENT, tags: ['late'] })
  await ask(`${api}/events/${gone}?force=true`, sending(authorization, {}, 'DELETE'))
  await ask(`${api}/events/${first}`, sending(authorization, { title: 'Other' }))
  const trashed = await post('/events', { ...EVENT, categories: [jazz] })
  await ask(`${api}/events/${trashed}`, sending(authorization, {}, 'DELETE'))
  const series = await post('/events', { ...EVENT, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=5', categories: [jazz] })
  const { body } = (await ask(`${api}/events?series=${series}&start_date=2000-01-01&end_date=2100-01-01`)) ?? {}
  const [, second, third] = (body as unknown as { events: { id: number }[] }).events
  await ask(`${api}/events/${second?.id}`, sending(authorization, { title: 'Guest', tags: ['late'] }))
  await ask(`${api}/events/${third?.id}`, sending(authorization, {}, 'DELETE'))
  const at = { origin: server.origin, authorization: () => authorization }
  assert.equal((await upload(at, 'administrator', { bytes: await paint(400, 320).png().toBuffer() })).status, 201)
  return { data, server }
}

test('doctor finds nothing in a calendar that is used, while the server runs and after, and repairs only without', async (t) => {
  const { data, server } = await openCalendar(t)
  assert.deepEqual(await examined(data), { code: 0, wrong: [] })
  await assert.rejects(kalends('doctor', '--repair', '--data', data), /is in use: stop its servers, then repair it/)
  await server.stop('SIGTERM')
  assert.deepEqual(await examined(data), { code: 0, wrong: [] })
  assert.match(await kalends('doctor', '--data', data), /Everything is as it should be\.\n$/)
})

/** What is done to a database, and which check tells of it; in the order of the checks. */
const DERIVED: readonly (readonly [statement: string, ...checks: string[]])[] = [
  [
    "update occurrence set start_local = '2020-01-01 00:00:00' where id = (select min(id) from occurrence)",
    'lists',
    'totals',
  ],
  ['delete from occurrence_link where kind = 3', 'lists', 'totals'],
  ['delete from occurrence_link where kind = 5', 'lists', 'totals'],
  ["update entry_text set body = 'else' where id = (select min(id) from entry_text)", 'search texts'],
  ['delete from entry_text', 'search texts'],
  ["insert into entry_text (id, body) values (999999, 'nothing')", 'search texts of nothing'],
  ['update event_count set starts = starts + 1', 'totals'],
  ['delete from event_count', 'totals'],
  ['update category set count = count + 3', 'counts of terms'],
  ['update counter set value = 0', 'counters'],
]

const ENTERED: readonly (readonly [statement: string, check: string])[] = [
  ['update journal_head set seq = seq + 1', 'journal'],
  ['delete from journal where seq = 3', 'journal'],
  ['update event set revision = revision + 1', 'journal and rows'],
  ["delete from entry where kind = 'event'", 'identifiers'],
  ["update event set trashed_from = null where status = 'trash'", 'slugs'],
  [
    "insert into former_slug (entry_id, number, slug, at) values (999999, 1, 'gone', '2027-01-01 10:00:00')",
    'former slugs',
  ],
  [
    `insert into webhook_delivery
      (id, webhook_id, message, event, seq, at, resource, item_id, revision, state, attempts, queued_at, status, problem)
      values (1, 1, 'msg_1', 'event.created', 1, '', 'event', 1, 1, 'pending', 0, '', 0, '')`,
    'webhooks',
  ],
]

test('doctor finds what is wrong with anything derived, and its repair makes it as it was', async (t) => {
  const { data, server } = await openCalendar(t)
  await server.stop('SIGTERM')
  const database = await databaseOf(data)
  const state = async (): Promise<unknown> => {
    const storage = await openStorage({ database })
    const tables = ['event', 'occurrence', 'occurrence_link', 'entry_text', 'category', 'tag', 'journal', 'counter']
    const rows = []
    for (const table of tables)
      rows.push((await rowsOf(storage, `select * from ${table}`)).map((row) => JSON.stringify(row)).sort())
    const counts = 'select * from event_count where starts <> 0 or ends <> 0'
    rows.push((await rowsOf(storage, counts)).map((row) => JSON.stringify(row)).sort())
    await storage.close()
    return rows
  }
  const before = await state()
  for (const [statement, ...checks] of DERIVED) {
    const storage = await openStorage({ database })
    await runStatement(storage, statement)
    await storage.close()
    const { code, wrong } = await examined(data)
    assert.equal(code, 2, statement)
    assert.ok(
      checks.every((check) => wrong.includes(check)),
      `${statement}: ${wrong.join()}`,
    )
    assert.deepEqual(await examined(data, '--repair'), { code: 0, wrong: [] }, statement)
    assert.deepEqual(await state(), before, statement)
  }
})

/** What is done to the dates of a series. */
const DATES = [
  'update series_date set position = 7 where position = 4',
  "update series_date set recurrence_id = '2040-01-01 10:00:00' where position = 4",
  'delete from series_date where position = 2 and series_id <> id',
] as const

test('doctor compares the dates of series with their rules, and its repair gives them those', async (t) => {
  const { data, server } = await openCalendar(t)
  await server.stop('SIGTERM')
  const database = await databaseOf(data)
  for (const statement of DATES) {
    const storage = await openStorage({ database })
    const dates = 'select recurrence_id, position from series_date where position > 0 order by recurrence_id'
    const before = await rowsOf(storage, dates)
    await runStatement(storage, statement)
    await storage.close()
    const { code, wrong } = await examined(data)
    assert.equal(code, 2, statement)
    assert.ok(wrong.includes('dates of rules'), `${statement}: ${wrong.join()}`)
    const repaired = await examined(data, '--repair')
    const after = await openStorage({ database })
    assert.deepEqual(await rowsOf(after, dates), before, statement)
    await after.close()
    // An exception whose date was lost is told of: nobody knows any more what it was of.
    const rest = statement.startsWith('delete')
      ? repaired.wrong.filter((check) => check !== 'dates of series')
      : repaired.wrong
    assert.deepEqual(rest, [], statement)
  }
})

test('doctor tells of what people have entered, of lost pictures and open files, and changes no data', async (t) => {
  const { data, server } = await openCalendar(t)
  await server.stop('SIGTERM')
  const database = await databaseOf(data)
  await chmod(join(data, 'secret.key'), 0o644)
  assert.deepEqual(await examined(data), { code: 2, wrong: ['file modes'] })
  assert.deepEqual(await examined(data, '--repair'), { code: 0, wrong: [] })
  for (const [statement, check] of ENTERED) {
    const storage = await openStorage({ database })
    await runStatement(storage, statement)
    await storage.close()
    const { code, wrong } = await examined(data, '--repair')
    assert.equal(code, 2, statement)
    assert.ok(wrong.includes(check), `${statement}: ${wrong.join()}`)
  }
  await rm(join(data, 'media'), { recursive: true })
  assert.ok((await examined(data)).wrong.includes('pictures'))
})

test('doctor finds a search index that no longer fits its texts, and makes it again', {
  skip: TEST_ENGINE === 'postgres' && 'PostgreSQL keeps its index itself',
}, async (t) => {
  const { data, server } = await openCalendar(t)
  const name = `大阪音楽祭 ${'x'.repeat(100)}`
  const venue = await fetch(`${server.origin}/cal/events/v1/venues`, sending(administratorOf(server), { venue: name }))
  assert.equal(venue.status, 201)
  const description = Array.from({ length: 3_000 }, (_none, index) => `w${index}y`).join(' ')
  const long = { venue: 'Long', description }
  const described = await fetch(`${server.origin}/cal/events/v1/venues`, sending(administratorOf(server), long))
  assert.equal(described.status, 201)
  await server.stop('SIGTERM')
  assert.deepEqual(await examined(data, '--repair'), { code: 0, wrong: [] }, 'an index that fits stays')
  for (const statement of [
    `insert into entry_text_fts (entry_text_fts) values ('delete-all')`,
    `insert into entry_word_fts (entry_word_fts) values ('delete-all')`,
    `insert into known_word_fts (known_word_fts) values ('delete-all')`,
    'delete from known_word',
    `insert into entry_word_fts (entry_word_fts) values ('rebuild')`,
  ]) {
    const storage = await openStorage({ database: await databaseOf(data) })
    await runStatement(storage, statement)
    await storage.close()
    assert.deepEqual(await examined(data), { code: 2, wrong: ['search index'] }, statement)
    assert.deepEqual(await examined(data, '--repair'), { code: 0, wrong: [] }, statement)
  }
  for (const index of ['entry_text_fts', 'entry_word_fts', 'known_word_fts']) {
    const database = new DatabaseSync(join(data, 'kalends.db'), { defensive: false })
    database.exec(`delete from ${index}_data where id > 10`)
    database.close()
    const { code, wrong } = await examined(data)
    assert.ok(code === 2 && wrong.includes('search index'), `${index}: ${code} ${wrong.join()}`)
    assert.deepEqual(await examined(data, '--repair'), { code: 0, wrong: [] }, index)
  }
  const again = await startServer(data)
  for (const search of ['hall', 'all', '音楽', 'x'.repeat(70), 'w2999y', '2998y']) {
    const found = await fetch(`${again.origin}/cal/events/v1/venues?search=${encodeURIComponent(search)}`)
    assert.equal(((await found.json()) as { venues: unknown[] }).venues.length, 1, search)
  }
})

test('doctor says of a database with damaged pages what to do', { skip: TEST_ENGINE === 'postgres' }, async (t) => {
  const { data, server } = await openCalendar(t)
  await server.stop('SIGTERM')
  const file = join(data, 'kalends.db')
  const bytes = await readFile(file)
  // All but the first pages, which say where the tables are.
  await writeFile(file, bytes.fill(255, bytes.length / 4))
  const { code, stdout } = await runHere(data, 'doctor')
  assert.equal(code, 2)
  assert.match(stdout, /integrity +1 wrong +.*malformed: restore a backup/)
})
