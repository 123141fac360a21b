import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { openApp } from '../src/app/app.ts'
import { runCli } from '../src/cli/run.ts'
import { databaseOf, openDataFolder } from './support/server.ts'
import { openReceiver } from './support/webhook-receiver.ts'

const receiver = await openReceiver({ after })
const NOW = Date.UTC(2026, 10, 20, 18)
const ALLOW = ['--fetch-allow', '127.0.0.1'] as const

test('the command adds, tests, pauses, rotates and removes webhooks', { timeout: 300_000 }, async (t) => {
  const data = await openDataFolder(t)
  const env = { KALENDS_DATA: data, DATABASE_URL: await databaseOf(data) }
  /** Runs the command in this process: what it writes, its problem instead when it has one. */
  const kalends = async (...argv: readonly string[]): Promise<string> => {
    const written = { out: '', problem: '' }
    const stdout = { write: (text: string) => (written.out += text) }
    // A command that works by itself also writes what is audited there.
    const stderr = { write: (text: string) => (written.problem += text.includes('"msg":"audit"') ? '' : text) }
    const code = await runCli(['node', 'kalends', ...argv], { env, now: () => NOW, openApp, stdout, stderr })
    return written.problem === '' ? `${code === 0 ? '' : `${code}: `}${written.out}` : written.problem
  }
  const run = (...argv: readonly string[]): Promise<string> => kalends('webhook', ...argv)
  await kalends('user', 'add', 'owner', '--role', 'administrator', '--email', 'owner@example.org')
  const url = `${receiver.origin}/in`
  const events = ['--events', 'event.created, venue.deleted'] as const
  assert.match(await run('add', url, ...events), /its URL must be public/)
  assert.match(await run('add', url), /--events/)
  assert.match(
    await run('add', url, '--events', 'event.opened', ...ALLOW),
    /lists no changes to send, or an unknown one/,
  )
  assert.match(
    await run('add', url, ...events, '--audience', 'all', ...ALLOW),
    /--audience must be public or administrators/,
  )
  const made = await run('add', url, ...events, '--description', 'Search', '--audience', 'administrators', ...ALLOW)
  const secret = /^1 http:.*\/in\nSecret, shown only now: (whsec_\S{44})\n$/.exec(made)?.[1] ?? assert.fail(made)
  assert.match(await run('list'), /1 +http:\S+ +event\.created,venue\.deleted +administrators +never +active/)
  assert.doesNotMatch(await run('list', '--json'), /whsec_/)
  assert.equal(await run('test', '1', ...ALLOW), 'The receiver accepted it (204).\n')
  const verify = (key: string): unknown => {
    const { headers, body } = receiver.messages.at(-1) ?? assert.fail('no message')
    const signatures = String(headers['webhook-signature']).split(' ')
    assert.ok(signatures.includes(new Verifier(key).sign(String(headers['webhook-id']), new Date(NOW), body)))
    return JSON.parse(body)
  }
  assert.deepEqual((verify(secret) as { type: string }).type, 'webhook.test')
  const rotated = /(whsec_\S{44})\n$/.exec(await run('rotate', '1'))?.[1] ?? assert.fail('no secret')
  assert.notEqual(rotated, secret)
  await run('test', '1', ...ALLOW)
  for (const key of [secret, rotated]) verify(key)
  receiver.answer = (response) => void response.writeHead(503).end()
  assert.equal(await run('test', '1', ...ALLOW), '1: The delivery failed: the receiver answered 503.\n')
  assert.match(await run('pause', '1'), /Paused the webhook/)
  assert.match(await run('list'), /paused/)
  assert.match(await run('resume', '1'), /Resumed the webhook/)
  assert.match(await run('change', '1', '--events', 'tag.created'), /Changed the webhook/)
  assert.match(await run('list'), /tag\.created +administrators +never +active/)
  assert.match(await run('remove', '1'), /Removed the webhook/)
  assert.match(await run('test', '1', ...ALLOW), /There is no webhook with this ID/)
  assert.match(await run('test', 'first'), /first is not the number of a webhook/)
})
