import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import { addressesIn } from './pages.ts'

/** When events of these tests are. */
export const TIMES = {
  start_date: '2027-03-01 10:00:00',
  end_date: '2027-03-01 12:00:00',
  timezone: 'America/New_York',
}

/** Events as another calendar answered them: an image of that site, a venue without a name, no title. */
const RECORDED = [
  {
    id: 900,
    global_id: 'harbour.example?id=900',
    title: 'Regatta',
    slug: 'regatta',
    ...TIMES,
    image: { url: 'https://harbour.example/boat.jpg', id: 4 },
    venue: { id: 901, global_id: 'harbour.example?id=901', slug: '', address: 'Pier 4' },
  },
  { id: 902, global_id: 'harbour.example?id=902', title: '', slug: 'nameless', ...TIMES },
]

/** Creates, and returns what was answered. */
export async function make({ call }: TestApp, path: string, json: Readonly<Record<string, unknown>>) {
  const { as = 'administrator', ...sent } = json as { as?: 'administrator' | 'contributor' }
  const answer = await call(as, 'POST', path, { json: sent })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer
}

/** A calendar with something of everything; the addresses that its answers to writes gave out. */
export async function fill(app: TestApp): Promise<string[]> {
  const top = await make(app, '/categories', { name: 'Music' })
  const middle = await make(app, '/categories', { name: 'Ünder 日本', parent: top.body.id })
  const low = await make(app, '/categories', { name: 'Low', parent: middle.body.id })
  const tag = await make(app, '/tags', { name: 'Живая музыка' })
  const venue = await make(app, '/venues', { venue: 'Café 日本', address: '1 Main St' })
  const organizer = await make(app, '/organizers', { organizer: 'Группа «А»', email: 'a@example.org' })
  const answers = [top, middle, low, tag, venue, organizer]
  const links = { venue: venue.body.id, organizer: organizer.body.id, categories: [low.body.id], tags: [tag.body.id] }
  for (const status of ['publish', 'draft', 'pending', 'private', 'trash']) {
    answers.push(await make(app, '/events', { title: `Café 日本 ${status}`, ...TIMES, ...links, status }))
    answers.push(await make(app, '/venues', { venue: `Зал ${status}`, status }))
    answers.push(await make(app, '/organizers', { organizer: `Org ${status}`, status }))
  }
  answers.push(await make(app, '/events', { title: 'Later', ...TIMES, date: '2027-01-01 00:00:00' }))
  answers.push(await make(app, '/events', { title: 'Closed', ...TIMES, ...links, password: 'sesame' }))
  answers.push(await make(app, '/events', { as: 'contributor', title: 'Proposed', ...TIMES }))
  const report = await app.app.importJson?.(
    [{ name: 'a.json', bytes: Buffer.from(JSON.stringify({ events: RECORDED })) }],
    {
      author: undefined,
      onProgress: () => undefined,
    },
  )
  assert.ok(report)
  return answers.flatMap((answer) => addressesIn(answer, app.origin))
}
