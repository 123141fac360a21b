import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp, type TestApp } from './support/app.ts'

const mine = await openTestApp({ after })
const { call, origin } = mine
const HEALTH = `${origin}/kalends/v1/health`
const MOUNTS = ['', '/wp-json', '/de', '/de/wp-json', '/index.php/wp-json', '/?rest_route=']

test('health is ok under every mount, for everybody, and kept by nobody', async () => {
  for (const mount of MOUNTS) {
    for (const role of ['anonymous', 'subscriber'] as const) {
      const answer = await call(role, 'GET', `${origin}${mount}/kalends/v1/health`)
      assert.deepEqual([answer.status, answer.body], [200, { status: 'ok' }], mount)
      assert.equal(answer.headers.get('cache-control'), 'no-store', mount)
    }
  }
  assert.equal((await call('anonymous', 'HEAD', HEALTH)).status, 200)
})

test('index and document of kalends/v1 name health', async () => {
  const { routes } = (await call('anonymous', 'GET', `${origin}/kalends/v1`)).body
  assert.deepEqual(routes['/kalends/v1/health'].methods, ['GET'])
  const { paths } = (await call('anonymous', 'GET', `${origin}/kalends/v1/doc`)).body
  const { responses } = paths['/health'].get
  assert.deepEqual(responses['503'].content['application/json'].schema.properties.code.enum, [
    'rest_query_too_costly',
    'rest_too_busy',
    'rest_unavailable',
    'rest_data_missing',
    'rest_disk_full',
  ])
})

async function assertUnavailable({ call, origin }: TestApp): Promise<void> {
  const answer = await call('anonymous', 'GET', `${origin}/kalends/v1/health?lang=de`)
  assert.deepEqual([answer.status, answer.body.code, answer.body.data], [503, 'rest_unavailable', { status: 503 }])
  assert.match(answer.body.message, /^Der Server kann im Moment nicht/)
  assert.deepEqual([answer.headers.get('retry-after'), answer.headers.get('cache-control')], ['1', 'no-store'])
}

test('health is rest_unavailable when the database does not answer, a second after it did at the latest', async (t) => {
  const other = await openTestApp(t)
  const health = `${other.origin}/kalends/v1/health`
  assert.equal((await other.call('anonymous', 'GET', health)).status, 200)
  await other.app.storage.close()
  other.clock.now += 1000
  await assertUnavailable(other)
  const answer = await other.call('anonymous', 'GET', '/events', { isBroken: true })
  assert.deepEqual([answer.status, answer.body.code], [500, 'internal_server_error'], 'it has to be an answer')
})

// The last test: what drains does not come back.
test('health is rest_unavailable from a server that is about to end, which answers everything else', async () => {
  mine.app.drain()
  await assertUnavailable(mine)
  assert.equal((await call('anonymous', 'GET', '/events')).status, 200)
})
