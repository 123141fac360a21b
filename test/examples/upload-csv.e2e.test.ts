import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { runPython, skipWithoutPython } from '../support/python.ts'
import { openRelay, type Relay } from '../support/relay.ts'
import { testFolder } from '../support/test-storage.ts'
import { tokenOf } from '../support/tokens.ts'

const SCRIPT = join(import.meta.dirname, '../../examples/python/upload_csv.py')
const skip = skipWithoutPython('requests')

const HEAD = 'ref,title,start_date,end_date,venue,categories'
const CHOIR = 'choir,Choir & tea,2027-03-04 19:30,2027-03-04 21:30,Parish hall,Music; Art'
const CLASS = 'class,"Drawing, slowly",2027-03-05 10:00,2027-03-05 12:00,Parish hall,Art'

/** A calendar behind a relay, with a CSV file to upload. */
async function open(t: TestContext) {
  const app = await openTestApp(t)
  const relay = await openRelay(t, app.origin)
  const { token } = await tokenOf(app, 'editor', 'events:write', 'terms:write')
  const file = join(testFolder(t), 'events.csv')
  /** Uploads a text; what the script prints. */
  const run = async (text: string) => {
    await writeFile(file, text)
    relay.requests.length = 0
    const { code, stdout, stderr } = await runPython([SCRIPT, relay.origin, file], { KALENDS_TOKEN: token })
    return { code, lines: (stdout + stderr).trim().split('\n') }
  }
  /** Uploads the rows; what the script prints, one line for each row. */
  const upload = (...rows: readonly string[]) => run([HEAD, ...rows, ''].join('\r\n'))
  const events = async () => (await app.call('anonymous', 'GET', '/events')).body.events
  return { app, relay, file, run, upload, events }
}

function writes({ requests }: Relay) {
  return requests.filter(({ method }) => method !== 'GET')
}

test('rows become events, and a second run sends nothing', { skip }, async (t) => {
  const { relay, upload, events } = await open(t)
  assert.deepEqual(await upload(CHOIR, CLASS), { code: 0, lines: ['choir: created', 'class: created'] })
  assert.equal(writes(relay).length, 2)
  for (const { headers } of writes(relay)) assert.match(String(headers['idempotency-key']), /^[\da-f-]{36}$/)
  const [choir, drawing] = await events()
  assert.deepEqual(
    [choir.title, choir.start_date, choir.venue.venue],
    ['Choir &amp; tea', '2027-03-04 19:30:00', 'Parish hall'],
  )
  assert.deepEqual(
    choir.categories.map(({ name }: { name: string }) => name),
    ['Art', 'Music'],
  )
  assert.equal(drawing.venue.id, choir.venue.id)
  assert.deepEqual(await upload(CHOIR, CLASS), { code: 0, lines: ['choir: unchanged', 'class: unchanged'] })
  assert.deepEqual(relay.requests, [])
})

test('a changed cell is sent alone, with the tag of the last answer', { skip }, async (t) => {
  const { relay, file, upload, events } = await open(t)
  await upload(CHOIR, CLASS)
  const [{ id }] = await events()
  const { etag } = JSON.parse(await readFile(`${file}.json`, 'utf8'))[relay.origin].choir
  const later = CHOIR.replace('21:30', '22:00').replace('Parish hall', '')
  assert.deepEqual(await upload(later, CLASS), { code: 0, lines: ['choir: updated', 'class: unchanged'] })
  assert.deepEqual(
    writes(relay).map((one) => [one.path, one.headers['if-match']]),
    [[`/cal/events/v1/events/${id}`, etag]],
  )
  const [choir] = await events()
  assert.deepEqual([choir.title, choir.end_date, choir.venue], ['Choir &amp; tea', '2027-03-04 22:00:00', []])
})

test('what somebody has changed in the calendar is left alone, in the columns of the file', { skip }, async (t) => {
  const { app, upload, events } = await open(t)
  await upload(CHOIR, CLASS)
  const [choir, drawing] = await events()
  await app.call('editor', 'POST', `/events/${choir.id}`, { json: { title: 'Choir at sea' } })
  await app.call('editor', 'POST', `/events/${drawing.id}`, { json: { cost: '5' } })
  const { code, lines } = await upload(CHOIR.replace('21:30', '22:00'), CLASS.replace('12:00', '13:00'))
  assert.equal(code, 1)
  assert.deepEqual(lines, ['class: updated', 'choir: somebody has changed this event in the calendar'])
  const after = await events()
  assert.deepEqual([after[0].title, after[0].end_date], ['Choir at sea', '2027-03-04 21:30:00'])
  assert.deepEqual([after[1].cost, after[1].end_date], ['$5', '2027-03-05 13:00:00'])
})

test('a row that the server refuses is reported, and sent again when it is mended', { skip }, async (t) => {
  const { upload, events } = await open(t)
  const { code, lines } = await upload(CHOIR.replace('21:30', '12:00'), CLASS)
  assert.equal(code, 1)
  assert.deepEqual(lines, [
    'class: created',
    'choir: 400 Invalid parameters: end_date; end_date must not be before the start.',
  ])
  assert.deepEqual(await upload(CHOIR, CLASS), { code: 0, lines: ['choir: created', 'class: unchanged'] })
  assert.equal((await events()).length, 2)
})

test('lost answers, busy servers and a script that is stopped create no event twice', { skip }, async (t) => {
  const { relay, file, upload, events } = await open(t)
  let count = 0
  relay.mishap = ({ method }) => {
    if (method === 'POST') count += 1
    if (count === 1) return 'break after'
    return count === 3 ? { status: 429, headers: { 'retry-after': '1' } } : undefined
  }
  assert.deepEqual(await upload(CHOIR, CLASS), { code: 0, lines: ['choir: created', 'class: created'] })
  assert.equal(writes(relay).length, 4)
  assert.equal((await events()).length, 2)
  // Stopped when the server had answered, before that was stored.
  const stored = JSON.parse(await readFile(`${file}.json`, 'utf8'))
  const third = 'talk,Talk,2027-04-01 10:00,2027-04-01 11:00,,'
  relay.mishap = () => 'break after'
  assert.equal((await upload(CHOIR, CLASS, third)).code, 1)
  assert.ok('pending' in JSON.parse(await readFile(`${file}.json`, 'utf8'))[relay.origin].talk)
  assert.ok(!('talk' in stored[relay.origin]))
  relay.mishap = () => undefined
  // A proxy may answer for a server that has created the event.
  relay.mishap = () => ({ status: 504, headers: { 'retry-after': '900' } })
  assert.equal((await upload(CHOIR, CLASS, third)).code, 1)
  relay.mishap = () => undefined
  const { lines } = await upload(CHOIR, CLASS, third.replace('Talk', 'Long talk'))
  assert.equal(lines.at(-1), 'talk: updated')
  assert.deepEqual(
    (await events()).map(({ title }: { title: string }) => title),
    ['Choir &amp; tea', 'Drawing, slowly', 'Long talk'],
  )
})

test('short rows have empty cells, and a file without the column ref is refused', { skip }, async (t) => {
  const { relay, run, upload } = await open(t)
  assert.deepEqual((await upload('talk,Talk,2027-04-01 10:00,2027-04-01 11:00')).lines, ['talk: created'])
  relay.requests.length = 0
  const { code, lines } = await run(HEAD.replaceAll(',', ';'))
  assert.equal(code, 2)
  assert.match(lines.at(-1) ?? '', /needs the column ref/)
  assert.deepEqual(relay.requests, [])
})
