import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { eventually, openReceiver } from './support/webhook-receiver.ts'

/** The text of a page without its tags. */
function plain(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('a webhook is added, tested, switched off and on, given a new secret and deleted, without scripts', async (t) => {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const ada = await visitor(app, 'administrator')
  const hooks = async () => (await app.call('administrator', 'GET', `${app.origin}/kalends/v1/webhooks`)).body.webhooks
  assert.match((await ada.show('/admin/webhooks')).text, /Nothing here yet/)
  const made = await ada.submit('/admin/webhooks', { url: `${receiver.origin}/in`, purpose: 'Search' })
  const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(made.text)?.[0] ?? ''
  assert.deepEqual([made.status, secret.length], [200, 50])
  const [hook] = await hooks()
  assert.deepEqual(
    [hook.url, hook.description, hook.audience, hook.events],
    [`${receiver.origin}/in`, 'Search', 'public', ['event.created', 'event.updated', 'event.deleted']],
  )
  const page = `/admin/webhooks/${hook.id}`
  assert.doesNotMatch((await ada.show(page)).text, /whsec_/)
  await ada.submit(page, { action: 'test' })
  const [message] = receiver.messages
  const sent = new Date(Number(message?.headers['webhook-timestamp']) * 1000)
  const expected = new Verifier(secret).sign(String(message?.headers['webhook-id']), sent, message?.body ?? '')
  assert.equal(message?.headers['webhook-signature'], expected)
  assert.match(plain((await ada.show(page)).text), /webhook\.test Delivered Attempts: 1 Resend/)
  assert.equal((await ada.submit(page, { again: '1' })).to, `${page}?done=again`)
  await eventually('the message again', () => receiver.messages.length === 2)
  await ada.submit(page, { action: 'off' })
  assert.equal((await hooks())[0].active, false)
  const refused = await ada.submit(page, { again: '1' })
  assert.equal(refused.status, 400)
  assert.match(plain(refused.text), /The webhook cannot be used: it is turned off\./)
  await ada.submit(page, { action: 'on' })
  const asked = await ada.submit(page, { action: 'secret' })
  assert.match(plain(asked.text), /Replace the secret of this webhook\? .*For one day, deliveries are signed with both/)
  assert.doesNotMatch(asked.text, /whsec_/)
  const renewed = /whsec_[A-Za-z0-9+/]{43}=/.exec((await ada.send(page, asked.text, { action: 'secret' })).text)?.[0]
  assert.equal(renewed?.length, 50)
  assert.notEqual(renewed, secret)
  await ada.submit(page, { action: 'save', purpose: 'Index', drafts: 'true' })
  const [changed] = await hooks()
  assert.deepEqual([changed.description, changed.audience, changed.active], ['Index', 'administrators', true])
  const gone = await ada.submit(page, { action: 'delete' })
  assert.deepEqual([gone.to.split('&')[0], await hooks()], ['/admin/webhooks?done=trash', []])
})

test('what is refused is said, and nothing that was typed is lost; others see no webhooks', async (t) => {
  const app = await openTestApp(t)
  const ada = await visitor(app, 'administrator')
  const refused = await ada.submit('/admin/webhooks', { url: 'http://127.0.0.1:9/', purpose: 'Mine' })
  assert.equal(refused.status, 400)
  assert.match(plain(refused.text), /its URL must be public/)
  assert.match(refused.text, /value="http:\/\/127\.0\.0\.1:9\/"/)
  assert.match(refused.text, /value="Mine"/)
  const eve = await visitor(app, 'editor')
  assert.equal((await eve.show('/admin/webhooks')).status, 403)
  assert.doesNotMatch((await eve.show('/admin')).text, /admin\/webhooks/)
})
