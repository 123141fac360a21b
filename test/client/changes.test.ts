import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Change, type ChangesOptions, CursorExpired, kalends } from '../../clients/typescript/src/index.ts'
import { recordWaits } from '../support/client-waits.ts'

type Answer = (init?: RequestInit) => Response | Promise<Response>

const ROOT = { name: 'Fake', timezone_string: 'UTC', namespaces: ['cal/events/v1', 'kalends/v1'] }

/** What a server answers to each request for changes, in order; the last one is repeated. */
function feedOf(answers: readonly Answer[]) {
  const sent: string[] = []
  const c = kalends('https://calendar.example', {
    retries: 0,
    fetch: async (input, init) => {
      const url = new URL(String(input))
      if (!url.pathname.includes('/changes')) return Response.json(ROOT)
      sent.push(`${url.pathname.split('/kalends/v1/')[1]}${url.search}`)
      return (answers[sent.length - 1] ?? answers.at(-1)!)(init)
    },
  })
  return { c, sent }
}

async function take(changes: AsyncIterable<Change>, count: number): Promise<readonly (readonly [number, string])[]> {
  const taken: (readonly [number, string])[] = []
  for await (const { seq, cursor } of changes) if (taken.push([seq, cursor]) >= count) break
  return taken
}

const event = (seq: number): string => `id: c${seq}\nevent: change\ndata: ${JSON.stringify({ seq, id: 1 })}\n\n`
const stream =
  (...parts: readonly string[]) =>
  () =>
    new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()))
const page =
  (cursor: string, seqs: readonly number[], more = false) =>
  () =>
    Response.json({ changes: seqs.map((seq) => ({ seq, id: 1 })), cursor, more })
const broken =
  (status: number, code = 'x') =>
  () =>
    Response.json({ code }, { status })

test('a stream is read in pieces of any size, and resumes after the last cursor, which comments and ids alone do not lose', async (t) => {
  const waits = recordWaits(t)
  const whole = `retry: 2000\nid: c1\n\n${event(2)}: comment\n\nid: c3\n\n`
  const { c, sent } = feedOf([stream(...whole), stream(`id: c3\n\n${event(4)}`)])
  assert.deepEqual(await take(c.changes({ since: 'c0', resource: ['event', 'venue'] }), 2), [
    [2, 'c2'],
    [4, 'c4'],
  ])
  assert.deepEqual(sent, [
    'changes/stream?resource=event%2Cvenue&since=c0',
    'changes/stream?resource=event%2Cvenue&since=c3',
  ])
  assert.deepEqual(waits, [2000])
})

test('after three failed attempts to stream changes are polled every 30 seconds, whatever fails meanwhile', async (t) => {
  const waits = recordWaits(t)
  const cut = () => Promise.reject(new TypeError('fetch failed'))
  const { c, sent } = feedOf([
    broken(503),
    cut,
    broken(502),
    page('c2', [1, 2], true),
    page('c3', [3]),
    cut,
    page('c3', []),
    page('c4', [4]),
  ])
  assert.deepEqual(await take(c.changes({ since: 'c0' }), 4), [
    [1, 'c0'],
    [2, 'c2'],
    [3, 'c3'],
    [4, 'c4'],
  ])
  assert.deepEqual(sent, [
    ...['changes/stream?since=c0', 'changes/stream?since=c0', 'changes/stream?since=c0'],
    ...['changes?since=c0', 'changes?since=c2', 'changes?since=c3', 'changes?since=c3', 'changes?since=c3'],
  ])
  assert.deepEqual(waits, [2000, 4000, 30_000, 30_000, 30_000])
})

test('a server that asks for more than a minute is polled until it is back', async (t) => {
  recordWaits(t)
  const away = () => Response.json({ code: 'rest_too_busy' }, { status: 503, headers: { 'Retry-After': '300' } })
  const { c } = feedOf([away, away, away, away, page('c1', [1])])
  assert.deepEqual(await take(c.changes({ since: 'c0' }), 1), [[1, 'c1']])
})

test('a stream that breaks after it was heard does not count as a failed attempt', async (t) => {
  recordWaits(t)
  const dying = stream('id: c1\n\n')
  const { c, sent } = feedOf([dying, dying, dying, dying, dying, stream(event(2))])
  assert.deepEqual(await take(c.changes({ since: 'c0' }), 1), [[2, 'c2']])
  assert.ok(sent.every((one) => one.startsWith('changes/stream')))
})

test('an expired cursor and refusals are thrown, from a stream and from a list', async (t) => {
  recordWaits(t)
  for (const options of [{ stream: true }, { stream: false }] satisfies ChangesOptions[]) {
    await assert.rejects(take(feedOf([broken(410, 'cursor_expired')]).c.changes(options), 1), CursorExpired)
    await assert.rejects(take(feedOf([broken(401, 'invalid_token')]).c.changes(options), 1), { code: 'invalid_token' })
  }
})

test('without a stream the iteration ends with the last change', async () => {
  const { c, sent } = feedOf([page('c2', [1, 2], true), page('c3', [3])])
  assert.equal((await take(c.changes({ since: 'c0', stream: false, expand: 'item' }), 9)).length, 3)
  assert.deepEqual(sent, ['changes?expand=item&since=c0', 'changes?expand=item&since=c2'])
})

test('a signal ends the iteration while it streams, waits or polls', async (t) => {
  recordWaits(t)
  const endless: Answer = ({ signal } = {}) => {
    const stop = (body: ReadableStreamDefaultController) =>
      signal?.addEventListener('abort', () => body.error(signal.reason))
    return new Response(new ReadableStream({ start: stop }))
  }
  for (const answer of [endless, broken(503)]) {
    const stop = new AbortController()
    const { c, sent } = feedOf([answer])
    const ended = take(c.changes({ signal: stop.signal }), 1)
    while (sent.length === 0) await setImmediate()
    stop.abort()
    assert.deepEqual(await ended, [])
  }
})
