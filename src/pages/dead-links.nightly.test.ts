import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitor } from '../../test/support/admin.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { fill } from '../../test/support/filled.ts'
import { CONFIRMATION, crawl } from '../../test/support/pages.ts'

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
  await crawlBehindConfirmation(app, seen)
  await crawl(app, 'contributor', [`${root}/events`])
})

/** Follows what the proof of who they are kept from an administrator's program, as one who has just signed in. */
async function crawlBehindConfirmation(app: TestApp, seen: ReadonlySet<string>): Promise<void> {
  const { cookie } = await visitor(app, 'administrator')
  const call: TestApp['call'] = (_as, method, path) => app.call('anonymous', method, path, { headers: { cookie } })
  const proofs = [...seen].filter((address) => address.startsWith(app.origin + CONFIRMATION))
  assert.ok(proofs.length > 0)
  const kept = proofs.map((proof) => app.origin + new URL(proof).searchParams.get('next'))
  const known = new Set(seen)
  for (const address of kept) known.delete(address)
  const found = await crawl({ ...app, call }, 'administrator', kept, known)
  assert.deepEqual(
    [...found].filter((address) => address.startsWith(app.origin + CONFIRMATION)),
    [],
  )
}
