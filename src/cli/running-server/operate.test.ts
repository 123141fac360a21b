import assert from 'node:assert/strict'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { access, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { NOW, openBareApp } from '../../../test/support/cli.ts'
import { testFolder } from '../../../test/support/test-storage.ts'
import { readConfig } from '../../base/config.ts'
import { type ErrorCode, Failure } from '../../base/errors.ts'
import { createLog } from '../../base/log.ts'
import { lockDataFolder } from '../data-folder.ts'
import type { App, Progress, World } from '../types.ts'
import { CommandSocket } from './command-socket.ts'
import { operate } from './operate.ts'
import { handOver, isServing } from './operation-client.ts'

const log = createLog({ level: 'silent', now: () => NOW })

const world: World = {
  env: {},
  now: () => NOW,
  openApp: openBareApp,
  stdout: { write: () => true },
  stderr: { write: () => true },
}

function operatingOn(data: string, onProgress: (progress: Progress) => void = () => undefined) {
  return { world, config: readConfig({ data }, {}), onProgress }
}

/** A running server as far as commands see it: it holds the lock and listens on the socket. */
async function startServer(t: TestContext, data: string): Promise<App> {
  const lock = lockDataFolder(readConfig({ data }, {}))
  assert.ok(lock)
  const app = await openBareApp(readConfig({ data }, {}), { now: () => NOW, log, role: 'serve' })
  const operations = new CommandSocket({ app, dataFolder: data, log })
  await operations.open()
  t.after(async () => {
    await operations.close()
    await app.close()
    lock.release()
  })
  return app
}

function failsWith(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof Failure && error.code === code
}

const ANN = { name: 'ann', email: 'ann@example.org', role: 'editor' }

test('without a server the command does the work and leaves the folder free', async (t) => {
  const data = testFolder(t)
  assert.equal((await operate(operatingOn(data), 'addUser', ANN)).id, 1)
  const lock = lockDataFolder(readConfig({ data }, {}))
  assert.ok(lock)
  lock.release()
})

test('while a server runs it does the work for the command', async (t) => {
  const data = testFolder(t)
  const app = await startServer(t, data)
  await operate(operatingOn(data), 'addUser', ANN)
  assert.equal(app.storage.stats().jobs > 0, true)
  const added = await operate(operatingOn(data), 'addPassword', { name: 'ann' })
  assert.match(added.password, /^[A-Za-z0-9]{24}$/)
  assert.equal((await operate(operatingOn(data), 'listUsers', {}))[0]?.name, 'ann')
  assert.ok(await isServing(data))
})

test('an error of the server arrives with its code and text', async (t) => {
  const data = testFolder(t)
  await startServer(t, data)
  await assert.rejects(operate(operatingOn(data), 'disableUser', { name: 'bob' }), (error) => {
    assert.ok(failsWith('no_such_user')(error))
    assert.equal((error as Error).message, 'There is no user named "bob".')
    return true
  })
})

test('an operation of another version is refused, and so is the name of a property of every object', async (t) => {
  const data = testFolder(t)
  await startServer(t, data)
  for (const name of ['dance', 'toString', '__proto__']) {
    const answer = handOver(data, { name, input: {} }, () => undefined)
    await assert.rejects(answer, failsWith('unknown_operation'))
  }
})

test('progress reaches the command the same way with and without a server', async (t) => {
  const data = testFolder(t)
  const files = ['a', 'b', 'c'].map((name) => ({ name, bytes: Buffer.from('{}') }))
  const expected = files.map((_, index) => ({ done: index + 1, total: 3 }))
  const direct: Progress[] = []
  await operate(operatingOn(data), 'addUser', ANN)
  await operate(
    operatingOn(data, (progress) => direct.push(progress)),
    'import',
    { files },
  )
  await startServer(t, data)
  const remote: Progress[] = []
  const report = await operate(
    operatingOn(data, (progress) => remote.push(progress)),
    'import',
    { files },
  )
  assert.deepEqual(direct, expected)
  assert.deepEqual(remote, expected)
  assert.equal(report.created, 3)
})

test('large input and many commands at once go through the socket', async (t) => {
  const data = testFolder(t)
  await startServer(t, data)
  const files = [{ name: 'large', bytes: Buffer.alloc(8_000_000, 'ä\n') }]
  const imports = Array.from({ length: 4 }, () => operate(operatingOn(data), 'import', { files }))
  const users = Array.from({ length: 20 }, (_, index) =>
    operate(operatingOn(data), 'addUser', { ...ANN, name: `u${index}`, email: `u${index}@example.org` }),
  )
  await Promise.all(imports)
  const ids = (await Promise.all(users)).map((user) => user.id)
  assert.equal(new Set(ids).size, 20)
})

test('only the owner can open the socket, and nothing of it is left when the server has stopped', async (t) => {
  const data = testFolder(t)
  const app = await openBareApp(readConfig({ data }, {}), { now: () => NOW, log, role: 'serve' })
  const operations = new CommandSocket({ app, dataFolder: data, log })
  await operations.open()
  assert.equal(statSync(join(data, 'kalends.sock')).mode & 0o777, 0o600)
  await operations.close()
  await app.close()
  assert.deepEqual(
    (await readdir(data)).filter((name) => name.includes('sock')),
    [],
  )
  assert.equal(await isServing(data), false)
})

test('a data folder with a long path gets a socket elsewhere, for its owner only', async (t) => {
  const data = join(testFolder(t), 'long'.repeat(30))
  mkdirSync(data)
  const app = await openBareApp(readConfig({ data }, {}), { now: () => NOW, log, role: 'serve' })
  const operations = new CommandSocket({ app, dataFolder: data, log })
  await operations.open()
  const path = await readFile(join(data, 'kalends.sock.path'), 'utf8')
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  const answer = await handOver(data, { name: 'listUsers', input: {} }, () => undefined)
  assert.deepEqual(answer, { kind: 'done', result: [] })
  await operations.close()
  await app.close()
  await assert.rejects(access(dirname(path)))
  await assert.rejects(access(join(data, 'kalends.sock.path')))
})

test('what a server that was killed left behind does not disturb the next one', async (t) => {
  const data = testFolder(t)
  writeFileSync(join(data, 'kalends.sock'), '')
  assert.equal(await isServing(data), false)
  await startServer(t, data)
  assert.ok(await isServing(data))
})

test('a command waits for a holder of the lock that has no socket, and then does the work itself', async (t) => {
  const data = testFolder(t)
  const lock = lockDataFolder(readConfig({ data }, {}))
  assert.ok(lock)
  const running = operate(operatingOn(data), 'addUser', ANN)
  setImmediate(() => lock.release())
  assert.equal((await running).id, 1)
})

test('a connection that breaks before the answer is an error, not a silent success', async (t) => {
  const data = testFolder(t)
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"pro')
      setImmediate(() => socket.destroy())
    })
  })
  server.listen(join(data, 'kalends.sock'))
  t.after(() => server.close())
  await assert.rejects(
    handOver(data, { name: 'listUsers', input: {} }, () => undefined),
    failsWith('unexpected'),
  )
})
