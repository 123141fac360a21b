import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { openRemoteSite } from '../../../test/support/images.ts'
import { partsOf } from '../../../test/support/subscription-deps.ts'
import { syncSubscription } from './sync.ts'

const answer = { headers: {} as Readonly<Record<string, string>> }
const site = await openRemoteSite(
  { after },
  { '/diary.ics': (response) => void response.writeHead(503, answer.headers).end() },
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
