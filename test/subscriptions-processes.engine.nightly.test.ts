import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRemoteSite } from './support/images.ts'
import { administratorOf } from './support/processes.ts'
import { kalends, openDataFolder, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

const DIARY = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:20370105T100000Z', 'SUMMARY:Regatta'],
  ...['END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')

/** What the other site answers with. */
const other = { status: 200 }
const site = await openRemoteSite(
  { after },
  { '/diary.ics': (response) => void response.writeHead(other.status).end(DIARY) },
)
const url = `${site.origin}/diary.ics`
const ALLOW = ['--fetch-allow', '127.0.0.1'] as const

test('a subscription that is due is visited once, however many processes serve the calendar', {
  timeout: 300_000,
}, async (t) => {
  const data = await openDataFolder(t)
  const first = await startServer(data, ALLOW)
  const headers = { authorization: administratorOf(first), 'content-type': 'application/json' }
  const made = await fetch(`${first.origin}/wp-json/kalends/v1/subscriptions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url }),
  })
  assert.equal(made.status, 201)
  await first.stop('SIGTERM')
  site.asked.length = 0
  const servers =
    TEST_ENGINE === 'postgres'
      ? await Promise.all([startServer(data, ALLOW), startServer(data, ALLOW)])
      : [await startServer(data, ALLOW)]
  const address = `${servers[0]?.origin}/wp-json/kalends/v1/subscriptions/1`
  for (const deadline = Date.now() + 200_000; ; await sleep(200)) {
    const { last_success: last, report } = (await (await fetch(address, { headers })).json()) as {
      last_success: string | null
      report: { created: number } | null
    }
    if (last !== null) {
      assert.equal(report?.created, 1)
      break
    }
    assert.ok(Date.now() < deadline, 'the subscription was never visited')
  }
  for (const server of servers) await server.stop('SIGTERM')
  assert.deepEqual(site.asked, ['/diary.ics'])
})

test('the commands follow a calendar, tell how it is, and import a file', { timeout: 300_000 }, async (t) => {
  const data = await openDataFolder(t)
  const at = ['--data', data] as const
  const run = (...argv: readonly string[]): Promise<string> => kalends(...argv, ...at)
  await run('user', 'add', 'owner', '--role', 'administrator', '--email', 'owner@example.org')
  other.status = 200
  const options = ['--every', '6h', '--category', 'Water, Sports', '--status', 'pending', '--name', 'Rowers']
  assert.match(await run('subscription', 'add', url, ...options, ...ALLOW), /^1 Rowers: 1 created, 0 updated/)
  assert.match(await run('subscription', 'list'), /1 +Rowers +http.*diary\.ics +21600 s +pending .* active/)
  await run('subscription', 'pause', '1')
  assert.match(await run('subscription', 'list'), /paused/)
  assert.equal(await run('subscription', 'sync'), '')
  assert.match(await run('subscription', 'resume', '1'), /^Rowers is active again/)
  other.status = 503
  const failed = await run('subscription', 'sync', '1', ...ALLOW).catch(
    (error: { code: number; stdout: string }) => error,
  )
  assert.ok(typeof failed === 'object')
  assert.deepEqual([failed.code, failed.stdout], [1, '1 Rowers could not be read: the server responded with 503\n'])
  assert.match(await run('subscription', 'list'), /failed 1 times: the server responded with 503/)
  assert.match(await run('subscription', 'remove', '1', '--events', 'trash'), /^Removed the subscription Rowers/)
  await assert.rejects(run('subscription', 'sync', '1'), /There is no calendar subscription with this ID/)
  const file = join(data, 'diary.ics')
  await writeFile(file, DIARY.replace('UID:1', 'UID:2').replace('Regatta', 'Picnic'))
  assert.match(await run('import', file, '--dry-run'), /1 created/)
  assert.match(await run('import', file), /^event: 1 created, 0 updated, 0 unchanged\n0 skipped\n$/)
  assert.match(await run('import', file), /0 created, 0 updated, 1 unchanged/)
  await writeFile(file, 'no calendar')
  await assert.rejects(run('import', file), /Nothing was imported: .*is not a calendar/)
})
