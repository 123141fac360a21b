import assert from 'node:assert/strict'
import test from 'node:test'
import { addEvent, openTermsServer, type TermResponse, type TermsServer } from '../../../test/support/terms-server.ts'
import { ENGINES } from '../../../test/support/test-storage.ts'

const COLLECTIONS = [
  ['category', 'categories'],
  ['tag', 'tags'],
] as const

/** Creates terms and returns their IDs by the names. */
async function create(scene: TermsServer, collection: string, wishes: readonly object[]): Promise<number[]> {
  const ids: number[] = []
  for (const json of wishes) {
    const answer = await scene.ask(`POST /${collection}`, { as: 'editor', json })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    ids.push(answer.body.id)
  }
  return ids
}

function idsOf(answer: TermResponse): number[] {
  const items = answer.body.categories ?? answer.body.tags
  assert.ok(Array.isArray(items), JSON.stringify(answer.body))
  return items.map((one) => one.id)
}

for (const engine of ENGINES) {
  for (const [key, collection] of COLLECTIONS) {
    test(`${engine}: the list of ${collection} begins with its totals and is sorted by name`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [z, e, a] = await create(scene, collection, [{ name: 'zebra' }, { name: 'Émile' }, { name: 'apple' }])
      const answer = await scene.ask(`GET /${collection}?hide_empty=false`)
      assert.deepEqual(Object.keys(answer.body), ['rest_url', 'total', 'total_pages', collection])
      assert.deepEqual(idsOf(answer), [a, e, z])
      assert.deepEqual([answer.body.total, answer.body.total_pages], [3, 1])
      assert.deepEqual(
        ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages'].map((name) => answer.headers[name]),
        ['3', '1', '3', '1'],
      )
      assert.equal('_links' in answer.body[collection][0], false)
    })

    test(`${engine}: an empty list of ${collection} and a page past its end are no errors`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const empty = await scene.ask(`GET /${collection}`)
      assert.deepEqual([empty.status, idsOf(empty), empty.body.total, empty.body.total_pages], [200, [], 0, 0])
      await create(scene, collection, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
      const past = await scene.ask(`GET /${collection}?hide_empty=0&per_page=2&page=9007199254740991`)
      assert.deepEqual([past.status, idsOf(past), past.body.total, past.body.total_pages], [200, [], 3, 2])
      assert.ok(past.body.previous_rest_url)
      assert.equal('next_rest_url' in past.body, false)
      const last = await scene.ask(`GET /${collection}?hide_empty=0&per_page=2&page=2`)
      assert.equal(idsOf(last).length, 1)
      assert.equal('next_rest_url' in last.body, false)
      assert.match((await scene.ask(`GET /${collection}?per_page=500`)).body.rest_url, /per_page=50$/)
    })

    test(`${engine}: the links of the list of ${collection} lead through all its pages`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const names = ['C&A 日', 'c&a two', 'c&a three', 'c&a four', 'other']
      const ids = await create(
        scene,
        collection,
        names.map((name) => ({ name })),
      )
      const query = `search=${encodeURIComponent('C&A')}&per_page=2&orderby=ID&order=DESC&hide_empty=0&exclude=other&junk=1`
      let page = await scene.ask(`GET /${collection}?${query}`)
      assert.equal(
        page.body.rest_url,
        `https://calendar.example/cal/events/v1/${collection}/?page=1&per_page=2&search=C%26A&exclude=other&order=desc&orderby=id&hide_empty=0`,
      )
      assert.deepEqual((await scene.ask(`GET ${page.body.rest_url}`)).body, page.body)
      const seen = idsOf(page)
      while (page.body.next_rest_url !== undefined) {
        assert.match(String(page.headers['link']), /rel="next"/)
        page = await scene.ask(`GET ${page.body.next_rest_url}`)
        seen.push(...idsOf(page))
      }
      assert.deepEqual(seen, ids.slice(0, 4).reverse())
      const back = await scene.ask(`GET ${page.body.previous_rest_url}`)
      assert.deepEqual(idsOf(back), seen.slice(0, 2))
    })

    test(`${engine}: links of the list of ${collection} repeat every filter as it is in force`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [a] = await create(scene, collection, [{ name: 'Käse 日' }])
      const event = await addEvent(scene, { [key]: [a] })
      const slug = (await scene.ask(`GET /${collection}/${a}`)).body.slug
      const query = `event=${event}&post=${event}&slug=${encodeURIComponent(slug)}&include=${a},${encodeURIComponent(slug)}`
      const answer = await scene.ask(`GET /${collection}?${query}`)
      assert.deepEqual(idsOf(answer), [a])
      const link = new URL(answer.body.rest_url)
      assert.deepEqual([...link.searchParams].slice(2), [
        ['include', `${a},${slug}`],
        ['post', String(event)],
        ['event', String(event)],
        ['slug', slug],
      ])
      assert.deepEqual((await scene.ask(`GET ${answer.body.rest_url}`)).body, answer.body)
    })

    test(`${engine}: ${collection} without a published event of their own are hidden unless asked for`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [used, drafted, unused] = await create(scene, collection, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
      await addEvent(scene, { [key]: [used] })
      await addEvent(scene, { [key]: [drafted], status: 'draft' })
      for (const query of ['', '?hide_empty=1', '?hide_empty=true', '?hide_empty=yes']) {
        const answer = await scene.ask(`GET /${collection}${query}`)
        assert.deepEqual([idsOf(answer), answer.body.total], [[used], 1])
      }
      for (const value of ['0', 'false', 'No']) {
        const answer = await scene.ask(`GET /${collection}?hide_empty=${value}`)
        assert.deepEqual([idsOf(answer), answer.body.total], [[used, unused], 2])
        const all = await scene.ask(`GET /${collection}?hide_empty=${value}`, { as: 'editor' })
        assert.deepEqual([idsOf(all), all.body.total], [[used, drafted, unused], 3])
      }
      const bad = await scene.ask(`GET /${collection}?hide_empty=maybe`)
      assert.equal(bad.status, 400)
      assert.equal(bad.body.data.details.hide_empty.code, 'rest_invalid_type')
    })

    test(`${engine}: a search of ${collection} finds every word in name, slug or description`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [cafe, jazz, percent] = await create(scene, collection, [
        { name: 'Café Größe', description: 'All the <b>best</b> coffee' },
        { name: 'Jazz Night', slug: 'blue-notes' },
        { name: '100% x_y \\ "z"' },
      ])
      const found: readonly [search: string, ids: readonly (number | undefined)[]][] = [
        ['CAFE grosse', [cafe]],
        ['best café', [cafe]],
        ['lue-not', [jazz]],
        ['"jazz night"', [jazz]],
        ['"night jazz"', []],
        ['night -jazz', []],
        ['-jazz', [percent, cafe]],
        ['%', [percent]],
        ['x_y', [percent]],
        ['xay', []],
        ['\\', [percent]],
        ['cafe jazz', []],
      ]
      for (const [search, ids] of found) {
        const answer = await scene.ask(`GET /${collection}?hide_empty=0&search=${encodeURIComponent(search)}`)
        assert.deepEqual([search, idsOf(answer), answer.body.total], [search, ids, ids.length])
      }
      for (const search of ['', 'x'.repeat(257)]) {
        assert.equal((await scene.ask(`GET /${collection}?search=${search}`)).status, 400)
      }
    })

    test(`${engine}: include and exclude of ${collection} take ids and slugs that exist`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [a, b, c] = await create(scene, collection, [
        { name: 'a', slug: 's-a' },
        { name: 'b', slug: 's-b' },
        { name: 'c', slug: 's-c' },
      ])
      const list = async (query: string) => idsOf(await scene.ask(`GET /${collection}?hide_empty=0&${query}`))
      assert.deepEqual(await list(`include=${b},S-A`), [a, b])
      assert.deepEqual(await list(`include[]=${c}&include[]=s-a&orderby=include`), [c, a])
      assert.deepEqual(await list(`include=s-b,s-c,s-a&orderby=include_slugs&per_page=2`), [b, c])
      assert.deepEqual(await list(`include=s-b,s-c,s-a&orderby=include&order=desc&per_page=2&page=2`), [b])
      assert.deepEqual(await list(`exclude[]=s-a&exclude[]=${b}`), [c])
      assert.deepEqual(await list(`exclude=${b}&include=${b}`), [b])
      for (const name of ['include', 'exclude']) {
        for (const value of ['', '0', '999999999', `${a},none`]) {
          const answer = await scene.ask(`GET /${collection}?${name}=${value}`)
          assert.equal(answer.status, 400)
          assert.deepEqual(Object.keys(answer.body.data.params), [name])
        }
      }
    })

    test(`${engine}: ${collection} are sorted by what is asked for`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [a, b, c] = await create(scene, collection, [
        { name: 'beta', slug: '3', description: 'm' },
        { name: 'Alpha', slug: '1', description: 'n' },
        { name: 'gamma', slug: '2', description: 'm' },
      ])
      await addEvent(scene, { [key]: [c] })
      const list = async (query: string) => idsOf(await scene.ask(`GET /${collection}?hide_empty=0&${query}`))
      const orders = {
        '': [b, a, c],
        'order=desc': [c, a, b],
        'orderby=NAME&order=ASC': [b, a, c],
        'orderby=id': [a, b, c],
        'orderby=term_id&order=DESC': [c, b, a],
        'orderby=none': [a, b, c],
        'orderby=slug': [b, c, a],
        'orderby=count&order=desc': [c, b, a],
        'orderby=description': [a, c, b],
        'orderby=description&order=desc': [b, a, c],
        'orderby=term_group': [b, a, c],
        'orderby=parent': [b, a, c],
        'orderby=include': [b, a, c],
      }
      for (const [query, ids] of Object.entries(orders)) assert.deepEqual([query, await list(query)], [query, ids])
      for (const query of ['orderby=nonsense', 'order=nonsense', 'orderby=', 'order=', 'order[]=asc']) {
        assert.equal((await scene.ask(`GET /${collection}?${query}`)).status, 400, query)
      }
    })

    test(`${engine}: ${collection} of an event are shown to those who may see them`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [a, b, c] = await create(scene, collection, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
      const open = await addEvent(scene, { [key]: [c, a] })
      const draft = await addEvent(scene, { [key]: [b], status: 'draft', author: 99 })
      const own = await addEvent(scene, { [key]: [b], status: 'draft', author: 8 })
      const locked = await addEvent(scene, { [key]: [b], password: 'hash' })
      const list = async (query: string, as?: string) =>
        idsOf(await scene.ask(`GET /${collection}?${query}`, as === undefined ? {} : { as }))
      const refuse = async (query: string, as?: string) => {
        const answer = await scene.ask(`GET /${collection}?${query}`, as === undefined ? {} : { as })
        assert.equal(answer.status, 400, query)
        assert.deepEqual(Object.keys(answer.body.data.params), [query.split('=')[0]])
      }
      assert.deepEqual(await list(`post=${open}`), [a, c])
      assert.deepEqual(await list(`event=${open}`), [a, c])
      assert.deepEqual(await list(`post=${open}&event=${own}`, 'author'), [b])
      assert.deepEqual(await list(`event=${draft}`, 'editor'), [b])
      assert.deepEqual(await list(`event=${locked}`, 'editor'), [b])
      await refuse(`event=${draft}`)
      await refuse(`post=${draft}`, 'author')
      // A locked event is there for everybody, as lists of events and of venues have it; what it is about is not.
      assert.deepEqual(await list(`event=${locked}`), [])
      assert.deepEqual(await list(`post=${locked}`, 'contributor'), [])
      for (const value of ['', '0', 'foo', '999999999', `${open},${open}`]) await refuse(`event=${value}`)
    })

    test(`${engine}: one of ${collection} is found by its slug`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const [a] = await create(scene, collection, [{ name: 'a', slug: 's-a' }, { name: 'b' }])
      const list = async (slug: string) => idsOf(await scene.ask(`GET /${collection}?hide_empty=0&slug=${slug}`))
      assert.deepEqual(await list('S-A'), [a])
      assert.deepEqual(await list('s-a,b'), [])
      assert.deepEqual(await list('none'), [])
      assert.deepEqual(await list('!'), [])
      assert.equal((await scene.ask(`GET /${collection}?slug=`)).status, 400)
      assert.equal((await scene.ask(`GET /${collection}?slug[]=a`)).status, 400)
    })

    test(`${engine}: everything wrong with a list of ${collection} is told at once`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const answer = await scene.ask(`GET /${collection}?per_page=0&slug=&event=5&orderby=x&include=5&exclude=6`)
      assert.deepEqual(Object.keys(answer.body.data.params), [
        'per_page',
        'exclude',
        'include',
        'orderby',
        'event',
        'slug',
      ])
    })
  }

  test(`${engine}: categories are listed by parent, 0 being the top`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const [top] = await create(scene, 'categories', [{ name: 'top' }])
    const [a, b] = await create(scene, 'categories', [
      { name: 'a', parent: top },
      { name: 'b', parent: top },
    ])
    const list = async (query: string) => idsOf(await scene.ask(`GET /categories?hide_empty=0&${query}`))
    assert.deepEqual(await list(`parent=${top}`), [a, b])
    assert.deepEqual(await list(`parent=${a}`), [])
    assert.deepEqual(await list('parent=0'), [top])
    const link = (await scene.ask('GET /categories?hide_empty=0&parent=0')).body.rest_url
    assert.deepEqual(idsOf(await scene.ask(`GET ${link}`)), [top])
    for (const parent of ['', '999999999', 'x', '-1', `${top},${a}`]) {
      const answer = await scene.ask(`GET /categories?parent=${parent}`)
      assert.deepEqual([answer.status, Object.keys(answer.body.data.params)], [400, ['parent']])
    }
  })

  test(`${engine}: the list of tags knows no parent`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const [a] = await create(scene, 'tags', [{ name: 'a' }])
    const answer = await scene.ask('GET /tags?hide_empty=0&parent=nonsense')
    assert.deepEqual(idsOf(answer), [a])
    assert.doesNotMatch(answer.body.rest_url, /parent/)
  })
}
