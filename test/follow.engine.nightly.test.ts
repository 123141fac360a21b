import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSnapshot } from '../src/storage/snapshot.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { openMadeSite } from './support/made-site.ts'
import { databaseOf, kalends, openDataFolder, startServer } from './support/server.ts'
import { EDITOR, eventsOf, madeEvent } from './support/site-import.ts'
import { rowsOf } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

/*
 * `kalends import ADDRESS --follow`: a copy of another Kalends that stays current. Waiting here has deadlines, no timing.
 */

const PROGRAM = join(import.meta.dirname, '../bin/kalends.js')
const DEADLINE = 240_000

/** A site that is followed. */
interface Followed {
  readonly origin: string
  readonly user: string
  readonly password: string
}

function asAdministrator(source: TestApp): Followed {
  const header = source.authorization('administrator').replace('Basic ', '')
  const [user = '', password = ''] = Buffer.from(header, 'base64').toString().split(':')
  return { origin: source.origin, user, password }
}

/** An empty calendar that follows a site in processes of its own. */
async function openFollower(t: TestContext, { origin, user, password }: Followed) {
  const data = await openDataFolder(t)
  const database = await databaseOf(data)
  await kalends('user', 'add', 'owner', '--role', 'administrator', '--email', 'owner@example.org', '--data', data)
  const children: ChildProcess[] = []
  t.after(() => {
    for (const child of children) child.kill('SIGKILL')
  })
  const start = (): { readonly child: ChildProcess; problems(): string } => {
    const argv = ['import', origin, '--follow', '--every', '1s', '--user', user, '--rate', '0']
    const child = spawn(process.execPath, [PROGRAM, ...argv, '--fetch-allow', '127.0.0.1', '--data', data], {
      env: { ...process.env, DATABASE_URL: database, KALENDS_IMPORT_PASSWORD: password },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    let told = ''
    child.stderr?.on('data', (chunk) => {
      told += String(chunk)
    })
    return { child, problems: () => told }
  }
  /** Waits until the copy has an event with a title, in a state; it may be opened or closed while it is looked at. */
  const seen = async (title: string, status = 'publish'): Promise<void> => {
    for (const deadline = Date.now() + DEADLINE; ; await sleep(200)) {
      const rows = await statusesOf(database, title).catch((error: unknown) => [String(error)])
      if (rows.includes(status)) return
      assert.ok(Date.now() < deadline, `the copy has no ${title}, but ${rows.join()}`)
    }
  }
  return { data, database, start, seen }
}

async function statusesOf(database: string, title: string): Promise<string[]> {
  const snapshot = await openSnapshot(database)
  try {
    return (await rowsOf(snapshot, 'select status from event where title = ?', title)).map((row) =>
      String(row['status']),
    )
  } finally {
    await snapshot.close()
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = (await exit) as [number | null]
  return code
}

/** What differs between a site and its copy: members that name the site or its users, and the page of the event. */
const OF_THE_SITE = /^(?:author|url|rest_url|website|global_id|global_id_lineage|urls|json_ld|count)$/

async function contentOf(app: TestApp): Promise<unknown> {
  const events = JSON.stringify(await eventsOf(app), (name, one: unknown) => (OF_THE_SITE.test(name) ? undefined : one))
  return JSON.parse(events)
}

test('a copy follows another Kalends through writes, a kill and the end of its process, and is equal to it', {
  timeout: 2 * DEADLINE,
}, async (t) => {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  const send = async (method: string, path: string, json: object = {}) => {
    const { status, body } = await source.call('administrator', method, path, { json })
    assert.ok(status < 300, JSON.stringify(body))
    return body
  }
  const times = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00', status: 'publish' }
  const moved = { start_date: '2026-12-02 18:00:00', end_date: '2026-12-02 19:00:00' }
  const first = await send('POST', '/events', { ...times, title: 'First', venue: { venue: 'Hall' }, tags: ['water'] })
  await send('POST', '/events', { ...times, title: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] })
  const follower = await openFollower(t, asAdministrator(source))
  const killed = follower.start()
  await follower.seen('First')
  // Killed wherever it is, while the site goes on.
  for (let number = 0; number < 10; number += 1)
    await send('POST', '/events', { ...times, title: `Beside ${number}`, tags: [`tag ${number % 3}`] })
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')
  await send('POST', `/events/${first.id}`, { title: 'First, moved', ...moved, tags: [] })
  await send('POST', `/venues/${first.venue.id}`, { venue: 'Great hall' })
  const second = follower.start()
  await follower.seen('First, moved')
  const gone = await send('POST', '/events', { ...times, title: 'Gone soon' })
  await follower.seen('Gone soon')
  await send('DELETE', `/events/${gone.id}`)
  await follower.seen('Gone soon', 'trash')
  await send('POST', '/events', { ...times, title: 'Last', categories: ['Music'], cost: '€5' })
  await follower.seen('Last')
  assert.equal(await ended(second.child, 'SIGTERM'), 0, second.problems())
  const copy = await openTestApp(t, { data: follower.data, database: follower.database, siteHost: '' })
  assert.deepEqual(await contentOf(copy), await contentOf(source))
})

test('nothing is read from a Kalends that has not changed, and everything again once it has', async (t) => {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  const create = async (title: string): Promise<void> => {
    const json = { title, start_date: '2026-12-01', end_date: '2026-12-02', status: 'publish' }
    const { status } = await source.call('administrator', 'POST', '/events', { json })
    assert.equal(status, 201)
  }
  await create('One')
  const app = await openTestApp(t, { siteHost: 'second.example' })
  const asked = { rate: 0, concurrency: 2, vanished: 'keep', byId: false, dryRun: false, allow: ['127.0.0.1'] } as const
  const round = async () => {
    const report = await app.app.importSite?.({ address: source.origin, ...asked }, () => undefined)
    assert.ok(report)
    const { changed, told, complete, counts } = report
    return { changed, told, complete, created: counts.event.created }
  }
  const whole = { told: true, complete: true }
  assert.deepEqual(await round(), { ...whole, changed: true, created: 1 })
  assert.deepEqual(await round(), { ...whole, changed: false, created: 0 })
  await create('Two')
  assert.deepEqual(await round(), { ...whole, changed: true, created: 1 })
  assert.deepEqual(await round(), { ...whole, changed: false, created: 0 })
})

test('while a site is read that is followed without a server, others write, and a server that starts goes on with it', {
  timeout: 2 * DEADLINE,
  skip: TEST_ENGINE === 'sqlite' ? false : 'PostgreSQL has no lock of the data folder',
}, async (t) => {
  const site = await openMadeSite(t)
  site.content.events = [madeEvent(1)]
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  site.trouble = (path, tries) => {
    if (!path.includes('/events?') || tries > 1) return undefined
    asked.resolve()
    return { kind: 'hold', until: held.promise }
  }
  const follower = await openFollower(t, { origin: site.origin, ...EDITOR })
  const following = follower.start()
  await asked.promise
  await kalends('redirect', 'add', '/old', '/events/', '--data', follower.data)
  const server = await startServer(follower.data)
  held.resolve()
  await follower.seen('Event 1')
  assert.equal(await ended(following.child, 'SIGTERM'), 0, following.problems())
  assert.equal((await fetch(`${server.origin}/event/e-1/`)).status, 200)
})

test('only sites are followed, and not on trial', async () => {
  await assert.rejects(kalends('import', 'diary.ics', '--follow'), /--follow is for sites/)
  await assert.rejects(kalends('import', 'https://a.example', '--follow', '--dry-run'), /exclude each other/)
  await assert.rejects(kalends('import', 'https://a.example', '--follow', '--every', 'often'), /no time such as/)
})
