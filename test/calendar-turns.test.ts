import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp, type TestApp } from './support/app.ts'

/** Turns that the event loop has while the calendar file of a category is made; nothing of it is sent. */
async function turnsOf(app: TestApp, category: string): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const { status } = await fetch(`${app.origin}/kalends/v1/events.ics?categories=${category}`, { method: 'HEAD' })
  isOver = true
  assert.equal(status, 200)
  return turns
}

test('others have their turn after each long event of a calendar file', async (t) => {
  const app = await openTestApp(t)
  const description = '<p>Words and words.</p>'.repeat(5_000)
  const [few, many] = [3, 23]
  for (let index = 0; index < few + many; index += 1) {
    const start_date = `2027-01-${String(index + 1).padStart(2, '0')} 10:00:00`
    const json = {
      ...{ title: `Long ${index}`, description, start_date, end_date: start_date },
      categories: [index < few ? 'few' : 'many'],
    }
    assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
  }
  const short = await turnsOf(app, 'few')
  assert.ok((await turnsOf(app, 'many')) - short >= (many - few) * 0.75)
})
