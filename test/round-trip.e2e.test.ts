import assert from 'node:assert/strict'
import test, * as nodeTest from 'node:test'
import fc from 'fast-check'
import type { Role } from '../src/http/auth/rights.ts'
import { anyEventWith } from './support/any-items.ts'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'
import { paint } from './support/images.ts'
import { assertRoundTrips } from './support/round-trip.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp(nodeTest)
const picture = (await upload(app, 'author', { bytes: await paint(400, 320).png().toBuffer() })).body

const anyEvent = anyEventWith(picture)

/** What happens to the event, and to what it is linked to, between its creation and the round trip. */
const anyFate = fc.subarray(['trash venue', 'hide organizer', 'trash parent', 'trash event', 'delete term'] as const)

type Fate = 'trash venue' | 'hide organizer' | 'trash parent' | 'trash event' | 'delete term'

async function suffer(event: Record<string, unknown>, fates: readonly Fate[]): Promise<void> {
  const first = (member: string): number | undefined => {
    const items = [event[member]].flat() as { id: number }[]
    return items[0]?.id
  }
  const venue = first('venue')
  const organizer = first('organizer')
  const term = first('tags')
  if (fates.includes('trash venue') && venue) await app.call('administrator', 'DELETE', `/venues/${venue}`)
  if (fates.includes('hide organizer') && organizer) {
    const json = { status: 'private', author: 1 }
    await app.call('administrator', 'PATCH', `/organizers/${organizer}`, { json })
  }
  if (fates.includes('delete term') && term) await app.call('administrator', 'DELETE', `/tags/${term}`)
  if (fates.includes('trash event')) await app.call('administrator', 'DELETE', `/events/${event['id']}`)
}

test('what GET answers for an event changes nothing when it is sent back, by its owner and by an editor', async (t) => {
  let made = 0
  const owners = fc.constantFrom<Role>('administrator', 'editor', 'author', 'contributor')
  await fc.assert(
    fc.asyncProperty(owners, anyEvent, anyFate, async (owner, event, fates) => {
      // A contributor may not name new terms, nor set what is private.
      const { categories, tags, status, ...rest } = event
      const json = owner === 'contributor' ? rest : event
      const parent = fates.includes('trash parent')
        ? await app.call('author', 'POST', '/events', {
            json: { title: 'Whole', start_date: '2027-01-01', end_date: '2027-01-01' },
          })
        : undefined
      const sent = { ...json, ...(parent !== undefined && { post_parent: parent.body.id }) }
      const created = await app.call(owner, 'POST', '/events', { json: sent })
      assert.equal(created.status, 201, `${JSON.stringify(created.body)} ${JSON.stringify(sent)}`)
      made += 1
      await suffer(created.body, fates)
      if (parent !== undefined) await app.call('administrator', 'DELETE', `/events/${parent.body.id}`)
      const { id } = created.body
      const path = `/events/${id}`
      const { slug } = (await app.call('administrator', 'GET', path)).body
      const list = `/events?include=${id}&status=${fates.includes('trash event') ? 'trash' : 'any'}`
      const isOpen = owner !== 'contributor' || !fates.includes('trash event')
      const roles: Role[] = isOpen ? [owner, 'editor'] : ['editor']
      for (const as of new Set(roles)) {
        await assertRoundTrips(app, {
          as,
          paths: [path, `/events/by-slug/${encodeURIComponent(slug)}`],
          list: as === 'editor' ? list : '',
        })
      }
    }),
    { numRuns: draws(25, 3) },
  )
  t.diagnostic(`${made} events`)
})

test('the terms that an event has are no change in another order', async () => {
  const event = { title: 'Terms', start_date: '2027-01-01', end_date: '2027-01-02' }
  const made = await app.call('editor', 'POST', '/events', { json: { ...event, categories: ['Zoo', 'Ant'] } })
  app.clock.now += 60_000
  const same = await app.call('editor', 'PATCH', `/events/${made.body.id}`, { json: { categories: ['Ant', 'Zoo'] } })
  assert.deepEqual(same.body, made.body)
  const fewer = await app.call('editor', 'PATCH', `/events/${made.body.id}`, { json: { categories: ['Zoo'] } })
  assert.notEqual(fewer.body.modified, made.body.modified)
})
