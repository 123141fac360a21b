import assert from 'node:assert/strict'
import test, * as nodeTest from 'node:test'
import fc from 'fast-check'
import type { Role } from '../src/http/auth/rights.ts'
import { anyLinkedWith, maybe } from './support/any-items.ts'
import { anyHtml } from './support/any-text.ts'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'
import { paint } from './support/images.ts'
import { anyName } from './support/names.ts'
import { assertRoundTrips } from './support/round-trip.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp(nodeTest)
const picture = (await upload(app, 'author', { bytes: await paint(400, 320).png().toBuffer() })).body

const ANY = anyLinkedWith(picture)

for (const collection of ['venues', 'organizers'] as const) {
  test(`what GET answers for one of the ${collection} changes nothing when it is sent back`, async () => {
    const owners = fc.constantFrom<Role>('administrator', 'editor', 'author', 'contributor')
    const items: fc.Arbitrary<Record<string, unknown>> = ANY[collection]
    const known = new Set<number>()
    await fc.assert(
      fc.asyncProperty(owners, items, fc.boolean(), async (owner, { geo, status, ...item }, isTrashed) => {
        const place = Array.isArray(geo) ? { geo_lat: geo[0], geo_lng: geo[1] } : {}
        const state = owner === 'contributor' ? {} : { status }
        const created = await app.call(owner, 'POST', `/${collection}`, { json: { ...item, ...state, ...place } })
        assert.equal(created.status, 201, JSON.stringify(created.body))
        const { id } = created.body
        // A create can mean an item that somebody else has made, who alone may change it.
        fc.pre(!known.has(id))
        known.add(id)
        if (isTrashed) await app.call('administrator', 'DELETE', `/${collection}/${id}`)
        const { slug } = (await app.call('administrator', 'GET', `/${collection}/${id}`)).body
        const paths = [`/${collection}/${id}`, `/${collection}/by-slug/${encodeURIComponent(slug)}`]
        const list = `/${collection}?per_page=50&status=${isTrashed ? 'trash' : 'any'}`
        const mayOwn = !isTrashed || owner !== 'contributor'
        for (const as of new Set<Role>(mayOwn ? [owner, 'editor'] : ['editor']))
          await assertRoundTrips(app, { as, paths, list: as === 'editor' ? list : '' })
      }),
      { numRuns: draws(15, 2) },
    )
  })
}

test('what GET answers for a category or tag changes nothing when it is sent back', async () => {
  const terms = fc.record({
    name: anyName,
    description: maybe(anyHtml),
    slug: maybe(fc.constantFrom('fête', 'a b', '日本', 'x'.repeat(300))),
  })
  const parents: number[] = [0]
  let n = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('categories', 'tags'), terms, fc.nat(), async (collection, term, place) => {
      // The number keeps names apart: a name that is there already is an answer of its own.
      n += 1
      const parent = parents[place % parents.length] ?? 0
      const json = { ...term, name: `${term.name} ${n}`, ...(collection === 'categories' && { parent }) }
      const created = await app.call('author', 'POST', `/${collection}`, { json })
      if (created.body.code === 'duplicate_term_slug') return
      assert.equal(created.status, 201, JSON.stringify(created.body))
      const { id } = created.body
      if (collection === 'categories') parents.push(id)
      const list = `/${collection}?include=${id}&hide_empty=0`
      for (const as of ['author', 'editor'] as const)
        await assertRoundTrips(app, { as, paths: [`/${collection}/${id}`], list })
    }),
    { numRuns: draws(20, 3) },
  )
})
