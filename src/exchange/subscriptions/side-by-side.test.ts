import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { openRemoteSite } from '../../../test/support/images.ts'
import { partsOf } from '../../../test/support/subscription-deps.ts'
import { openSubscriptions } from './index.ts'

/*
 * Syncs of subscriptions, and what happens beside them.
 */

function calendarOf(...titles: readonly string[]): string {
  const events = titles.flatMap((title) => [
    ...['BEGIN:VEVENT', `UID:${title}`, 'DTSTART:20270105T100000Z', `SUMMARY:${title}`, 'END:VEVENT'],
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n')
}

test('of a subscription that is removed while it is visited nothing more comes', async (t) => {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  let meanwhile = async (): Promise<unknown> => undefined
  let titles = ['Talk']
  const site = await openRemoteSite(t, {
    '/diary.ics': (response) => void meanwhile().then(() => response.end(calendarOf(...titles))),
  })
  const subscriptions = `${app.origin}/kalends/v1/subscriptions`
  const json = { url: `${site.origin}/diary.ics` }
  const { body: subscription } = await app.call('administrator', 'POST', subscriptions, { json })
  const address = `${subscriptions}/${subscription.id}`
  assert.equal((await app.call('administrator', 'POST', `${address}/sync`)).body.events, 1)
  titles = ['Walk']
  meanwhile = () => app.call('administrator', 'DELETE', address)
  assert.equal((await app.call('administrator', 'POST', `${address}/sync`)).status, 404)
  // What it imported stays, also what its file has no longer.
  const { body } = await app.call('administrator', 'GET', '/events', { query: { start_date: '2027-01-01' } })
  assert.deepEqual(
    body.events.map(({ title }: { title: string }) => title),
    ['Talk'],
  )
})

test('a slow server does not keep the others from being visited', async (t) => {
  const app = await openTestApp(t)
  const held = Promise.withResolvers<void>()
  const asked = { slow: Promise.withResolvers<void>(), quick: Promise.withResolvers<void>() }
  const slow = await openRemoteSite(t, {
    '/a.ics': (response) => {
      asked.slow.resolve()
      void held.promise.then(() => response.end(calendarOf('Talk')))
    },
  })
  const quick = await openRemoteSite(t, {
    '/b.ics': (response) => {
      asked.quick.resolve()
      response.end(calendarOf('Walk'))
    },
  })
  // By the clock of the server, which syncs subscriptions itself, none of them is due.
  const ahead = { ...partsOf(app), now: () => app.clock.now + 3_600_000 }
  const subscriptions = openSubscriptions({ ...ahead, report: (error) => assert.fail(String(error)) })
  await subscriptions.add({ url: `${slow.origin}/a.ics` })
  subscriptions.work.begin()
  await asked.slow.promise
  await subscriptions.add({ url: `${quick.origin}/b.ics` })
  subscriptions.work.wake()
  await asked.quick.promise
  held.resolve()
  await subscriptions.work.stop()
})
