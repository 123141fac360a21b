import assert from 'node:assert/strict'
import type { TestApp } from '../../test/support/app.ts'

/** The least that makes an event. */
export const MEETING = { title: 'Board meeting', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** Creates an event as administrator; the answer. */
export async function make(app: TestApp, event: object = {}): Promise<{ id: number; [member: string]: unknown }> {
  const answer = await app.call('administrator', 'POST', '/events', { json: { ...MEETING, ...event } })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

/** Titles of a list, in its order. */
export async function titles(
  app: TestApp,
  query: Record<string, string | number>,
  as: 'anonymous' | 'editor' = 'anonymous',
): Promise<string[]> {
  const answer = await app.call(as, 'GET', '/events', { query: { per_page: 50, ...query } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.events.map((event: { title: string }) => event.title)
}
