import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { tecClient } from '../support/tec.ts'

/*
 * must hold 5: a locked event keeps what it hides, however somebody asks.
 */

const WALK = { title: 'Walk', start_date: '2031-05-06 17:00:00', duration: 3600, content: 'open to all who know' }

test('must hold 5: wrong passwords count as guesses, of an event, in lists and for tickets', async (t) => {
  for (const list of ['/events', '/tickets', undefined]) {
    const app = await openTestApp(t, { limitGuesses: '2/600' })
    const tec = tecClient(app)
    const { id } = await tec.create('/events', { ...WALK, password: 'right', tickets: [{ name: 'Adult' }] })
    const path = list ?? `/events/${id}`
    const shows = async (password: string): Promise<boolean> => {
      const { status, body } = await tec.call('anonymous', 'GET', path, { query: { password } })
      assert.equal(status, 200, JSON.stringify(body))
      return /open to all|Adult/.test(JSON.stringify(body))
    }
    assert.equal(await shows('first'), false)
    assert.equal(await shows('second'), false)
    assert.equal(await shows('right'), false, `${path}: nothing is tried any more`)
    const { status } = await app.call('anonymous', 'GET', `/events/${id}`, { query: { password: 'right' } })
    assert.equal(status, 429, 'the interface counts the same guesses')
    app.clock.now += 600_000
    assert.equal(await shows('right'), true)
  }
})

test('must hold 5: lists of what belongs to a locked event tell nothing of it', async (t) => {
  const app = await openTestApp(t)
  const tec = tecClient(app)
  const venue = await tec.create('/venues', { title: 'Hall' })
  const organizer = await tec.create('/organizers', { title: 'Club' })
  const links = { venues: [venue.id], organizers: [organizer.id], tickets: [{ name: 'Adult' }] }
  const { id } = await tec.create('/events', { ...WALK, ...links, password: 'right' }, 'author')
  for (const path of ['/venues', '/organizers', '/tickets'])
    for (const [as, expected] of [
      ['anonymous', 0],
      ['subscriber', 0],
      ['contributor', 0],
      ['author', 1],
      ['editor', 1],
    ] as const) {
      const { status, body, headers } = await tec.call(as, 'GET', path, { query: { event: id } })
      assert.deepEqual([status, body.length], [200, expected], `${path} as ${as}`)
      assert.equal(headers.get('x-wp-total'), String(expected))
    }
})
