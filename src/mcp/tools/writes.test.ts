import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolContext } from '../tool.ts'
import { UPDATE_EVENT } from './writes.ts'

const EVENT = {
  ...{ id: 5, title: 'Fair', description: 'Text', excerpt: '', status: 'draft', url: 'http://a.example/fair' },
  ...{ start_date: '2027-04-01 10:00:00', end_date: '2027-04-01 11:00:00', timezone: 'UTC', cost: '', website: '' },
  ...{
    utc_start_date: '2027-04-01 10:00:00',
    utc_end_date: '2027-04-01 11:00:00',
    modified_utc: '2027-01-01 00:00:00',
  },
  ...{ categories: [], tags: [], venue: [], organizer: [], image: { id: 7, url: 'http://a.example/fair.png' } },
}

test('an update that needs two checks reads the event once, and its image afterwards', async () => {
  const asked: string[] = []
  const request: ToolContext['request'] = async ({ method, path }) => {
    asked.push(`${method} ${path.split('/').slice(-2).join('/')}`)
    return { status: 200, headers: { etag: '"1"' }, body: path.includes('/media/') ? { alt_text: 'Tents' } : EVENT }
  }
  const changes = { description: 'Every word counts. '.repeat(100) }
  const context = { request } as ToolContext
  const changed = await UPDATE_EVENT.run(context, { id: 5, if_match: '1', changes })
  assert.deepEqual(asked, ['GET events/5', 'PATCH events/5', 'GET media/7'])
  assert.deepEqual((changed as { image: object }).image, { url: 'http://a.example/fair.png', alt: 'Tents' })
})
