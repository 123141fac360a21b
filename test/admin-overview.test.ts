import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('the overview says what is next, what waits for somebody, and how many events each month has', async (t) => {
  const site = await openTestApp(t)
  const make = async (title: string, day: string, status: string) => {
    const json = { title, start_date: `${day} 18:00`, end_date: `${day} 19:00`, status }
    assert.equal((await site.call('editor', 'POST', '/events', { json })).status, 201)
  }
  await make('Over', '2026-10-01', 'publish')
  await make('Regatta', '2026-12-05', 'publish')
  await make('Choir', '2026-12-06', 'publish')
  await make('Race', '2027-02-01', 'publish')
  await make('Half written', '2026-12-07', 'draft')
  await make('Sent', '2026-12-08', 'pending')
  const shown = async (role: 'editor' | 'contributor') => {
    const { text } = await (await visitor(site, role)).show('/admin')
    const figures = [...text.matchAll(/<strong>(\d+)<\/strong>([^<]*)</g)].map(([, count, name]) => [name, count])
    const next = /<ul class="next">([\s\S]*?)<\/ul>/.exec(text)?.[1] ?? ''
    const lines = [...next.matchAll(/<a [^>]*>(.*?)<\/li>/g)].map(([, line = '']) => line.replaceAll(/<[^>]*>/g, ''))
    return { text, figures, next: lines }
  }
  const { text, figures, next } = await shown('editor')
  assert.deepEqual(figures, [
    ['upcoming events', '5'],
    ['draft', '1'],
    ['event pending review', '1'],
  ])
  assert.deepEqual(next, ['Regatta', 'Choir', 'Half written Draft', 'Sent Pending review', 'Race'])
  const months = [...text.matchAll(/<tr><th scope="row">([^<]*)<\/th><td>(\d+)<\/td><\/tr>/g)]
  assert.deepEqual(
    months.slice(0, 4).map(([, month, count]) => [month, count]),
    [
      ['Nov', '0'],
      ['Dec', '4'],
      ['Jan', '0'],
      ['Feb', '1'],
    ],
  )
  assert.equal(months.length, 12)
  assert.equal(text.match(/<rect /g)?.length, 12)
  const eve = await shown('contributor')
  // What she may not change has no form for her.
  assert.doesNotMatch(eve.text, /href="\/admin\/events\/\d/)
  assert.match(eve.text, /<span class="title">Regatta</)
  assert.deepEqual(eve.figures, [
    ['upcoming events', '3'],
    ['drafts', '0'],
  ])
})
