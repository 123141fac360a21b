import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

const app = await openTestApp({ after })
const LEAST = { title: 'Board meeting', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

async function make(path: string, json: object): Promise<Readonly<Record<string, never>>> {
  const answer = await app.call('administrator', 'POST', path, { json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

async function change(path: string, json: object): Promise<void> {
  assert.equal((await app.call('administrator', 'PATCH', path, { json })).status, 200)
}

test('the tag of an item follows the item and what it embeds, not every write', async () => {
  const event = await make('/events', {
    ...LEAST,
    venue: { venue: 'Hall' },
    organizer: [{ organizer: 'Club' }],
    tags: ['free'],
  })
  const other = await make('/events', { ...LEAST, title: 'Other' })
  const item = event as unknown as {
    id: number
    venue: { id: number }
    organizer: { id: number }[]
    tags: { id: number }[]
  }
  const tag = async (): Promise<string> =>
    // From the second time on the answer is compressed, which its tag says.
    (
      await app.call('anonymous', 'GET', `/events/${item.id}`, { headers: { 'accept-encoding': 'identity' } })
    ).headers.get('etag') ?? assert.fail('no tag')
  let before = await tag()
  await change(`/events/${(other as unknown as { id: number }).id}`, { title: 'Other than before' })
  await make('/venues', { venue: 'Barn' })
  assert.equal(await tag(), before)
  const changes: [string, object][] = [
    [`/events/${item.id}`, { title: 'Changed' }],
    [`/venues/${item.venue.id}`, { city: 'Bern' }],
    [`/organizers/${item.organizer[0]?.id}`, { phone: '1' }],
    [`/tags/${item.tags[0]?.id}`, { name: 'gratis' }],
  ]
  for (const [path, json] of changes) {
    await change(path, json)
    const now = await tag()
    assert.notEqual(now, before, path)
    before = now
  }
})

test('what a password opens, and what callers with credentials get, is kept by nobody', async () => {
  const event = (await make('/events', { ...LEAST, password: 'sesame' })) as unknown as { id: number }
  const opened = await app.call('anonymous', 'GET', `/events/${event.id}`, { query: { password: 'sesame' } })
  assert.equal(opened.status, 200)
  // Whoever may change the event says with it which state they mean (RFC 9110 section 13.1.1).
  assert.match(opened.headers.get('etag') ?? '', /^"/)
  const listed = await app.call('anonymous', 'GET', '/events', { query: { password: 'sesame' } })
  const signed = await app.call('editor', 'GET', `/events/${event.id}`)
  for (const { headers } of [opened, listed, signed])
    assert.match(headers.get('cache-control') ?? '', /no-store.*private/)
})

test('hosts and viewers do not share a tag where their answers differ', async () => {
  const { id } = (await make('/events', { ...LEAST, status: 'private' })) as unknown as { id: number }
  const tagOf = async (as: 'anonymous' | 'editor', path: string): Promise<string | null> =>
    (await app.call(as, 'GET', path)).headers.get('etag')
  assert.notEqual(await tagOf('editor', '/events'), await tagOf('anonymous', '/events'))
  assert.equal(await tagOf('anonymous', `/events/${id}`), null)
})

test('a 304 says nothing of type and length, which would be taken for those of the answer', async () => {
  const etag = (await app.call('anonymous', 'GET', '/venues')).headers.get('etag') ?? assert.fail('no tag')
  const { status, headers } = await app.call('anonymous', 'GET', '/venues', { headers: { 'if-none-match': etag } })
  assert.deepEqual([status, headers.get('content-type'), headers.get('content-length')], [304, null, null])
  assert.equal(headers.get('etag'), etag)
})
