import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kalends, openDataFolder, startServer } from './support/server.ts'
import { eventually } from './support/webhook-receiver.ts'

const WORKERS = 3

/** Each is used once, on a connection of its own: one worker alone hardly ever responds to all. */
const PASSWORDS = 10

test('whichever process a password is used in, its last use is noted', { timeout: 300_000 }, async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'ada', '--role', 'editor', '--email', 'ada@example.org', '--data', data)
  await kalends('password', 'add', 'ada', '--data', data)
  const server = await startServer(data, ['--workers', String(WORKERS), '--log-level', 'info'])
  await eventually('all workers', () => server.problems().split('a worker answers').length > WORKERS)
  const made: string[] = []
  for (let number = 0; number < PASSWORDS; number += 1) {
    const { password } = JSON.parse(await kalends('password', 'add', 'ada', '--json', '--data', data))
    made.push(password)
  }
  for (const password of made) {
    const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
    const headers = { connection: 'close', authorization }
    assert.equal((await fetch(`${server.origin}/cal/events/v1/tags`, { headers })).status, 200)
  }
  await eventually('a last use of each', async () => {
    const { passwords } = JSON.parse(await kalends('password', 'list', 'ada', '--json', '--data', data))
    const used = passwords.filter(({ usedAt }: { usedAt: string | null }) => usedAt !== null)
    assert.equal(passwords.length, PASSWORDS + 1)
    return used.length === PASSWORDS
  })
  assert.equal(await server.stop('SIGTERM'), 0)
  assert.doesNotMatch(server.problems(), /noteUse|"level":50/)
})
