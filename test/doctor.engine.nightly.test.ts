import assert from 'node:assert/strict'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openStorage } from '../src/storage/open.ts'
import { runHere } from './support/cli.ts'
import { examined, openExaminedCalendar } from './support/doctor.ts'
import { administratorOf, sending } from './support/processes.ts'
import { databaseOf, kalends, startServer } from './support/server.ts'
import { rowsOf, runStatement } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

test('doctor finds nothing in a calendar that is used, while the server runs and after, and repairs only without', async (t) => {
  const { data, server } = await openExaminedCalendar(t)
  assert.deepEqual(await examined(data), { code: 0, wrong: [] })
  await assert.rejects(
    kalends('doctor', '--repair', '--data', data),
    /is in use\. Stop its servers before you repair it/,
  )
  await server.stop('SIGTERM')
  assert.deepEqual(await examined(data), { code: 0, wrong: [] })
  assert.match(await kalends('doctor', '--data', data), /No problems found\.\n$/)
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
  ["delete from counter where name = 'entry'", 'counters'],
  ['delete from counter', 'counters'],
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
  const { data, server } = await openExaminedCalendar(t)
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
  const { data, server } = await openExaminedCalendar(t)
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
  const { data, server } = await openExaminedCalendar(t)
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
  const { data, server } = await openExaminedCalendar(t)
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

test('doctor says of a database with damaged pages what to do, and so does a backup', {
  skip: TEST_ENGINE === 'postgres',
}, async (t) => {
  const { data, server } = await openExaminedCalendar(t)
  await server.stop('SIGTERM')
  const file = join(data, 'kalends.db')
  const bytes = await readFile(file)
  // All but the first pages, which say where the tables are.
  await writeFile(file, bytes.fill(255, bytes.length / 4))
  const { code, stdout } = await runHere(data, 'doctor')
  assert.equal(code, 2)
  assert.match(stdout, /integrity +1 wrong +.*malformed: restore a backup/)
  const { stderr } = await runHere(data, 'backup', testFolder(t))
  assert.match(
    stderr,
    /^kalends: The database is damaged \(.*malformed\)\. Run "kalends doctor" .* restore a backup .*\n$/,
  )
})
