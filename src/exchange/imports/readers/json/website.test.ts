import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { eventsOf, importMade, madeEvent } from '../../../../../test/support/site-import.ts'

test('a website that is the page of the event itself there is none here', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const url = 'https://there.example/event/talk/'
  const same = [url, 'https://there.example/event/talk', 'http://there.example/event/talk/', ` ${url}`]
  const other = ['https://there.example/event/talks/', 'https://tickets.example/', `${url}?ticket=1`]
  site.content.events = [...same, ...other].map((website, index) => madeEvent(100 + index, { url, website }))
  await importMade(app, site)
  const events = await eventsOf(app)
  assert.deepEqual(
    events.map(({ website, url: page }) => (website === page ? 'own page' : website)),
    [...same.map(() => 'own page'), ...other],
  )
})
