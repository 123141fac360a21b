import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addToken, revokeToken } from '../src/accounts/tokens/index.ts'
import { addUser, disableUser, setRole } from '../src/accounts/users/index.ts'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { openTestApp } from './support/app.ts'
import { openStream } from './support/event-stream.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testDatabase, testFolder } from './support/test-storage.ts'
import { callWith, tokenOf } from './support/tokens.ts'

const database = await testDatabase(TEST_ENGINE, { after })
const secret = 'x'.repeat(32)
const site = await openTestApp({ after }, { data: testFolder({ after }), database, secret })
const { app, clock, origin } = site

/** A second process on the same calendar; a file has one server. */
async function openNeighbour(): Promise<string> {
  const now = (): number => clock.now
  const config = readConfig({ port: '0', data: testFolder({ after }), database, secret }, {})
  const neighbour = await openApp(config, { now, log: createLog({ level: 'silent', now }), role: 'serve' })
  after(() => neighbour.close())
  return (await neighbour.listen()).addresses[0] ?? ''
}

const origins = TEST_ENGINE === 'postgres' ? [origin, await openNeighbour()] : [origin]

/** A machine that is busy with other things may take longer once. */
const TRIES = 3

/** Shortest time, in milliseconds, in which the streams of a new token in all processes have ended after something was done to it. */
async function shortest(
  t: Parameters<typeof openStream>[0],
  end: (token: { readonly id: string; readonly user: string }) => Promise<unknown>,
): Promise<number> {
  const times: number[] = []
  for (let count = 1; count <= TRIES; count += 1) {
    const user = `reader${Math.random().toString(36).slice(2)}`
    await addUser(app, { name: user, email: `${user}@example.org`, role: 'editor' })
    const made = await addToken(app, { user, name: 'stream' })
    const headers = { authorization: `Bearer ${made.token}` }
    const streams = await Promise.all(
      origins.flatMap((one) => [1, 2].map(() => openStream(t, `${one}/kalends/v1/changes/stream`, headers))),
    )
    const started = performance.now()
    await end(made)
    await Promise.all(streams.map((stream) => stream.ended()))
    times.push(performance.now() - started)
    if (performance.now() - started < 1000) break
  }
  return Math.min(...times)
}

test('a revoked token’s stream ends within a second in every process, though nothing else happens', async (t) => {
  assert.ok((await shortest(t, ({ id }) => revokeToken(app, { id }))) < 1000)
})

test('a token that is revoked with another one ends its streams', async (t) => {
  const { token } = await tokenOf(site, 'administrator', 'admin')
  const revoke = async ({ id }: { readonly id: string }): Promise<void> => {
    const { status } = await callWith(site, token, { method: 'DELETE', path: `/kalends/v1/tokens/${id}` })
    assert.equal(status, 200)
  }
  assert.ok((await shortest(t, revoke)) < 1000)
})

test('disabling the owner or lowering the role ends the streams of a token within a second', async (t) => {
  assert.ok((await shortest(t, ({ user }) => disableUser(app, { name: user }))) < 1000)
  assert.ok((await shortest(t, ({ user }) => setRole(app, { name: user, role: 'author' }))) < 1000)
})

test('a token that expires ends its streams in every process, though nothing else happens', async (t) => {
  const { token } = await addToken(app, { user: 'editor', name: 'short', expiresAt: '2026-11-20 19:00:00' })
  const headers = { authorization: `Bearer ${token}` }
  const open = (one: string) => openStream(t, `${one}/kalends/v1/changes/stream`, headers)
  const streams = await Promise.all(origins.map(open))
  // The first looks for commits are over.
  await sleep(1500)
  clock.now += 3_600_000
  const expired = performance.now()
  for (const stream of streams) await stream.ended()
  // Within ten seconds, and as much again for a busy machine.
  assert.ok(performance.now() - expired < 20_000)
})

test('streams of other tokens go on', async (t) => {
  const [first, second] = [await tokenOf(site, 'editor', 'read'), await tokenOf(site, 'editor', 'read')]
  const headers = { authorization: `Bearer ${second.token}` }
  const stream = await openStream(t, `${origins.at(-1)}/kalends/v1/changes/stream`, headers)
  await revokeToken(app, { id: first.id })
  const { body } = await site.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })
  assert.equal((await stream.next()).data.id, body.id)
})
