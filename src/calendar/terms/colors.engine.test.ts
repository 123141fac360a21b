import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { COLORS } from '../../model/color.ts'

const app = await openTestApp({ after })
const { call, origin } = app

async function create(json: Readonly<Record<string, unknown>>) {
  const { body } = await call('editor', 'POST', '/categories', { json })
  return body
}

/** The class of the color of an event of a category on its page. */
async function classOf(category: number, slug: string): Promise<string> {
  const times = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
  await call('editor', 'POST', '/events', { json: { title: slug, slug, ...times, categories: [category] } })
  const page = await (await fetch(`${origin}/event/${slug}/`)).text()
  return /<article class="event (c\d+)"/.exec(page)?.[1] ?? ''
}

test('twelve categories have twelve colors, with tags created in between', async () => {
  const classes = new Set<string>()
  for (const [index] of COLORS.entries()) {
    await call('editor', 'POST', '/tags', { json: { name: `Tag ${index}` } })
    const { id, color } = await create({ name: `Kind ${index}` })
    assert.equal(color, undefined, 'nobody has chosen it')
    classes.add(await classOf(id, `of-${index}`))
  }
  assert.equal(classes.size, COLORS.length)
})

test('a chosen color is answered with the category, alone, in lists and in events, and shown on pages', async () => {
  const made = await create({ name: 'Jazz', color: 'Teal' })
  assert.equal(made.color, 'teal')
  assert.equal(await classOf(made.id, 'jazz'), `c${COLORS.indexOf('teal') + 1}`)
  const { body: event } = await call('anonymous', 'GET', '/events/by-slug/jazz')
  assert.equal(event.categories[0].color, 'teal')
  const { body: list } = await call('anonymous', 'GET', '/categories', { query: { search: 'jazz' } })
  assert.equal(list.categories[0].color, 'teal')
  for (const [format, color] of [
    ['ics', /^COLOR:teal\r$/m],
    ['jscal', /"color":"teal"/],
  ] as const) {
    const file = await fetch(`${origin}/kalends/v1/events/${event.id}.${format}`)
    assert.match(await file.text(), color, format)
  }
  const { body: none } = await call('editor', 'PATCH', `/categories/${made.id}`, { json: { color: '' } })
  assert.ok(!('color' in none))
  const { status, body } = await call('editor', 'PATCH', `/categories/${made.id}`, { json: { color: 'mauve' } })
  assert.deepEqual([status, Object.keys(body.data.params)], [400, ['color']])
})
