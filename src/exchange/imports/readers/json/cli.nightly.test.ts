import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openRemoteSite } from '../../../../../test/support/images.ts'

/*
 * `kalends import` as people run it: a process of its own, with and without a server on the same data folder.
 */

const PROGRAM = fileURLToPath(new URL('../../../../../bin/kalends.js', import.meta.url))
const LIST = fileURLToPath(new URL('../../../../../test/fixtures/recorded/harbour-events.json', import.meta.url))
const { npm_lifecycle_event: _event, ...ENV } = process.env

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'kalends-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

interface Started {
  readonly child: ChildProcess
  /** Standard output up to the first line end. */
  readonly firstLine: Promise<string>
  readonly exit: Promise<{ code: number; stdout: string; stderr: string }>
}

function start(t: TestContext, ...command: string[]): Started {
  const child = spawn(process.execPath, [PROGRAM, ...command], { env: ENV })
  const written = { stdout: '', stderr: '' }
  const { promise: firstLine, resolve } = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text
    if (written.stdout.includes('\n')) resolve(written.stdout.split('\n', 1)[0] ?? '')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text
  })
  const exit = once(child, 'close').then(([code]) => ({ code: Number(code), ...written }))
  void exit.then(() => resolve(''))
  t.after(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return { child, firstLine, exit }
}

function run(t: TestContext, ...command: string[]): Started['exit'] {
  return start(t, ...command).exit
}

const REPORT = { created: 12, updated: 0, unchanged: 0 }

test('import works while no server runs, and says what it did', async (t) => {
  const data = await folder(t)
  const refused = async (): Promise<string> => {
    const { code, stderr } = await run(t, 'import', LIST, '--data', data, '--json')
    assert.equal(code, 1, stderr)
    return JSON.parse(stderr).error.code
  }
  assert.equal(await refused(), 'no_calendar')
  await run(t, 'user', 'add', 'eve', '--email', 'eve@example.org', '--role', 'editor', '--data', data)
  assert.equal(await refused(), 'no_administrator')
  await run(t, 'user', 'add', 'ada', '--email', 'ada@example.org', '--role', 'administrator', '--data', data)
  const first = await run(t, 'import', LIST, '--data', data, '--json')
  assert.equal(first.code, 0, first.stderr)
  const { skipped, notes, counts, ...sums } = JSON.parse(first.stdout)
  assert.deepEqual(sums, REPORT)
  const created = Object.values<{ created: number }>(counts).map((one) => one.created)
  assert.equal(
    created.reduce((sum, one) => sum + one),
    REPORT.created,
  )
  // Its times in UTC belong to another zone.
  assert.deepEqual(
    notes.map(({ what }: { what: string }) => what.split(': ')[1]),
    ['events[2].utc_start_date', 'events[2].utc_end_date'],
  )
  assert.match(skipped[0].what, /harbour-events\.json: events\[3\]\.categories\[1\]/)
  const second = await run(t, 'import', LIST, '--data', data)
  assert.match(
    second.stdout,
    /^category: 0 created, 0 updated, \d+ unchanged\n(?:.*\n)*event: 0 created, 0 updated, \d+ unchanged\n1 skipped\n/,
  )
})

test('import works through a running server, which shows the events at once', async (t) => {
  const data = await folder(t)
  const server = start(t, 'serve', '--data', data, '--port', '0', '--json')
  const { api } = JSON.parse(await server.firstLine)
  const { code, stdout, stderr } = await run(t, 'import', LIST, '--data', data, '--json')
  assert.equal(code, 0, stderr)
  assert.equal(JSON.parse(stdout).created, 12)
  const answer = await fetch(`${api}/events/5001`)
  assert.deepEqual([answer.status, ((await answer.json()) as { slug: string }).slug], [200, 'shanties-stout'])
  server.child.kill('SIGTERM')
  assert.equal((await server.exit).code, 0)
})

test('a broken file ends the command with its place, and nothing is imported', async (t) => {
  const data = await folder(t)
  const bad = join(data, 'bad.json')
  await writeFile(bad, '{"events": [{"id": 1, "title": "x"}]}')
  await run(t, 'user', 'add', 'ada', '--email', 'ada@example.org', '--role', 'administrator', '--data', data)
  const { code, stderr } = await run(t, 'import', LIST, bad, '--data', data)
  assert.equal(code, 1)
  assert.match(stderr, /bad\.json: events\[0\]\.\w+ is missing/)
  const after = await run(t, 'import', LIST, '--data', data, '--json')
  assert.equal(JSON.parse(after.stdout).created, 12)
})

test('columns of a table are what --map says, and the report names those that are not imported', async (t) => {
  const data = await folder(t)
  await run(t, 'user', 'add', 'ada', '--email', 'ada@example.org', '--role', 'administrator', '--data', data)
  const file = join(data, 'walks.csv')
  await writeFile(file, 'Was=Wer,Wann,Woher\nRegatta,2027-03-01,Pier\n')
  const imported = (...said: string[]) =>
    run(t, 'import', file, ...said.flatMap((one) => ['--map', one]), '--data', data)
  assert.match((await imported()).stderr, /has no column for titles/)
  assert.match((await imported('Was=title')).stderr, /no file has a column Was/)
  assert.match((await imported('Was=Wer=name')).stderr, /name is no field of a table; the fields are title, /)
  assert.match((await imported('Wann')).stderr, /--map COLUMN=FIELD/)
  const { code, stdout, stderr } = await imported('Was=Wer=title', 'Wann=start_date')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /walks\.csv: the column Woher is not imported/)
  const again = await run(
    t,
    'import',
    file,
    '--map',
    'Was=Wer=title',
    '--map',
    'Wann=start_date',
    '--map',
    'Woher=none',
    '--data',
    data,
    '--json',
  )
  const { counts, ignored } = JSON.parse(again.stdout)
  assert.deepEqual([counts.event, ignored], [{ created: 0, updated: 0, unchanged: 1 }, []])
})

test('how doubtful dates of a table were read is said, and --dates says it otherwise', async (t) => {
  const data = await folder(t)
  await run(t, 'user', 'add', 'ada', '--email', 'ada@example.org', '--role', 'administrator', '--data', data)
  const file = join(data, 'walks.csv')
  await writeFile(file, 'title,start_date\nRegatta,03/04/2027\n')
  const imported = (...said: string[]) => run(t, 'import', file, '--dry-run', ...said, '--data', data)
  assert.match((await imported()).stdout, /dates such as 03\/04\/2027 .* read with the month first \(dates: 1; /)
  const { code, stdout } = await imported('--dates', 'day-first')
  assert.deepEqual([code, /read with/.test(stdout)], [0, false])
  assert.match((await imported('--dates', 'year-first')).stderr, /day-first and month-first/)
})

test('a calendar at an address that does not name a file is imported, and what is none is asked as a site', async (t) => {
  const data = await folder(t)
  await run(t, 'user', 'add', 'ada', '--email', 'ada@example.org', '--role', 'administrator', '--data', data)
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:a', 'DTSTART:20270301T100000Z', 'SUMMARY:Fair']
  const { origin } = await openRemoteSite(t, {
    '/export': (response) => response.end(`\uFEFF${[...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')}`),
    '/page': (response) => response.end('<p>BEGIN:VCALENDAR</p>'),
  })
  const imported = (path: string) => run(t, 'import', `${origin}${path}`, '--fetch-allow', '127.0.0.1', '--data', data)
  const { code, stdout, stderr } = await imported('/export?form=ical')
  assert.deepEqual([code, stdout], [0, 'event: 1 created, 0 updated, 0 unchanged\n0 skipped\n'], stderr)
  assert.match((await imported('/page')).stderr, /no page of it names an API|404/)
  assert.equal((await run(t, 'import', `${origin}/export`, '--data', data)).code, 1)
})
