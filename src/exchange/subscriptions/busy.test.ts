import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { openRemoteSite } from '../../../test/support/images.ts'
import { partsOf } from '../../../test/support/subscription-deps.ts'
import { findById } from './store.ts'
import { syncSubscription } from './sync.ts'

const answer = { status: 503, headers: {} as Readonly<Record<string, string>> }
const CALENDAR = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Museum//EN\r\nEND:VCALENDAR\r\n'
const site = await openRemoteSite(
  { after },
  { '/diary.ics': (response) => void response.writeHead(answer.status, answer.headers).end(CALENDAR) },
)

test('a server that is busy is left alone as long as it asks, in seconds or until a date', async (t) => {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const json = { url: `${site.origin}/diary.ics` }
  const { body: subscription } = await app.call('administrator', 'POST', `${app.origin}/kalends/v1/subscriptions`, {
    json,
  })
  const at = (time: string): string => `Fri, 20 Nov 2026 ${time} GMT`
  for (const [headers, next] of [
    [{ 'retry-after': '1800' }, '18:30:00'],
    [{ 'retry-after': at('18:45:00'), date: at('18:00:00') }, '18:45:00'],
    // Pauses grow beside it, so that a server which always says the same is asked less and less.
    [{ 'retry-after': at('18:01:00'), date: at('18:00:00') }, '18:20:00'],
  ] as const) {
    answer.headers = headers
    assert.equal((await syncSubscription(partsOf(app), subscription.id, {})).next_visit.slice(11), next)
  }
})

test('since when a subscription fails is known until it succeeds, or is woken after a pause', async (t) => {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const json = { url: `${site.origin}/diary.ics` }
  const path = `${app.origin}/kalends/v1/subscriptions`
  const { body } = await app.call('administrator', 'POST', path, { json })
  const synced = async (status: number): Promise<unknown> => {
    Object.assign(answer, { status, headers: {} })
    app.clock.now += 3_600_000
    await syncSubscription(partsOf(app), body.id, {})
    return (await findById(app.app.storage, body.id))?.failing_since
  }
  assert.deepEqual([await synced(500), await synced(503)], ['2026-11-20 19:00:00', '2026-11-20 19:00:00'])
  assert.deepEqual([await synced(200), await synced(500)], [null, '2026-11-20 22:00:00'])
  for (const paused of [true, false])
    await app.call('administrator', 'POST', `${path}/${body.id}`, { json: { paused } })
  assert.equal((await findById(app.app.storage, body.id))?.failing_since, null)
})
