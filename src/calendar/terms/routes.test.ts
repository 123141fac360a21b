import assert from 'node:assert/strict'
import test from 'node:test'
import {
  AT,
  addEvent,
  openTermsServer,
  type TermResponse,
  type TermsServer,
} from '../../../test/support/terms-server.ts'
import { ENGINES } from '../../../test/support/test-storage.ts'

const COLLECTIONS = [
  ['category', 'categories', 'tribe_events_cat'],
  ['tag', 'tags', 'post_tag'],
] as const

function refuses(answer: TermResponse, parameter: string): void {
  assert.equal(answer.status, 400)
  assert.equal(answer.body.code, 'rest_invalid_param')
  assert.deepEqual(Object.keys(answer.body.data.params), [parameter])
}

function fails(answer: TermResponse, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code, answer.body.data.status], [status, code, status])
}

async function create(scene: TermsServer, collection: string, json: object): Promise<TermResponse['body']> {
  const answer = await scene.ask(`POST /${collection}`, { as: 'editor', json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

for (const engine of ENGINES) {
  for (const [key, collection, taxonomy] of COLLECTIONS) {
    test(`${engine}: a new one of ${collection} is answered, found at its Location and in the journal`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const json = { name: 'Café <b>&</b> Bar', description: 'Text <script>x</script><i>y</i>', slug: 'My Slug!' }
      const made = await scene.ask(`POST /${collection}`, { as: 'author', json })
      assert.equal(made.status, 201)
      const { id, count, name, slug, description, meta } = made.body
      assert.deepEqual(
        { count, name, slug, description, meta, taxonomy: made.body.taxonomy },
        { count: 0, name: 'Café &amp; Bar', slug: 'my-slug', description: 'Text <i>y</i>', meta: [], taxonomy },
      )
      assert.equal(made.headers['location'], made.body.urls.self)
      const read = await scene.ask(`GET ${made.headers['location']}`)
      assert.deepEqual([read.status, read.body], [200, made.body])
      const [entry, ...others] = await scene.news()
      assert.deepEqual(others, [])
      assert.deepEqual([entry?.resource, entry?.id, entry?.action, entry?.actor, entry?.at], [key, id, 'create', 8, AT])
    })

    test(`${engine}: what is wrong with ${collection} is told before who may write`, async (t) => {
      const scene = await openTermsServer(engine, t)
      refuses(await scene.ask(`POST /${collection}`, { json: { name: '' } }), 'name')
      refuses(await scene.ask(`POST /${collection}`, { json: { name: '0' } }), 'name')
      refuses(await scene.ask(`POST /${collection}`, { json: { name: true } }), 'name')
      refuses(await scene.ask(`POST /${collection}`, { json: { name: '  ', slug: '' } }), 'slug')
      refuses(await scene.ask(`POST /${collection}`, { json: { name: 'x', slug: ['x'] } }), 'slug')
      fails(await scene.ask(`POST /${collection}`, { json: { slug: 'x' } }), 400, 'rest_missing_callback_param')
      fails(await scene.ask(`POST /${collection}`, { json: { name: ' <i> </i>' } }), 400, 'empty_term_name')
      fails(await scene.ask(`POST /${collection}`, { json: { name: 'n'.repeat(201) } }), 400, 'db_insert_error')
      refuses(await scene.ask(`PATCH /${collection}/999`, { json: { name: 'x' } }), 'id')
      refuses(await scene.ask(`DELETE /${collection}/0`), 'id')
      refuses(await scene.ask(`GET /${collection}/99999999999999999999`), 'id')
      fails(await scene.ask(`GET /${collection}/foo`), 404, 'rest_no_route')
      assert.deepEqual(await scene.news(), [])
    })

    test(`${engine}: only authors and above write ${collection}, and Allow says so`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const { id } = await create(scene, collection, { name: 'x' })
      await scene.news()
      for (const [as, status] of [
        [undefined, 401],
        ['subscriber', 403],
        ['contributor', 403],
      ] as const) {
        const who = as === undefined ? {} : { as }
        fails(await scene.ask(`POST /${collection}`, { ...who, json: { name: 'n' } }), status, 'rest_forbidden')
        fails(await scene.ask(`PUT /${collection}/${id}`, { ...who, json: { name: 'n' } }), status, 'rest_forbidden')
        fails(await scene.ask(`DELETE /${collection}/${id}`, who), status, 'rest_forbidden')
        assert.equal((await scene.ask(`GET /${collection}/${id}`, who)).headers['allow'], 'GET')
      }
      const allowed = await scene.ask(`GET /${collection}/${id}`, { as: 'author' })
      assert.deepEqual(String(allowed.headers['allow']).split(', ').sort(), ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'])
      assert.deepEqual(await scene.news(), [])
    })

    test(`${engine}: an update of ${collection} changes what was sent, by each method`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const { id } = await create(scene, collection, { name: 'Old', description: 'Kept', slug: 'kept' })
      const wording = ({ body }: TermResponse) => [body.name, body.slug, body.description]
      const change = (method: string, json: object) =>
        scene.ask(`${method} /${collection}/${id}`, { as: 'author', json })
      assert.deepEqual(wording(await change('POST', { name: 'New' })), ['New', 'kept', 'Kept'])
      assert.deepEqual(wording(await change('PUT', { slug: 'Neuer Name' })), ['New', 'neuer-name', 'Kept'])
      assert.deepEqual(wording(await change('PATCH', { description: 'Other' })), ['New', 'neuer-name', 'Other'])
      assert.deepEqual(wording(await change('PATCH', { description: null, slug: null })), ['New', 'neuer-name', ''])
      refuses(await change('PATCH', { name: null }), 'name')
      assert.deepEqual(
        (await scene.news()).map((one) => [one.action, one.revision]),
        [
          ['create', 1],
          ['update', 2],
          ['update', 3],
          ['update', 4],
          ['update', 5],
        ],
      )
      assert.equal((await scene.ask(`GET /${collection}?search=new&hide_empty=0`)).body.total, 1)
    })

    test(`${engine}: what GET of ${collection} answers can be sent back and changes nothing`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const { id } = await create(scene, collection, {
        name: 'A &amp;amp; B &lt;b&gt;',
        description: 'x < y & <b>z</b>',
      })
      await addEvent(scene, { [key]: [id] })
      const before = await scene.ask(`GET /${collection}/${id}`)
      assert.equal(before.body.name, 'A &amp;amp; B &lt;b&gt;')
      await scene.news()
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const answer = await scene.ask(`${method} /${collection}/${id}`, { as: 'editor', json: before.body })
        assert.deepEqual([answer.status, answer.body], [200, before.body])
      }
      assert.deepEqual(await scene.news(), [])
    })

    test(`${engine}: names and slugs of ${collection} are unique`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const rock = await create(scene, collection, { name: 'Röck' })
      const again = await scene.ask(`POST /${collection}`, { as: 'editor', json: { name: ' ROCK ' } })
      fails(again, 400, 'term_exists')
      assert.equal(again.body.data.term_id, rock.id)
      assert.deepEqual(again.body.additional_data, [rock.id, rock.id])
      fails(
        await scene.ask(`POST /${collection}`, { as: 'editor', json: { name: 'Rock', slug: 'rock' } }),
        400,
        'term_exists',
      )
      const own = await create(scene, collection, { name: 'Rock', slug: 'own' })
      assert.equal(own.slug, 'own')
      assert.equal((await create(scene, collection, { name: 'Other', slug: 'rock' })).slug, 'rock-2')
      assert.equal((await create(scene, collection, { name: 'Rock!' })).slug, 'rock-3')
      const taken = await scene.ask(`PATCH /${collection}/${own.id}`, {
        as: 'editor',
        json: { slug: 'ROCK', name: 'z' },
      })
      fails(taken, 400, 'duplicate_term_slug')
      const renamed = await scene.ask(`PATCH /${collection}/${own.id}`, {
        as: 'editor',
        json: { name: 'Other', slug: 'own' },
      })
      assert.deepEqual([renamed.status, renamed.body.name, renamed.body.slug], [200, 'Other', 'own'])
    })

    test(`${engine}: of two equal new ${collection} sent at once one is made`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const answers = await Promise.all(
        ['Rock', 'rock', 'ROCK'].map((name) => scene.ask(`POST /${collection}`, { as: 'editor', json: { name } })),
      )
      assert.deepEqual(answers.map((one) => one.status).sort(), [201, 400, 400])
      assert.equal((await scene.news()).length, 1)
    })

    test(`${engine}: ids and slugs outside the path name nothing in ${collection}`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const one = await create(scene, collection, { name: 'One' })
      const two = await create(scene, collection, { name: 'Two' })
      const line = `POST /${collection}/${one.id}?id=${two.id}`
      const answer = await scene.ask(line, { as: 'editor', json: { id: two.id, name: 'Three' } })
      assert.deepEqual([answer.body.id, answer.body.name], [one.id, 'Three'])
      assert.equal((await scene.ask(`DELETE /${collection}/${one.id}?id=${two.id}`, { as: 'editor' })).body.id, one.id)
      assert.equal((await scene.ask(`GET /${collection}/${two.id}`)).body.name, 'Two')
    })

    test(`${engine}: a deleted one of ${collection} leaves its events, whatever force says`, async (t) => {
      const scene = await openTermsServer(engine, t)
      const { storage } = scene
      const gone = await create(scene, collection, { name: 'Gone' })
      const stays = await create(scene, collection, { name: 'Stays' })
      const event = await addEvent(scene, { [key]: [gone.id, stays.id], password: 'hash' })
      await scene.news()
      const answer = await scene.ask(`DELETE /${collection}/${gone.id}?force=false`, { as: 'author' })
      const { _links, ...former } = gone
      assert.deepEqual([answer.status, answer.body], [200, { ...former, count: 1 }])
      refuses(await scene.ask(`GET /${collection}/${gone.id}`), 'id')
      refuses(await scene.ask(`DELETE /${collection}/${gone.id}`, { as: 'author' }), 'id')
      const news = await scene.news()
      assert.deepEqual(
        news.map((one) => [one.resource, one.id, one.action, one.revision]),
        [
          [key, gone.id, 'delete', 2],
          ['event', event, 'update', 2],
        ],
      )
      const snapshot = Object.fromEntries(Object.entries(news[1]?.snapshot ?? {}))
      assert.deepEqual(snapshot['links'], { venue: [], organizer: [], category: [], tag: [], [key]: [stays.id] })
      assert.deepEqual([snapshot['has_password'], 'password_hash' in snapshot], [true, false])
      const links = await storage.all(storage.db.selectFrom('occurrence_link').select('target_id'))
      assert.deepEqual(links, [{ target_id: stays.id }])
      const next = await create(scene, collection, { name: 'Gone' })
      assert.ok(next.id > stays.id)
      assert.equal(next.slug, 'gone')
    })
  }

  test(`${engine}: a category stands below another one and shows it`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const top = await create(scene, 'categories', { name: 'Top', parent: '' })
    assert.deepEqual([top.parent, 'up' in top.urls, 'up' in top._links], [0, false, false])
    const low = await create(scene, 'categories', { name: 'Low', parent: String(top.id) })
    assert.equal(low.parent, top.id)
    assert.equal(low.urls.up, top.urls.self)
    assert.equal(low._links.up[0].href, top.urls.self)
    assert.equal(low.url, 'https://calendar.example/events/category/top/low/')
    assert.equal((await scene.ask('GET /categories?hide_empty=0&search=low')).body.categories[0].url, low.url)
  })

  test(`${engine}: every empty parent puts a category at the top`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const top = await create(scene, 'categories', { name: 'Top' })
    for (const [index, none] of [null, 0, '', '0', false].entries()) {
      const { id } = await create(scene, 'categories', { name: `Low ${index}`, parent: top.id })
      const answer = await scene.ask(`PATCH /categories/${id}`, { as: 'editor', json: { parent: none } })
      assert.deepEqual([answer.status, answer.body.parent, 'up' in answer.body.urls], [200, 0, false])
    }
  })

  test(`${engine}: a category is refused a parent that is none, itself or below itself`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const tag = await create(scene, 'tags', { name: 'Tag' })
    const top = await create(scene, 'categories', { name: 'Top' })
    const low = await create(scene, 'categories', { name: 'Low', parent: top.id })
    const lowest = await create(scene, 'categories', { name: 'Lowest', parent: low.id })
    for (const parent of [tag.id, 999_999_999, 'foo', [top.id]]) {
      refuses(await scene.ask('POST /categories', { as: 'editor', json: { name: 'x', parent } }), 'parent')
    }
    for (const parent of [top.id, low.id, lowest.id]) {
      refuses(await scene.ask(`PATCH /categories/${top.id}`, { as: 'editor', json: { parent } }), 'parent')
    }
    const moves = await Promise.all([
      scene.ask(`PATCH /categories/${top.id}`, { as: 'editor', json: { parent: 0 } }),
      scene.ask(`PATCH /categories/${lowest.id}`, { as: 'editor', json: { parent: top.id } }),
    ])
    assert.deepEqual(
      moves.map((one) => one.status),
      [200, 200],
    )
  })

  test(`${engine}: two moves at once never make a circle`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const a = await create(scene, 'categories', { name: 'A' })
    const b = await create(scene, 'categories', { name: 'B' })
    const moves = await Promise.all([
      scene.ask(`PATCH /categories/${a.id}`, { as: 'editor', json: { parent: b.id } }),
      scene.ask(`PATCH /categories/${b.id}`, { as: 'editor', json: { parent: a.id } }),
    ])
    assert.deepEqual(moves.map((one) => one.status).sort(), [200, 400])
    const refused = moves.find((one) => one.status === 400)
    assert.ok(refused)
    refuses(refused, 'parent')
  })

  test(`${engine}: the same name under another category gets the slugs above it`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const alpha = await create(scene, 'categories', { name: 'Alpha' })
    const beta = await create(scene, 'categories', { name: 'Beta', parent: alpha.id })
    await create(scene, 'categories', { name: 'Rock' })
    assert.equal((await create(scene, 'categories', { name: 'Rock', parent: alpha.id })).slug, 'rock-alpha')
    assert.equal((await create(scene, 'categories', { name: 'Rock', parent: beta.id })).slug, 'rock-beta')
    assert.equal(
      (await create(scene, 'categories', { name: 'rock?', slug: 'rock', parent: beta.id })).slug,
      'rock-beta-alpha',
    )
    assert.equal((await create(scene, 'categories', { name: 'rock!', parent: beta.id })).slug, 'rock-beta-alpha-2')
    fails(
      await scene.ask('POST /categories', { as: 'editor', json: { name: 'ROCK', parent: beta.id } }),
      400,
      'term_exists',
    )
  })

  test(`${engine}: the children of a deleted category move up`, async (t) => {
    const scene = await openTermsServer(engine, t)
    const top = await create(scene, 'categories', { name: 'Top' })
    const middle = await create(scene, 'categories', { name: 'Middle', parent: top.id })
    const low = await create(scene, 'categories', { name: 'Low', parent: middle.id })
    await scene.news()
    const gone = await scene.ask(`DELETE /categories/${middle.id}`, { as: 'editor' })
    assert.equal(gone.body.url, 'https://calendar.example/events/category/top/middle/')
    assert.equal((await scene.ask(`GET /categories/${low.id}`)).body.parent, top.id)
    await scene.ask(`DELETE /categories/${top.id}`, { as: 'editor' })
    assert.equal((await scene.ask(`GET /categories/${low.id}`)).body.parent, 0)
    assert.deepEqual(
      (await scene.news()).map((one) => [one.id, one.action, one.revision]),
      [
        [middle.id, 'delete', 2],
        [low.id, 'update', 2],
        [top.id, 'delete', 2],
        [low.id, 'update', 3],
      ],
    )
  })

  test(`${engine}: tags take no parent`, async (t) => {
    const scene = await openTermsServer(engine, t)
    fails(
      await scene.ask('POST /tags', { as: 'editor', json: { name: 'x', parent: 5 } }),
      400,
      'rest_taxonomy_not_hierarchical',
    )
    const { id } = await create(scene, 'tags', { name: 'x', parent: 0 })
    fails(
      await scene.ask(`PATCH /tags/${id}`, { as: 'editor', json: { parent: 'y' } }),
      400,
      'rest_taxonomy_not_hierarchical',
    )
  })
}
