import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { EDITOR, importMade, madeEvent } from '../../../../../test/support/site-import.ts'

test('a protected event is a draft here until it has a password of its own, with its content where that can be read', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.events = [madeEvent(5, { password: 'letmein' }), madeEvent(6)]
  const stateOf = async (id: number) => {
    const { body } = await app.call('administrator', 'GET', `/events/${id}`)
    const shown = await app.call('anonymous', 'GET', `/events/${id}`)
    return [body.title, body.status, body.description.trim(), shown.status === 200]
  }
  const bare = await importMade(app, site)
  assert.ok(
    bare.notes.some(({ what, why }) => what === 'event 5 "Event 5"' && why.startsWith('a password protects it')),
  )
  assert.deepEqual(await stateOf(5), ['Event 5', 'draft', '', false])
  assert.deepEqual(await stateOf(6), ['Event 6', 'publish', '<p>About 6</p>', true])
  await importMade(app, site, EDITOR)
  assert.deepEqual(await stateOf(5), ['Event 5', 'draft', '<p>About 5</p>', false])
  const own = { status: 'publish', password: 'own' }
  assert.equal((await app.call('administrator', 'POST', '/events/5', { json: own })).status, 200)
  site.content.events[0] = madeEvent(5, { password: 'letmein', title: 'Changed' })
  assert.equal((await importMade(app, site, EDITOR)).counts.event.updated, 1)
  assert.deepEqual(await stateOf(5), ['Changed', 'publish', '<p>About 5</p>', false])
  const query = { password: 'own' }
  assert.equal((await app.call('anonymous', 'GET', '/events/5', { query })).body.title, 'Changed')
  const hidden = await importMade(app, site)
  assert.ok(hidden.skipped.some(({ why }) => why === 'a password hid its content'))
  assert.deepEqual(await stateOf(5), ['Changed', 'publish', '<p>About 5</p>', false])
})
