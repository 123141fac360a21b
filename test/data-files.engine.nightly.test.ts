import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { openTestApp } from './support/app.ts'
import { paint } from './support/images.ts'
import { administratorOf, EVENT, sending } from './support/processes.ts'
import { kalends, openDataFolder, type ServerProcess, startServer } from './support/server.ts'
import { runStatement } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { upload } from './support/upload.ts'

const FILES_ONLY = TEST_ENGINE === 'postgres' && 'the files are those of SQLite'
const ANN = ['user', 'add', 'ann', '--role', 'author', '--email', 'ann@example.org']

/** How a command ended that is expected to fail. */
async function refusal(...argv: readonly string[]): Promise<{ code: number; stderr: string }> {
  return kalends(...argv).then(
    (stdout) => assert.fail(`did not fail: ${stdout}`),
    (error: { code: number; stderr: string }) => error,
  )
}

interface Said {
  readonly status: number
  readonly code: string | undefined
}

async function said(answer: Promise<Response>): Promise<Said> {
  const { status, ...response } = await answer.then(async (one) => ({ status: one.status, body: await one.json() }))
  return { status, code: (response.body as { code?: string }).code }
}

function create(server: ServerProcess, authorization: string, event: object = EVENT): Promise<Said> {
  return said(fetch(`${server.origin}/cal/events/v1/events`, sending(authorization, event)))
}

function health(server: ServerProcess): Promise<Said> {
  return said(fetch(`${server.origin}/kalends/v1/health`))
}

const MISSING = { status: 503, code: 'rest_data_missing' }
const FULL = { status: 503, code: 'rest_disk_full' }

async function openServer(t: TestContext) {
  const data = await openDataFolder(t)
  const server = await startServer(data)
  const authorization = administratorOf(server)
  assert.equal((await create(server, authorization)).status, 201)
  assert.equal((await health(server)).status, 200)
  return { data, server, authorization }
}

type Damage = (data: string) => Promise<void>

const DAMAGES: Readonly<Record<string, { readonly harm: Damage; readonly mend?: Damage }>> = {
  'the database is deleted': { harm: (data) => rm(join(data, 'kalends.db')) },
  'the database is replaced': {
    harm: async (data) => {
      await writeFile(join(data, 'other'), await readFile(join(data, 'kalends.db')))
      await rename(join(data, 'other'), join(data, 'kalends.db'))
    },
  },
  'the log of the database is deleted': { harm: (data) => rm(join(data, 'kalends.db-wal')) },
  'the shared memory of the database is deleted': { harm: (data) => rm(join(data, 'kalends.db-shm')) },
  'the data folder is moved away, until it is back': {
    harm: (data) => rename(data, `${data}-moved`),
    mend: (data) => rename(`${data}-moved`, data),
  },
  'another folder is in the place of the data folder': {
    harm: async (data) => {
      await rename(data, `${data}-moved`)
      await mkdir(data)
    },
    mend: async (data) => {
      await rm(data, { recursive: true })
      await rename(`${data}-moved`, data)
    },
  },
}

test('the log tells once that the files are away, whatever works in the background', {
  skip: FILES_ONLY,
}, async (t) => {
  const data = await openDataFolder(t)
  const lines: string[] = []
  const log = createLog({ level: 'info', now: Date.now, stream: { write: (line) => void lines.push(line) } })
  const config = readConfig({ data, port: '0', siteHost: 'calendar.example' }, {})
  const app = await openApp(config, { now: Date.now, log, role: 'serve' })
  await rename(data, `${data}-moved`)
  // What works in the background is begun, and has ended when the app is closed.
  await assert.rejects(app.listen(), { code: MISSING.code })
  await app.close()
  await rename(`${data}-moved`, data)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['nothing is written until it is back'],
  )
})

for (const [what, { harm, mend }] of Object.entries(DAMAGES)) {
  test(`no write is acknowledged and health is 503 when ${what}`, { skip: FILES_ONLY }, async (t) => {
    const { data, server, authorization } = await openServer(t)
    await harm(data)
    assert.deepEqual(await create(server, authorization), MISSING)
    assert.deepEqual(await health(server), MISSING)
    assert.equal((await fetch(`${server.origin}/cal/events/v1/events`)).status, 200, 'reads go on')
    const found = await fetch(`${server.origin}/cal/events/v1/events?search=dance`)
    assert.ok([200, 503].includes(found.status), 'a thread that has to open the file says what is wrong')
    assert.match(server.problems(), /removed, replaced or moved away/)
    if (mend === undefined) return
    await mend(data)
    assert.equal((await create(server, authorization)).status, 201)
    assert.equal((await health(server)).status, 200)
  })
}

test('a server whose database was deleted makes no new calendar at its next start', { skip: FILES_ONLY }, async (t) => {
  const { data, server } = await openServer(t)
  await rm(join(data, 'kalends.db'))
  await server.stop('SIGKILL')
  await rm(join(data, 'kalends.db-wal'))
  for (const command of [['serve', '--port', '0'], ANN, ['user', 'list'], ['migrate']]) {
    const { code, stderr } = await refusal(...command, '--data', data)
    assert.equal(code, 1)
    assert.match(stderr, /^kalends: The database \S*kalends\.db is missing, but the key .* Restore .*\n$/)
  }
  assert.ok(!existsSync(join(data, 'kalends.db')))
})

test('an empty database file beside a key is no calendar for any command', { skip: FILES_ONLY }, async (t) => {
  const data = await openDataFolder(t)
  await kalends(...ANN, '--data', data)
  await truncate(join(data, 'kalends.db'))
  for (const command of [['serve', '--port', '0'], ANN, ['user', 'list'], ['export', `${data}/export`]]) {
    const { stderr } = await refusal(...command, '--data', data)
    assert.match(stderr, /^kalends: The database \S*kalends\.db is empty, but the key .* Restore .*\n$/, command.join())
  }
  assert.equal((await stat(join(data, 'kalends.db'))).size, 0)
})

test('a calendar without its key gets no new one, which would make all passwords worth nothing', async (t) => {
  const data = await openDataFolder(t)
  await kalends(...ANN, '--data', data)
  await rm(join(data, 'secret.key'))
  for (const command of [['serve', '--port', '0'], ['user', 'list'], ['password', 'add', 'ann'], ANN]) {
    const { stderr } = await refusal(...command, '--data', data)
    assert.match(stderr, /^kalends: The key file \S*secret\.key of this calendar is missing\. Restore .*\n$/)
  }
  assert.ok(!existsSync(join(data, 'secret.key')))
})

test('a first start that was killed before it made its key goes on', { skip: FILES_ONLY }, async (t) => {
  const data = await openDataFolder(t)
  await kalends(...ANN, '--data', data)
  await rm(join(data, 'secret.key'))
  const storage = await import('../src/storage/open.ts')
  const opened = await storage.openStorage({ database: `sqlite:${join(data, 'kalends.db')}` })
  await runStatement(opened, 'delete from "user"')
  await opened.close()
  await kalends(...ANN, '--data', data)
  assert.equal((await readFile(join(data, 'secret.key'), 'utf8')).length, 65)
})

const COMMANDS: readonly (readonly string[])[] = [
  ['user', 'list'],
  ['user', 'role', 'ann', 'editor'],
  ['user', 'disable', 'ann'],
  ['user', 'enable', 'ann'],
  ['password', 'add', 'ann'],
  ['password', 'list', 'ann'],
  ['password', 'revoke', 'ann', '1'],
  ['import', join(import.meta.dirname, '../package.json')],
  ...(TEST_ENGINE === 'sqlite' ? [['migrate']] : []),
]

for (const command of COMMANDS) {
  test(`kalends ${command.slice(0, 2).join(' ')} makes no calendar where there is none`, async (t) => {
    const data = join(await openDataFolder(t), 'data')
    const { code, stderr } = await refusal(...command, '--data', data)
    assert.equal(code, 1)
    assert.match(stderr, /^kalends: There is no calendar in .*: ?.*\n$|^kalends: There is no calendar in .*--data.*\n$/)
    if (TEST_ENGINE === 'sqlite') assert.ok(!existsSync(data))
  })
}

/** The rights of everything in a folder, by name. */
async function modesIn(folder: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))]
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777))
  return Object.fromEntries(names.map((name, index) => [name, (modes[index] ?? 0).toString(8)]))
}

test('data are for their owner alone, whatever the umask, and are made so again', async (t) => {
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const data = await openDataFolder(t)
  await rm(data, { recursive: true })
  const first = await startServer(data)
  const at = { origin: first.origin, authorization: () => administratorOf(first) }
  assert.equal((await upload(at, 'administrator', { bytes: await paint(400, 320).png().toBuffer() })).status, 201)
  const own = await modesIn(data)
  const isFolder = (name: string): boolean => !name.includes('.') || name === '.'
  for (const [name, mode] of Object.entries(own)) assert.equal(mode, isFolder(name) ? '700' : '600', name)
  assert.ok(Object.keys(own).length > (TEST_ENGINE === 'sqlite' ? 8 : 3), Object.keys(own).join())
  await first.stop('SIGTERM')
  for (const name of Object.keys(await modesIn(data))) await chmod(join(data, name), isFolder(name) ? 0o755 : 0o644)
  await startServer(data)
  const again = await modesIn(data)
  const kept = Object.entries(again).filter(([name]) => !/^media\/..\//.test(name))
  for (const [name, mode] of kept) assert.equal(mode, isFolder(name) ? '700' : '600', name)
})

test('a full disk is 503 with a code of its own, health says so, and both end with the next write', async (t) => {
  const { app, call, origin } = await openTestApp(t)
  const large = { ...EVENT, description: '<p>much to read</p>'.repeat(20_000) }
  const [fill, free] =
    TEST_ENGINE === 'sqlite'
      ? ['pragma max_page_count = 1', 'pragma max_page_count = 4294967294']
      : [
          'create trigger no_room before insert on journal execute function no_room()',
          'drop trigger no_room on journal',
        ]
  if (TEST_ENGINE === 'postgres') {
    const raised = `begin raise exception 'could not extend file' using errcode = '53100'; end`
    await runStatement(
      app.storage,
      `create function no_room() returns trigger language plpgsql as '${raised.replaceAll("'", "''")}'`,
    )
  }
  await runStatement(app.storage, fill)
  const refused = await call('administrator', 'POST', '/events', { json: large, isBroken: true })
  assert.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [503, FULL.code, '1'])
  const url = `${origin}/kalends/v1/health`
  if (TEST_ENGINE === 'sqlite') assert.equal((await call('anonymous', 'GET', url)).body.code, FULL.code)
  assert.equal((await call('anonymous', 'GET', '/events')).status, 200, 'reads go on')
  await runStatement(app.storage, free)
  assert.equal((await call('administrator', 'POST', '/events', { json: large })).status, 201)
  assert.equal((await call('anonymous', 'GET', url)).status, 200)
})

test('a disk that is full ends neither the server nor a write that was answered, and is noticed to be free', {
  skip: FILES_ONLY || (process.platform !== 'linux' && 'limits of other processes are changed with prlimit'),
  timeout: 300_000,
}, async (t) => {
  const { data, server, authorization } = await openServer(t)
  const limit = (bytes: string): void => {
    execFileSync('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}:`])
  }
  limit(String((await stat(join(data, 'kalends.db-wal'))).size + 300_000))
  const large = { ...EVENT, description: '<p>much to read</p>'.repeat(2_000) }
  let answered = 0
  let last = { status: 201, code: undefined as string | undefined }
  while (last.status === 201 && answered < 1000) {
    last = await create(server, authorization, { ...large, title: `Full ${answered}` })
    if (last.status === 201) answered += 1
  }
  assert.deepEqual(last, FULL)
  assert.deepEqual(await health(server), FULL)
  const at = { origin: server.origin, authorization: () => authorization }
  limit('1000')
  const refused = await upload(at, 'administrator', { bytes: await paint(400, 320).png().toBuffer() })
  assert.deepEqual([refused.status, refused.body.code], [FULL.status, FULL.code])
  limit('unlimited')
  // Nobody writes; whoever asks for health has it found out.
  for (const deadline = Date.now() + 120_000; (await health(server)).status !== 200; await sleep(50))
    assert.ok(Date.now() < deadline, 'health does not notice that there is room again')
  assert.equal((await create(server, authorization)).status, 201)
  await server.stop('SIGTERM')
  const next = await startServer(data)
  const found = await fetch(`${next.origin}/cal/events/v1/events?per_page=1&search=Full&start_date=2000-01-01`)
  assert.equal(found.headers.get('x-tec-total') ?? found.headers.get('x-wp-total'), String(answered))
})

test('a folder of pictures that was moved away takes none, and is not made again', async (t) => {
  const folder = await openDataFolder(t)
  const media = join(folder, 'pictures')
  await mkdir(media)
  const app = await openTestApp(t, { media })
  const bytes = await paint(60, 60).png().toBuffer()
  assert.equal((await upload(app, 'author', { bytes })).status, 201)
  await rename(media, `${media}-moved`)
  const other = await paint(61, 61).png().toBuffer()
  const refused = await upload(app, 'author', { bytes: other })
  assert.deepEqual([refused.status, refused.body.code], [503, MISSING.code])
  const url = `${app.origin}/kalends/v1/health`
  assert.equal((await app.call('anonymous', 'GET', url)).body.code, MISSING.code)
  assert.ok(!existsSync(media))
  await rename(`${media}-moved`, media)
  assert.equal((await upload(app, 'author', { bytes: other })).status, 201)
  assert.equal((await app.call('anonymous', 'GET', url)).status, 200)
})
