import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { eventsOf, importMade, madeEvent } from '../../../../../test/support/site-import.ts'

test('what a site makes after an import has its own id here, too, although something here has got new ones since', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const dates = ['2026-03-01', '2026-03-08', '2026-03-20'].map((day) =>
    madeEvent(77, { start_date: `${day} 18:00:00`, end_date: `${day} 20:00:00` }),
  )
  site.content.events = dates
  await importMade(app, site)
  const json = { title: 'Ours', start_date: '2026-12-01', end_date: '2026-12-01' }
  const { body: ours } = await app.call('administrator', 'POST', '/events', { json })
  assert.ok(ours.id > 78)
  site.content.events = [...dates, madeEvent(78), madeEvent(79)]
  assert.equal((await importMade(app, site)).counts.event.created, 2)
  const ids = (await eventsOf(app)).map(({ id, title }) => [title, id])
  assert.deepEqual(
    ids.filter(([title]) => title === 'Event 78' || title === 'Event 79'),
    [
      ['Event 78', 78],
      ['Event 79', 79],
    ],
  )
})
