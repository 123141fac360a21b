import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

const { call, origin } = await openTestApp({ after })

/** Every namespace, and the addresses that each has of its own. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  'kalends/v1': ['', '/doc', '/events.ics'],
  'wp/v2': [''],
  'tec/v1': ['', '/venues', '/organizers'],
}
const MOUNTS = ['', '/wp-json', '/de', '/de/wp-json', '/index.php/wp-json', '/?rest_route=']

for (const [namespace, paths] of Object.entries(OWN)) {
  test(`${namespace} answers under every mount`, async () => {
    for (const mount of MOUNTS) {
      for (const path of paths) {
        const answer = await call('anonymous', 'GET', `${origin}${mount}/${namespace}${path}`)
        assert.equal(answer.status, 200, `${mount} ${path}`)
      }
      for (const path of ['/types', '/anything/else', '/events/by-slug/any']) {
        const { status, headers, body } = await call('anonymous', 'GET', `${origin}${mount}/${namespace}${path}`)
        assert.deepEqual([status, body.code, body.data], [404, 'rest_no_route', { status: 404 }], `${mount} ${path}`)
        assert.match(headers.get('content-type') ?? '', /^application\/json/)
      }
    }
  })

  test(`the index of ${namespace} lists its own routes under the mount that was called`, async () => {
    const { body } = await call('anonymous', 'GET', `${origin}/de/wp-json/${namespace}`)
    assert.equal(body.namespace, namespace)
    assert.equal(body.routes[`/${namespace}`].endpoints[0].args.namespace.default, namespace)
    assert.equal(body.routes[`/${namespace}`]._links.self[0].href, `${origin}/de/wp-json/${namespace}`)
    assert.deepEqual(body._links, { up: [{ href: `${origin}/de/wp-json/` }] })
    for (const pattern of Object.keys(body.routes)) assert.ok(pattern.startsWith(`/${namespace}`), pattern)
    for (const path of paths) assert.ok(Object.hasOwn(body.routes, `/${namespace}${path.replace('.', '\\.')}`), path)
  })

  test(`${namespace} has the stages of every route: credentials, _fields, _envelope, HEAD, OPTIONS, CORS`, async () => {
    const index = `${origin}/wp-json/${namespace}`
    const wrong = await call('anonymous', 'GET', index, { headers: { authorization: 'Basic eDp5' } })
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'incorrect_password'])
    const cut = await call('anonymous', 'GET', `${index}?_fields=namespace`)
    assert.deepEqual(cut.body, { namespace })
    const wrapped = await call('anonymous', 'GET', `${index}?_envelope=1&_fields=namespace`)
    assert.deepEqual([wrapped.body.status, wrapped.body.body], [200, { namespace }])
    const head = await call('anonymous', 'HEAD', index)
    assert.deepEqual([head.status, head.headers.get('allow'), head.body], [200, 'GET', ''])
    const headers = { origin: 'https://other.example' }
    const options = await call('anonymous', 'OPTIONS', index, { headers })
    assert.equal(options.headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(options.body.methods, ['GET'])
    assert.deepEqual((await call('anonymous', 'OPTIONS', `${index}/types`)).body, [])
    assert.equal((await call('anonymous', 'POST', index)).body.code, 'rest_no_route')
  })
}

test('every index lists any namespace that is asked for, and no other', async () => {
  const names = ['cal/events/v1', 'tribe/events/v1', ...Object.keys(OWN)]
  for (const from of names) {
    for (const namespace of names) {
      const { body } = await call('anonymous', 'GET', `${origin}/wp-json/${from}?namespace=${namespace}`)
      const own = await call('anonymous', 'GET', `${origin}/wp-json/${namespace}`)
      assert.deepEqual(body, own.body, `${namespace} from ${from}`)
    }
    const { status, body } = await call('anonymous', 'GET', `${origin}/wp-json/${from}?namespace=wp/v3`)
    assert.deepEqual([status, body.code], [404, 'rest_invalid_namespace'])
  }
})

test('the document of kalends/v1 describes its own routes under its own address', async () => {
  const { body } = await call('anonymous', 'GET', `${origin}/wp-json/kalends/v1/doc`)
  assert.deepEqual(body.servers, [{ url: `${origin}/wp-json/kalends/v1` }])
  assert.ok(Object.hasOwn(body.paths, '/doc'))
  assert.ok(!Object.hasOwn(body.paths, '/events'))
})

test('the root index names every namespace', async () => {
  const { body } = await call('anonymous', 'GET', `${origin}/wp-json/`)
  assert.deepEqual(body.namespaces, ['cal/events/v1', 'tribe/events/v1', 'kalends/v1', 'wp/v2', 'tec/v1'])
})
