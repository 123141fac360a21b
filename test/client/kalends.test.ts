import assert from 'node:assert/strict'
import test from 'node:test'
import { type CalendarEvent, type Change, Conflict, KalendsError, kalends } from '../../clients/typescript/src/index.ts'
import { openTestApp } from '../support/app.ts'
import type { TestScope } from '../support/at-end.ts'
import { sampleImage } from '../support/sample-image.ts'

const TIMES = { start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 11:00:00' }

async function openClient(t: TestScope) {
  const app = await openTestApp(t)
  const [name = '', password = ''] = atob(app.authorization('editor').slice('Basic '.length)).split(/:(.*)/)
  return { app, c: kalends(app.origin, { login: [name, password] }) }
}

test('a client reads, writes, batches, uploads and follows changes', async (t) => {
  const { app, c } = await openClient(t)
  assert.deepEqual(await c.site(), {
    kind: 'kalends',
    root: `${app.origin}/wp-json/`,
    namespace: 'cal/events/v1',
    name: 'Kalends',
    timezone: 'America/New_York',
  })
  const made = await c.events.create({
    title: 'Talk',
    ...TIMES,
    venue: { venue: 'Hall' },
    description: `<p>${'long text '.repeat(500)}</p>`,
  })
  const again = await c.events.update(made, { title: 'Great talk' })
  await assert.rejects(c.events.update(made, { title: 'Late' }), Conflict)
  const [listed] = await c.events.list().toArray()
  const read = await c.events.get(again.id)
  await c.events.update(read, { cost: '5' })
  await assert.rejects(c.events.update(listed as CalendarEvent, { cost: '5' }), Conflict)
  const fresh = await c.events.list().first()
  await c.events.update(fresh as CalendarEvent, { cost: '6' })
  const trashed = await c.events.remove(made.id)
  assert.equal(trashed.status, 'trash')
  const [inTrash] = await c.events.list({ status: ['trash'] }).toArray()
  assert.equal((await c.events.restore(inTrash as CalendarEvent)).status, 'draft')
  assert.equal((await c.events.remove(made.id)).status, 'trash')
  assert.equal((await c.events.restore(trashed.id)).status, 'draft')
  await c.events.remove(made.id, { permanent: true })
  await assert.rejects(
    c.events.get(made.id),
    (error) => error instanceof KalendsError && error.code === 'rest-event-not-found',
  )
  const result = await c.batch((b) => {
    const hall = b.venues.create({ venue: 'Shed' })
    const talk = b.events.create({ title: 'In the shed', ...TIMES, venue: hall.id })
    return { hall, talk: b.events.update(talk, { cost: '7' }) }
  })
  assert.equal(result.talk.cost, '$7')
  assert.equal((result.talk.venue as { id: number }).id, result.hall.id)
  await c.events.update(result.talk, { cost: '8' })
  const sheds = await c.batch(async (b) => {
    const shed = b.venues.create({ venue: 'Another shed' })
    await Promise.resolve()
    return [shed, b.venues.create({ venue: 'Third shed' })]
  })
  assert.deepEqual(
    sheds.map(({ venue }) => venue),
    ['Another shed', 'Third shed'],
  )
  await assert.rejects(
    c.batch((b) => b.events.update(result.talk, { cost: '9' })),
    (error) => error instanceof Conflict && error.code === 'batch_failed',
  )
  await assert.rejects(
    c.batch((b) => [b.venues.create({ venue: 'Hut' }), b.events.create({ ...TIMES, title: '' })]),
    { code: 'batch_failed', params: { title: 'title must not be empty.' }, message: /r1 .* Invalid parameters: title/ },
  )
  const image = await c.media.upload(new Blob([new Uint8Array(await sampleImage(1))]), {
    title: 'Dots',
    alt: 'Some dots',
  })
  assert.equal(image.alt_text, 'Some dots')
  const cursor = (await app.call('editor', 'GET', '/venues')).headers.get('x-kalends-cursor') ?? ''
  const stop = new AbortController()
  const following = (async () => {
    for await (const change of c.changes({ since: cursor, expand: 'item', signal: stop.signal })) {
      stop.abort()
      return change
    }
    return undefined
  })()
  const later = await c.venues.create({ venue: 'Later' })
  const streamed = await following
  assert.deepEqual([streamed?.action, streamed?.id, streamed?.item?.id], ['created', later.id, later.id])
  const polled: Change[] = []
  for await (const change of c.changes({ since: cursor, stream: false })) polled.push(change)
  assert.deepEqual(
    polled.map((change) => [change.id, change.cursor]),
    [[later.id, streamed?.cursor]],
  )
})
