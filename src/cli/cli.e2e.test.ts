import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text as textOf } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testFolder } from '../../test/support/test-storage.ts'

/*
 * The program as people run it: a process of its own with a real data folder, port and signals.
 */

const PROGRAM = fileURLToPath(new URL('../../bin/kalends.js', import.meta.url))
const { npm_lifecycle_event: _event, ...ENV } = process.env

interface Exit {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Process {
  readonly child: ChildProcess
  readonly exit: Promise<Exit>
  /** Resolves with the first line of standard output. */
  readonly firstLine: Promise<string>
}

function start(t: TestContext, command: readonly string[], env: NodeJS.ProcessEnv = {}): Process {
  const child = spawn(process.execPath, [PROGRAM, ...command], { env: { ...ENV, ...env } })
  const written = { stdout: '', stderr: '' }
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text
    if (written.stdout.includes('\n')) resolve(written.stdout.split('\n', 1)[0] ?? '')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text
  })
  const exit = once(child, 'close').then(([code]): Exit => ({ code: code as number | null, ...written }))
  void exit.then(() => reject(new Error(`ended without a line: ${written.stderr}`)))
  firstLine.catch(() => undefined)
  t.after(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return { child, exit, firstLine }
}

async function run(t: TestContext, ...command: string[]): Promise<Exit> {
  return start(t, command).exit
}

interface Started {
  readonly addresses: readonly string[]
  readonly api: string
  readonly document: string
  readonly administrator: { readonly name: string; readonly password: string } | null
}

async function serve(t: TestContext, data: string): Promise<Process & { started: Started }> {
  const server = start(t, ['serve', '--data', data, '--port', '0', '--json'])
  return { ...server, started: JSON.parse(await server.firstLine) as Started }
}

async function statusOf(url: string, credentials?: string): Promise<number> {
  const headers = new Headers()
  if (credentials) headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  const response = await fetch(url, { headers })
  await response.arrayBuffer()
  return response.status
}

function assertOneLine(exit: Exit, line: RegExp): void {
  assert.equal(exit.code, 1, exit.stderr)
  assert.equal(exit.stdout, '')
  assert.match(exit.stderr, line)
  assert.equal(exit.stderr.split('\n').length, 2, exit.stderr)
}

test('serve tells where it listens, and shows the administrator of the first start once', async (t) => {
  const data = join(testFolder(t), 'data')
  const first = start(t, ['serve', '--data', data, '--port', '0'])
  const line = /^Kalends is listening on (http:\/\/127\.0\.0\.1:\d+)\/$/
  const [, origin = ''] = line.exec(await first.firstLine) ?? []
  first.child.kill('SIGTERM')
  const { code, stdout } = await first.exit
  assert.equal(code, 0)
  assert.ok(stdout.includes(` ${origin}/cal/events/v1\n`))
  assert.ok(stdout.includes(` ${origin}/cal/events/v1/doc\n`))
  assert.match(stdout, /User {6}admin\n {2}Password {2}([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}\n/)
  const second = await serve(t, data)
  assert.equal(second.started.administrator, null)
})

test('the password of the first start and one added while the server runs are accepted until revoked', async (t) => {
  const data = testFolder(t)
  const { started } = await serve(t, data)
  const events = `${started.api}/events`
  assert.equal(await statusOf(events), 200)
  assert.equal(await statusOf(started.document), 200)
  assert.equal(await statusOf(events, `admin:${started.administrator?.password}`), 200)
  assert.equal(await statusOf(events, 'admin:wrong'), 401)
  await run(t, 'user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org', '--data', data)
  const added = await run(t, 'password', 'add', 'ann', '--json', '--data', data)
  const { id, password } = JSON.parse(added.stdout)
  assert.equal(await statusOf(events, `ann@example.org:${password}`), 200)
  assert.equal((await run(t, 'password', 'revoke', 'ann', String(id), '--data', data)).code, 0)
  assert.equal(await statusOf(events, `ann:${password}`), 401)
})

test('a second server on the same data is refused, and the first goes on', async (t) => {
  const data = testFolder(t)
  const { started } = await serve(t, data)
  const line = /^kalends: Another Kalends server is already using the data folder .*\n$/
  assertOneLine(await run(t, 'serve', '--data', data, '--port', '0'), line)
  assert.equal(await statusOf(started.document), 200)
})

test('a busy port is one clear line', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const exit = await run(t, 'serve', '--data', testFolder(t), '--port', String(port), '--log-level', 'error')
  assertOneLine(exit, new RegExp(`^kalends: Port ${port} of 127\\.0\\.0\\.1 is used by another program`))
})

test('a folder that cannot be written is one clear line', async (t) => {
  assertOneLine(await run(t, 'serve', '--data', '/dev/null/data'), /^kalends: The data folder .* cannot be written/)
})

test('a mistake in the configuration is one clear line', async (t) => {
  assertOneLine(await run(t, 'serve', '--port', 'x', '--site-zone', 'y'), /^kalends: .*--port must.*--site-zone must/)
})

test('the database of a newer version is one clear line, and is left alone', async (t) => {
  const data = testFolder(t)
  await run(t, 'user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org', '--data', data)
  const database = new DatabaseSync(join(data, 'kalends.db'))
  database.exec(`insert into migration (id, name, applied_at) values (9999, 'future', '2099-01-01 00:00:00')`)
  database.close()
  const exit = await run(t, 'serve', '--data', data, '--port', '0', '--log-level', 'error')
  assertOneLine(exit, /^kalends: The database was written by a newer version/)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} stops the server with code 0 and leaves the data folder free`, async (t) => {
    const data = testFolder(t)
    const { child, exit, started } = await serve(t, data)
    child.kill(signal)
    assert.equal((await exit).code, 0)
    await assert.rejects(statusOf(started.document))
    assert.ok(!existsSync(join(data, 'kalends.sock')))
    assert.equal((await run(t, 'user', 'list', '--data', data)).code, 0)
  })
}

test('a server that was killed does not keep the next one from starting', async (t) => {
  const data = testFolder(t)
  const { child, exit } = await serve(t, data)
  child.kill('SIGKILL')
  await exit
  const { started } = await serve(t, data)
  assert.equal(await statusOf(started.document), 200)
})

for (const [what, told] of [
  ['through npm, the server stops gracefully when npm is gone', "npm_lifecycle_event: 'start'"],
  ['by an older Node, the server stops gracefully when that is gone', 'KALENDS_HANDED_OVER: process.pid'],
] as const)
  test(`started ${what}`, async (t) => {
    const data = testFolder(t)
    const script = `
    const { spawn } = require('node:child_process')
    const [program, data] = process.argv.slice(1)
    const command = [program, 'serve', '--data', data, '--port', '0', '--json', '--log-level', 'error']
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'], detached: true, env: { ...process.env, ${told} } })
    child.stdout.once('data', () => console.log(child.pid))
    child.once('exit', (code) => process.exit(code))
  `
    const parent = spawn(process.execPath, ['-e', script, PROGRAM, data], {
      env: ENV,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let pid = 0
    for await (const line of parent.stdout) {
      pid = Number(String(line))
      break
    }
    assert.ok(pid > 0, 'the server started')
    parent.kill('SIGKILL')
    while (isAlive(pid)) await sleep(50)
    assert.ok(!existsSync(join(data, 'kalends.sock')))
  })

/** True while there is a process with this ID. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Writes the addresses of all modules that a process has loaded to standard error, when it ends. */
const TELLING_MODULES = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => console.error(loaded.join('\\n')))`

test('a command loads no other one, and no engine until it opens a database', async () => {
  const hook = `data:text/javascript,${encodeURIComponent(TELLING_MODULES)}`
  const child = spawn(process.execPath, ['--import', hook, PROGRAM, 'user', '--help'], { env: ENV })
  const [, stderr] = await Promise.all([once(child, 'exit'), textOf(child.stderr)])
  const loaded = stderr.trim().split('\n')
  const own = loaded.flatMap((url) => /\/src\/(.*)$/.exec(url)?.[1] ?? [])
  assert.ok(own.includes('cli/user.ts'))
  assert.deepEqual(
    own.filter((path) =>
      /^(cli\/(serve|import|export|doctor)|storage\/engines\/\w+\/open|calendar\/events|exchange|http(?!\/auth\/))\b/.test(
        path,
      ),
    ),
    [],
  )
  assert.ok(!loaded.some((url) => /node_modules\/(kysely|pg)\//.test(url)))
})
