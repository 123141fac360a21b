import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { addPassword, addUser } from '../src/accounts/users/index.ts'
import { openApp } from '../src/app/app.ts'
import { type Flags, readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import type { App } from '../src/cli/types.ts'
import { openTestApp } from './support/app.ts'
import { fetchChecked } from './support/checked.ts'
import { askRaw } from './support/raw.ts'
import { databaseOf } from './support/server.ts'

interface Venue {
  readonly global_id: string
  readonly global_id_lineage: readonly string[]
  readonly rest_url?: string
  readonly url: string
}

const FORWARDED = {
  host: 'inner.example:8080',
  'x-forwarded-host': 'outer.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '443',
  'x-forwarded-for': '203.0.113.9',
}

/** A calendar with one venue; how it presents the venue to requests with certain headers. */
async function openWithVenue(
  t: TestContext,
  flags: Flags,
): Promise<(headers: Record<string, string>) => Promise<Venue>> {
  const app = await openTestApp(t, flags)
  const { body } = await app.call('administrator', 'POST', '/venues', { json: { venue: 'Hall' } })
  return (headers) => askRaw(`${app.origin}/cal/events/v1/venues/${body.id}`, headers) as Promise<Venue>
}

test('the host of a request chooses links and nothing else; X-Forwarded-* of strangers is not believed', async (t) => {
  const ask = await openWithVenue(t, {})
  const plain = await ask(FORWARDED)
  assert.equal(plain.url, 'http://inner.example:8080/venue/hall/')
  assert.equal(plain.global_id, 'calendar.example?id=1')
  const other = await ask({ host: 'evil.example' })
  assert.equal(other.url, 'http://evil.example/venue/hall/')
  const withoutHost = (text: unknown): string => JSON.stringify(text).replaceAll(/http:\/\/[\w.:]+\//g, '')
  assert.equal(withoutHost(other), withoutHost(plain))
})

test('X-Forwarded-* of a trusted proxy chooses links, and nothing else either', async (t) => {
  const ask = await openWithVenue(t, { trustedProxies: '127.0.0.1' })
  const { url, global_id, global_id_lineage } = await ask(FORWARDED)
  assert.equal(url, 'https://outer.example/venue/hall/')
  assert.equal(global_id, 'calendar.example?id=1')
  assert.deepEqual(global_id_lineage, ['calendar.example?id=1'])
})

test('where another proxy is trusted, this one is a stranger', async (t) => {
  const ask = await openWithVenue(t, { trustedProxies: '192.0.2.7' })
  assert.equal((await ask(FORWARDED)).url, 'http://inner.example:8080/venue/hall/')
})

test('with a public address configured every link has it, whatever the request says', async (t) => {
  const ask = await openWithVenue(t, { baseUrl: 'https://public.example', trustedProxies: '127.0.0.1' })
  const { url, global_id } = await ask(FORWARDED)
  assert.equal(url, 'https://public.example/venue/hall/')
  assert.equal(global_id, 'calendar.example?id=1')
})

/** Opens the same calendar again and again, as restarts do. */
function restarts(t: TestContext): (flags: Flags) => Promise<{ app: App; origin: string }> {
  const data = mkdtempSync(join(tmpdir(), 'kalends-'))
  let running: App | undefined
  t.after(async () => {
    await running?.close()
    rmSync(data, { recursive: true, force: true })
  })
  return async (flags) => {
    await running?.close()
    const now = (): number => Date.UTC(2026, 10, 20, 18)
    const log = createLog({ level: 'silent', now })
    const place = { port: '0', data, database: await databaseOf(data) }
    const config = readConfig({ ...place, synchronous: 'NORMAL', ...flags }, {})
    running = await openApp(config, { now, log, role: 'serve' })
    return { app: running, origin: (await running.listen()).addresses[0] ?? '' }
  }
}

async function venueOf(origin: string): Promise<Venue> {
  const { venues } = (await (await fetchChecked(`${origin}/cal/events/v1/venues`)).json()) as { venues: Venue[] }
  return venues[0] as Venue
}

async function addVenue({ app, origin }: { app: App; origin: string }): Promise<void> {
  await addUser(app, { name: 'ann', email: 'ann@example.org', role: 'administrator' })
  const { password } = await addPassword(app, { name: 'ann' })
  const headers = {
    authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ venue: 'Hall' })
  const answer = await fetchChecked(`${origin}/cal/events/v1/venues`, { method: 'POST', headers, body })
  assert.equal(answer.status, 201)
}

test('without a configured host the one of the first public address stays, also under another address', async (t) => {
  const start = restarts(t)
  const first = await start({ baseUrl: 'https://first.example' })
  await addVenue(first)
  assert.equal((await venueOf(first.origin)).global_id, 'first.example?id=1')
  const second = await venueOf((await start({ baseUrl: 'https://second.example' })).origin)
  assert.equal(second.global_id, 'first.example?id=1')
  assert.equal(second.url, 'https://second.example/venue/hall/')
  assert.equal((await venueOf((await start({})).origin)).global_id, 'first.example?id=1')
  const configured = await venueOf((await start({ siteHost: 'configured.example' })).origin)
  assert.deepEqual(configured.global_id_lineage, ['configured.example?id=1'])
  assert.equal((await venueOf((await start({})).origin)).global_id, 'first.example?id=1')
})

test('without any address the host is a name of its own that no request decides and no restart changes', async (t) => {
  const start = restarts(t)
  const first = await start({})
  await addVenue(first)
  const { global_id } = await venueOf(first.origin)
  assert.match(global_id, /^kalends-[0-9a-f]{8}\.invalid\?id=1$/)
  assert.equal((await venueOf((await start({ baseUrl: 'https://later.example' })).origin)).global_id, global_id)
})
