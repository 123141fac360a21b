import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStorage } from '../src/storage/open.ts'
import { atEnd } from './support/at-end.ts'
import { administratorOf, EVENT, sending } from './support/processes.ts'
import { kalends, openDataFolder, type ServerProcess, startServer } from './support/server.ts'

const BIN = fileURLToPath(new URL('../bin/kalends.js', import.meta.url))

async function create({ origin }: Pick<ServerProcess, 'origin'>, authorization: string): Promise<number> {
  return (await fetch(`${origin}/cal/events/v1/events`, sending(authorization, EVENT))).status
}

async function health({ origin }: Pick<ServerProcess, 'origin'>): Promise<number> {
  return (await fetch(`${origin}/kalends/v1/health`)).status
}

async function total({ origin }: Pick<ServerProcess, 'origin'>): Promise<number> {
  const list = await (await fetch(`${origin}/cal/events/v1/events?start_date=2000-01-01`)).json()
  return (list as { total: number }).total
}

/** A server with an event in its database and three more in the log alone. */
async function openWithLog(t: TestContext) {
  const data = await openDataFolder(t)
  const first = await startServer(data)
  const authorization = administratorOf(first)
  assert.equal(await create(first, authorization), 201)
  await first.stop('SIGTERM')
  const server = await startServer(data, ['--log-level', 'warn'])
  for (let made = 0; made < 3; made += 1) assert.equal(await create(server, authorization), 201)
  return { data, server, authorization, database: join(data, 'kalends.db') }
}

async function replaceByCopy(database: string): Promise<void> {
  await copyFile(database, `${database}.copy`)
  await rename(`${database}.copy`, database)
}

const REMOVALS: Readonly<Record<string, (database: string) => Promise<void>>> = {
  'was deleted': (database) => rm(database),
  'was deleted with its log': async (database) => {
    for (const end of ['', '-wal', '-shm']) await rm(database + end)
  },
  'was deleted with all that is beside it': async (database) => {
    const key = join(dirname(database), 'secret.key')
    const kept = await readFile(key)
    await rm(dirname(database), { recursive: true })
    await mkdir(dirname(database))
    await writeFile(key, kept)
  },
}

for (const [what, remove] of Object.entries(REMOVALS)) {
  test(`a server whose database ${what} refuses writes, stops, and does not start with a new one`, async (t) => {
    const { data, server, authorization, database } = await openWithLog(t)
    await remove(database)
    assert.equal(await create(server, authorization), 503)
    assert.equal(await health(server), 503)
    assert.equal(await server.stop('SIGTERM'), 0)
    await assert.rejects(
      kalends('serve', '--port', '0', '--data', data),
      /is missing, but the key of its calendar exists/,
    )
  })
}

test('a database that took the place of another one gets nothing of its log', async (t) => {
  const { data, server, authorization, database } = await openWithLog(t)
  await replaceByCopy(database)
  assert.equal(await create(server, authorization), 503)
  assert.equal(await server.stop('SIGTERM'), 0)
  const next = await startServer(data)
  assert.equal(await total(next), 1)
  await next.stop('SIGTERM')
  assert.match(await kalends('doctor', '--data', data), /No problems found\./)
})

test('a data folder that was moved away as a whole has everything when the server has stopped', async (t) => {
  const { data, server, authorization } = await openWithLog(t)
  await rename(data, `${data}-moved`)
  assert.equal(await create(server, authorization), 503)
  assert.equal(await server.stop('SIGTERM'), 0)
  await rename(`${data}-moved`, data)
  assert.equal(await total(await startServer(data)), 4)
})

test('a database that was moved within its folder has everything when the server has stopped', async (t) => {
  const { data, server, authorization, database } = await openWithLog(t)
  await rename(database, `${database}-moved`)
  assert.equal(await create(server, authorization), 503)
  assert.equal(await server.stop('SIGTERM'), 0)
  await rename(`${database}-moved`, database)
  assert.equal(await total(await startServer(data)), 4)
})

// With more in the log the system itself ends the process: pages that it has mapped into memory are gone.
test('a database that was cut to nothing when its log was empty is 503, reads of it as well, and ends no server', async (t) => {
  const data = await openDataFolder(t)
  const first = await startServer(data)
  const authorization = administratorOf(first)
  assert.equal(await create(first, authorization), 201)
  await first.stop('SIGTERM')
  const server = await startServer(data)
  assert.equal(await total(server), 1)
  await truncate(join(data, 'kalends.db'))
  assert.equal(await create(server, authorization), 503)
  assert.equal(await health(server), 503)
  assert.equal((await fetch(`${server.origin}/cal/events/v1/events?per_page=3`)).status, 503)
  assert.equal(await server.stop('SIGTERM'), 0)
})

const COMMANDS = [['serve', '--port', '0'], ['user', 'list'], ['doctor'], ['backup', 'backups'], ['migrate']] as const

test('a database without tables beside a key is no calendar for any command', async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'ann', '--role', 'author', '--email', 'ann@example.org', '--data', data)
  const path = join(data, 'kalends.db')
  await rm(path)
  const other = new DatabaseSync(path)
  other.exec('create table t (a); drop table t')
  other.close()
  for (const command of COMMANDS)
    await assert.rejects(kalends(...command, '--data', data), {
      code: 1,
      stderr: /^kalends: The database \S*kalends\.db is without a calendar, but the key .* [Rr]estore .*\n$/,
    })
  const untouched = await openStorage({ database: `sqlite:${path}` })
  const tables = await untouched.all({ sql: 'select name from sqlite_schema', parameters: [] } as never)
  await untouched.close()
  assert.deepEqual(tables, [])
})

/** A server whose standard error is a device that is always full. */
async function startOnFullLog(t: TestContext, data: string, flags: readonly string[]) {
  const full = await open('/dev/full', 'w')
  const argv = [BIN, 'serve', '--port', '0', '--data', data, ...flags]
  const child: ChildProcess = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', full.fd] })
  atEnd(t, async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    await full.close()
  })
  let output = ''
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (found !== undefined) resolve(found)
    })
  })
  return { child, origin }
}

for (const flags of [[], ['--log-format', 'text']])
  test(`a log that cannot be written ends no server: ${flags.join(' ') || 'as usual'}`, {
    skip: process.platform !== 'linux' && 'there is no /dev/full',
  }, async (t) => {
    const { child, origin } = await startOnFullLog(t, await openDataFolder(t), flags)
    const headers = { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` }
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await fetch(`${origin}/cal/events/v1/events`, { headers })).status, 401)
      assert.equal(await health({ origin }), 200)
    }
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })
