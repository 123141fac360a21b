import assert from 'node:assert/strict'
import test from 'node:test'
import { AT, addEvent, openTermsServer, type TermsServer } from '../../../test/support/terms-server.ts'
import { ENGINES } from '../../../test/support/test-storage.ts'
import type { TermLookup, TermWish } from './index.ts'

const WRITER = { actor: 7, at: AT }

function make({ storage }: TermsServer, lookup: TermLookup, wish: Omit<TermWish, 'actor' | 'at'>) {
  return storage.write((tx) => lookup.create(tx, { ...wish, ...WRITER }))
}

for (const engine of ENGINES) {
  test(`${engine}: terms are found by id, then slug, then name`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { storage, terms } = scene
    const jazz = await make(scene, terms.tag, { name: 'Jazz' })
    const cafe = await make(scene, terms.tag, { name: 'Café 日', slug: 'kaffee' })
    const digits = await make(scene, terms.tag, { name: '2024' })
    const trap = await make(scene, terms.tag, { name: String(jazz.id), slug: 'trap' })
    const category = await make(scene, terms.category, { name: 'Only a category' })
    const found = await terms.tag.find(storage, [
      ...[String(jazz.id), 'JAZZ', 'kaffee', 'CAFE 日', ' 2024 ', 'trap'],
      ...['nothing', String(category.id), 'Only a category', '', '0', '99999999999999999999'],
    ])
    assert.deepEqual(
      [...found],
      [
        [String(jazz.id), jazz.id],
        ['JAZZ', jazz.id],
        ['kaffee', cafe.id],
        ['CAFE 日', cafe.id],
        [' 2024 ', digits.id],
        ['trap', trap.id],
      ],
    )
    assert.deepEqual(await terms.tag.find(storage, []), new Map())
    assert.deepEqual(await terms.tag.bySlug(storage, 'kaffee'), cafe)
    assert.equal(await terms.tag.bySlug(storage, 'cafe'), undefined)
    assert.equal(await terms.category.bySlug(storage, 'kaffee'), undefined)
  })

  test(`${engine}: terms that published events have are offered by name`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { storage, terms } = scene
    for (const key of ['category', 'tag'] as const) {
      const used = await make(scene, terms[key], { name: 'Zither' })
      const other = await make(scene, terms[key], { name: 'Art' })
      const drafted = await make(scene, terms[key], { name: 'Secret' })
      await make(scene, terms[key], { name: 'Unused' })
      await addEvent(scene, { [key]: [used.id, other.id] })
      await addEvent(scene, { [key]: [drafted.id], status: 'draft' })
      const names = async (most: number) => (await terms[key].used(storage, most)).map(({ name }) => name)
      assert.deepEqual([await names(10), await names(1)], [['Art', 'Zither'], ['Art']])
    }
  })

  test(`${engine}: of two categories with one name the first is found`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { storage, terms } = scene
    const above = await make(scene, terms.category, { name: 'Above' })
    const first = await make(scene, terms.category, { name: 'Rock', parent: above.id, slug: 'one' })
    const second = await make(scene, terms.category, { name: 'Rock', slug: 'two' })
    assert.equal((await terms.category.find(storage, ['rock'])).get('rock'), first.id)
    assert.equal((await terms.category.find(storage, ['two'])).get('two'), second.id)
  })

  test(`${engine}: a category stands for all below it, a tag for itself`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { storage, terms } = scene
    const top = await make(scene, terms.category, { name: 'Top' })
    const middle = await make(scene, terms.category, { name: 'Middle', parent: top.id })
    const low = await make(scene, terms.category, { name: 'Low', parent: middle.id })
    const other = await make(scene, terms.category, { name: 'Other' })
    const tag = await make(scene, terms.tag, { name: 'Tag' })
    assert.deepEqual(await terms.category.descendants(storage, [top.id]), [top.id, middle.id, low.id])
    assert.deepEqual(await terms.category.descendants(storage, [low.id, other.id, middle.id]), [
      middle.id,
      low.id,
      other.id,
    ])
    assert.deepEqual(await terms.category.descendants(storage, []), [])
    assert.deepEqual(await terms.tag.descendants(storage, [tag.id, 9999]), [tag.id])
  })

  test(`${engine}: terms are handed out by name`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { storage, terms } = scene
    const made = []
    for (const name of ['zebra', 'Émile', 'apple', 'Zebra 2']) made.push(await make(scene, terms.tag, { name }))
    const rows = await terms.tag.byIds(storage, [...made.map((one) => one.id), 9999])
    assert.deepEqual(
      rows.map((one) => one.name),
      ['apple', 'Émile', 'zebra', 'Zebra 2'],
    )
    assert.deepEqual(await terms.tag.byIds(storage, []), [])
  })

  test(`${engine}: naming the same new term twice at once makes one term`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const made = await Promise.all(['New', 'new', ' NEW '].map((name) => make(scene, scene.terms.tag, { name })))
    assert.equal(new Set(made.map((one) => one.id)).size, 1)
    const entries = await scene.news()
    assert.deepEqual(
      entries.map((one) => [one.resource, one.action, one.actor, one.at]),
      [['tag', 'create', 7, AT]],
    )
    assert.deepEqual(entries[0]?.snapshot, { ...made[0] })
  })

  test(`${engine}: an import keeps ids, slugs and unknown members where they are free`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { terms } = scene
    const wish = { id: 7067, slug: 'governance', name: 'Governance &amp; Law', description: '<p>A <b>b</b></p>' }
    const first = await make(scene, terms.category, { ...wish, extra: { term_order: '0' } })
    const { id, name, slug, description, extra } = first
    assert.deepEqual(
      { id, name, slug, description, extra },
      {
        id: 7067,
        name: 'Governance & Law',
        slug: 'governance',
        description: 'A <b>b</b>',
        extra: '{"term_order":"0"}',
      },
    )
    assert.equal((await make(scene, terms.category, wish)).id, 7067)
    const tag = await make(scene, terms.tag, wish)
    assert.equal(tag.id, 7068)
    assert.equal(tag.slug, 'governance')
    const other = await make(scene, terms.category, { ...wish, name: 'Another' })
    assert.deepEqual([other.id, other.slug], [7069, 'governance-2'])
  })

  test(`${engine}: a name without letters gets its id as slug`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const term = await make(scene, scene.terms.tag, { name: '!!!' })
    assert.equal(term.slug, String(term.id))
  })

  test(`${engine}: a blank name makes no term and takes no id`, async (t) => {
    const scene = await openTermsServer(engine, t)
    await assert.rejects(make(scene, scene.terms.tag, { name: ' <br> ' }), { code: 'empty_term_name' })
    assert.equal((await make(scene, scene.terms.tag, { name: 'x' })).id, 1)
  })

  test(`${engine}: counts are of published events that use the term themselves`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { storage, terms } = scene
    const top = await make(scene, terms.category, { name: 'Top' })
    const low = await make(scene, terms.category, { name: 'Low', parent: top.id })
    await scene.news()
    await addEvent(scene, { category: [low.id] })
    await addEvent(scene, { category: [low.id, top.id], status: 'draft' })
    const gone = await addEvent(scene, { category: [low.id] })
    const counts = async () =>
      (await terms.category.byIds(storage, [top.id, low.id])).map((one) => [one.name, one.count, one.revision])
    assert.deepEqual(await counts(), [
      ['Low', 2, 1],
      ['Top', 0, 1],
    ])
    await storage.write(async (tx) => {
      await tx.run(tx.db.updateTable('event').set({ status: 'trash' }).where('id', '=', gone))
      await terms.category.recount(tx, [low.id, top.id])
    })
    assert.deepEqual(await counts(), [
      ['Low', 1, 1],
      ['Top', 0, 1],
    ])
    assert.deepEqual(await scene.news(), [])
  })

  test(`${engine}: terms are shown as their endpoints list them`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const { storage, terms } = scene
    const top = await make(scene, terms.category, { name: 'Top' })
    const low = await make(scene, terms.category, { name: 'Low', parent: top.id })
    const urls = {
      api: (path: string) => `/api${path}`,
      root: (path: string) => path,
      page: (path: string) => path,
      index: '',
    }
    const shown = await terms.category.shownOf(storage, [low, top], urls)
    assert.deepEqual(
      shown.map((one) => one.url),
      ['/events/category/top/low/', '/events/category/top/'],
    )
    assert.deepEqual(shown[0]?.urls, {
      self: `/api/categories/${low.id}`,
      collection: '/api/categories',
      up: `/api/categories/${top.id}`,
    })
  })
}
