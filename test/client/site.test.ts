import assert from 'node:assert/strict'
import test from 'node:test'
import { kalends, Unsupported } from '../../clients/typescript/src/index.ts'

const ROOT = { name: 'Fake', timezone_string: 'Europe/Vienna', namespaces: ['tribe/events/v1'] }

/** A client of a site whose page has this `Link`; the addresses that it asked for, and whether credentials went there. */
function siteWith({
  link,
  body = 'page',
  root = ROOT,
}: {
  link?: string
  body?: ReadableStream | string
  root?: object
}) {
  const sent: string[] = []
  const open = (base: string) =>
    kalends(base, {
      token: 'kal_secret',
      retries: 0,
      fetch: async (input) => {
        sent.push(String(input))
        if (/wp-json\/$|rest_route=\/$/.test(String(input))) return Response.json(root)
        if (decodeURIComponent(String(input)).includes('events/1')) return Response.json({ id: 1 })
        return new Response(
          body,
          link === undefined ? {} : { headers: { Link: `<${link}>; rel="https://api.w.org/"` } },
        )
      },
    })
  return { open, sent }
}

test('the root of a site is where its pages say, and usually wp-json', async () => {
  for (const [base, link, root] of [
    ['https://a.example', undefined, 'https://a.example/wp-json/'],
    ['https://a.example/blog/', undefined, 'https://a.example/blog/wp-json/'],
    ['https://a.example/wp-json/', undefined, 'https://a.example/wp-json/'],
    ['https://a.example/wp-json/tribe/events/v1', undefined, 'https://a.example/wp-json/'],
    ['https://a.example/cal/events/v1', 'https://a.example/wp-json/', 'https://a.example/wp-json/'],
    ['https://a.example/events/', 'https://a.example/de/wp-json/', 'https://a.example/de/wp-json/'],
    ['https://a.example', 'http://a.example/wp-json/', 'https://a.example/wp-json/'],
    ['https://a.example', 'https://a.example/?rest_route=/', 'https://a.example/?rest_route=/'],
    ['https://a.example', 'https://evil.example/wp-json/', 'https://a.example/wp-json/'],
    ['https://a.example', 'https://a.example:8443/wp-json/', 'https://a.example/wp-json/'],
  ] as const) {
    const { open, sent } = siteWith(link === undefined ? {} : { link })
    assert.equal((await open(base).site()).root, root)
    assert.deepEqual(sent, [new URL(base).href, root])
  }
})

test('without permalinks a path is a parameter', async () => {
  const { open, sent } = siteWith({ link: 'https://a.example/?rest_route=/' })
  await open('https://a.example').events.get(1, { password: 'x y' })
  assert.equal(sent.at(-1), 'https://a.example/?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents%2F1&password=x+y')
})

test('a site is looked for once, and again after a failure', async () => {
  const { open, sent } = siteWith({})
  const c = open('https://a.example')
  await Promise.all([c.site(), c.events.get(1), c.events.get(1)])
  assert.equal(sent.filter((address) => address.endsWith('wp-json/')).length, 1)
  let isDown = true
  const later = kalends('https://a.example', {
    retries: 0,
    fetch: async () => {
      if (isDown) throw new TypeError('fetch failed')
      return Response.json(ROOT)
    },
  })
  await assert.rejects(later.site(), { code: 'network' })
  isDown = false
  assert.equal((await later.site()).kind, 'tec')
})

test('a page that breaks off says where the root is all the same', async () => {
  const body = new ReadableStream({
    cancel() {
      throw new TypeError('terminated')
    },
  })
  assert.equal((await siteWith({ body }).open('https://a.example').site()).kind, 'tec')
})

test('a site whose pages lead to plain HTTP still gets credentials over HTTPS only', async () => {
  const sent: string[] = []
  const c = kalends('https://a.example', {
    token: 'kal_secret',
    fetch: async (input) => {
      sent.push(String(input))
      if (String(input).endsWith('wp-json/')) return Response.json(ROOT)
      return Object.defineProperty(new Response('page'), 'url', { value: 'http://a.example/de/' })
    },
  })
  assert.equal((await c.site()).root, 'https://a.example/de/wp-json/')
  assert.ok(sent.every((address) => address.startsWith('https:')))
})

test('a site without events is not one for this client', async () => {
  const { open } = siteWith({ root: { name: 'Blog', namespaces: ['wp/v2'] } })
  await assert.rejects(open('https://a.example').site(), Unsupported)
})

test('a zone that is an offset is one of the site', async () => {
  for (const [gmt_offset, zone] of [
    [5.5, 'UTC+5.5'],
    [-3, 'UTC-3'],
    [0, 'UTC+0'],
  ] as const) {
    const { open } = siteWith({ root: { ...ROOT, timezone_string: '', gmt_offset } })
    assert.equal((await open('https://a.example').site()).timezone, zone)
  }
})

test('whoever aborts it stops waiting for the site, and others still get it', { timeout: 5000 }, async () => {
  const held = Promise.withResolvers<void>()
  const namespaces = ['cal/events/v1', 'kalends/v1']
  const c = kalends('https://a.example', {
    retries: 0,
    fetch: async (input) => {
      await held.promise
      return String(input).endsWith('wp-json/') ? Response.json({ ...ROOT, namespaces }) : new Response('page')
    },
  })
  const store = { put: () => {}, delete: () => {}, ids: () => [], cursor: () => '' }
  const aborting = new AbortController()
  const { signal } = aborting
  const taken = async (): Promise<object[]> => {
    const all: object[] = []
    for await (const change of c.changes({ signal })) all.push(change)
    return all
  }
  const waiting = [taken(), c.mirror(store, { signal })]
  const other = c.site()
  aborting.abort()
  assert.deepEqual(await Promise.all(waiting), [[], undefined])
  assert.deepEqual(await taken(), [])
  held.resolve()
  assert.equal((await other).kind, 'kalends')
})
