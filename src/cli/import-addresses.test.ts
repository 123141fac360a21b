import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NOW, openBareApp, runHere } from '../../test/support/cli.ts'
import { openRemoteSite } from '../../test/support/images.ts'
import { testFolder } from '../../test/support/test-storage.ts'
import { runCli } from './run.ts'
import type { App, World } from './types.ts'

const CALENDAR = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'
const BASIC = `Basic ${Buffer.from('ada:sesame').toString('base64')}`
const COUNT = { found: 0, created: 0, updated: 0, unchanged: 0 }
const COUNTS = { category: COUNT, tag: COUNT, venue: COUNT, organizer: COUNT, event: COUNT }

const data = testFolder({ after })
await runHere(data, 'user', 'add', 'bob', '--role', 'author', '--email', 'bob@example.org')

/** Runs `kalends import` with an application that notes what it is to import. */
async function importing(...command: readonly string[]) {
  const got: unknown[] = []
  const note = async (input: unknown) => {
    got.push(input)
    const images = { found: 0, fetched: 0, shared: 0, known: 0 }
    const users = { found: 0, created: 0, made: [] }
    const of = { api: '', complete: true, dryRun: false, pictures: images, images, shown: images, redirects: 0, users }
    return { counts: COUNTS, skipped: [], notes: [], undecided: [], vanished: [], requests: 0, ...of }
  }
  const openApp: World['openApp'] = async (...given) =>
    ({ ...(await openBareApp(...given)), importCalendars: note, importSite: note }) as unknown as App
  let said = ''
  const write = (text: string) => (said += text)
  const env = { KALENDS_DATA: data, KALENDS_FETCH_ALLOW: '127.0.0.1' }
  const world: World = { env, now: () => NOW, openApp, stdout: { write }, stderr: { write } }
  const code = await runCli(['node', 'kalends', 'import', ...command], world)
  return { code, said, got }
}

test('a password in the address of a calendar opens it, and is in nothing that is said', async (t) => {
  const site = await openRemoteSite(t, {
    '/a.ics': (response, request) =>
      request.headers.authorization === BASIC ? response.end(CALENDAR) : response.writeHead(401).end(),
    '/page': (response, request) =>
      request.headers.authorization === BASIC ? response.end(CALENDAR) : response.writeHead(401).end(),
  })
  const host = site.origin.slice('http://'.length)
  for (const address of [
    `http://ada:sesame@${host}/a.ics`,
    `webcal://ada:sesame@${host}/a.ics`,
    `http://ada:sesame@${host}/page`,
  ]) {
    const { code, said, got } = await importing(address)
    assert.equal(code, 0, said)
    const [{ files }] = got as [{ files: readonly { name: string; bytes: Buffer }[] }]
    assert.deepEqual(
      files.map(({ bytes }) => String(bytes)),
      [CALENDAR],
      address,
    )
    assert.doesNotMatch(`${said} ${files.map(({ name }) => name)}`, /sesame/)
  }
  const wrong = await importing(`http://ada:letmein@${host}/a.ics`)
  assert.deepEqual([wrong.code, wrong.got], [1, []])
  assert.match(wrong.said, /rejects the username and password/)
  assert.doesNotMatch(wrong.said, /letmein/)
  assert.match((await importing(`${site.origin}/a.ics`)).said, /requires a username and password/)
})

test('name and password for a site come from its address, or from that of its API', async () => {
  const cases: readonly (readonly [command: readonly string[], expected: object])[] = [
    [
      ['http://ada:sesame@127.0.0.1:1/'],
      { address: 'http://127.0.0.1:1/', api: undefined, user: 'ada', password: 'sesame' },
    ],
    [
      ['http://127.0.0.1:1/', '--api', 'http://ada:sesame@127.0.0.1:2/wp-json'],
      { address: 'http://127.0.0.1:1/', api: 'http://127.0.0.1:2/wp-json', user: 'ada', password: 'sesame' },
    ],
    [['http://127.0.0.1:1/'], { address: 'http://127.0.0.1:1/', api: undefined, user: undefined, password: undefined }],
  ]
  for (const [command, expected] of cases) {
    const { got, said } = await importing(...command)
    const [{ address, api, user, password } = {}] = got as [Record<string, unknown>?]
    assert.deepEqual({ address, api, user, password }, expected, said)
    assert.doesNotMatch(said, /sesame/)
  }
})
