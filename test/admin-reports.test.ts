import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('an import of a site leaves a report without secrets, a dry run none', async (t) => {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  const json = { title: 'Regatta', start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', status: 'publish' }
  await source.call('administrator', 'POST', '/events', { json })
  const site = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const ask = { user: undefined, password: undefined, author: undefined, rate: 0, concurrency: 1 }
  const how = { vanished: 'keep', allow: ['127.0.0.1'] } as const
  const importSite = (dryRun: boolean) =>
    site.app.importSite?.({ ...ask, ...how, address: `${source.origin}/?key=tellnobody`, dryRun }, () => undefined)
  await importSite(true)
  const ada = await visitor(site, 'administrator')
  assert.match((await ada.show('/admin/system')).text, /No reports yet/)
  await importSite(false)
  const { text } = await ada.show('/admin/system')
  const links = [...text.matchAll(/href="(\/admin\/work\/\d+)">Import of ([^<]*)</g)]
  assert.equal(links.length, 1)
  assert.doesNotMatch(text, /tellnobody/)
  assert.equal(links[0]?.[2], `${source.origin}/`)
  const report = (await ada.show(links.at(-1)?.[1] ?? '')).text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  assert.match(report, /Status Done .* Events New: 1 Changed: 0 Unchanged: 0/)
})
