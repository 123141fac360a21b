import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../test/support/app.ts'
import { fill } from '../../test/support/filled.ts'
import { crawl } from '../../test/support/pages.ts'

const LISTS = ['events', 'venues', 'organizers', 'categories', 'tags']

test('no address that an answer gives out is dead', async (t) => {
  const app = await openTestApp(t)
  const given = await fill(app)
  const followed = new Set<string>()
  for (const mount of [
    '/cal/events/v1',
    '/wp-json/cal/events/v1',
    '/de/wp-json/tribe/events/v1',
    '/de/cal/events/v1',
  ]) {
    const root = app.origin + mount
    const starts = [root, `${root}/doc`, ...LISTS.map((list) => `${root}/${list}?per_page=3`)]
    const seen = await crawl(app, 'anonymous', starts, followed)
    for (const address of seen) followed.add(address)
    // What the mounts share, the pages above all, is followed from the first alone.
    assert.ok(seen.size > (followed.size === seen.size ? 60 : 30), `${mount}: ${seen.size}`)
  }
  const root = `${app.origin}/cal/events/v1`
  const hidden = LISTS.slice(0, 3).flatMap((list) => [`${root}/${list}?status=trash`, `${root}/${list}?per_page=2`])
  const seen = await crawl(app, 'administrator', [...given, ...hidden])
  for (const part of [
    '?post_type=tribe_events&p=',
    '?post_type=tribe_venue&p=',
    '/event/cafe-%e6',
    '/music/under-%e6',
  ]) {
    assert.ok(
      [...seen].some((address) => address.includes(part)),
      part,
    )
  }
  await crawl(app, 'contributor', [`${root}/events`])
})
