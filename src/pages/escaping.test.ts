import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { openTestApp } from '../../test/support/app.ts'
import { decodeEntities } from '../base/text/entities.ts'
import type { Site } from '../model/site.ts'
import { html } from './html.ts'
import { layOut } from './layout.ts'
import { contextOf } from './page-context.ts'

const TIMES = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** Plain text that would run, end an element or an attribute, or be read as an entity. */
const HOSTILE = [
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&lt;/title&gt;&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;',
  `" onmouseover="alert(1)" x='`,
  '&amp;lt;b&amp;gt; &amp;copy; Q&A 5 &lt; 6',
]

/** The only elements that may be in a page of hostile texts beside those of the layout. */
const SAFE = new Set(
  ['html', 'head', 'meta', 'title', 'link', 'style', 'script', 'body', 'header', 'main', 'footer', 'a', 'p', 'br']
    .concat(['h1', 'h2', 'h3', 'ul', 'li', 'dl', 'dt', 'dd', 'time', 'span', 'code', 'em', 'small', 'strong'])
    .concat([
      'bdi',
      'select',
      'option',
      'div',
      'section',
      'article',
      'aside',
      'nav',
      'form',
      'input',
      'button',
      'label',
      'details',
      'summary',
    ])
    .concat(['svg', 'path', 'b', 's', 'ol'])
    .concat(['table', 'thead', 'tbody', 'tr', 'th', 'td', 'abbr'])
    .concat(['event-share']),
)

/** Asserts that a page has no element and no attribute that the layout does not write. */
function assertTame(page: string): void {
  for (const [tag, name = '', attributes = ''] of page.matchAll(
    /<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/gi,
  )) {
    assert.ok(SAFE.has(name.toLowerCase()), tag)
    assert.doesNotMatch(attributes.replaceAll(/="[^"]*"/g, ''), /\bon|srcdoc|formaction/i, tag)
    for (const [, target = ''] of attributes.matchAll(/(?:href|src)="([^"]*)"/g)) {
      assert.match(target, /^(https?:|\/(?!\/)|mailto:|tel:|webcal:|#main$)/, tag)
    }
  }
  const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
  assert.equal(page.match(/<script/gi)?.length ?? 0, scripts.length)
  for (const [, attributes = '', data = ''] of scripts) {
    // Those of the site itself are files.
    if (attributes.startsWith(' type="module"')) {
      assert.match(attributes, / src="\/assets\/[a-z]+\.[0-9a-f]{10}\.js"$/)
      assert.equal(data, '')
      continue
    }
    assert.equal(attributes, ' type="application/ld+json"')
    assert.doesNotThrow(() => JSON.parse(data))
    assert.ok(!data.includes('<'))
  }
}

for (const text of HOSTILE) {
  test(`no page runs ${text}`, async (t) => {
    const { call, origin } = await openTestApp(t, { siteName: decodeEntities(text) })
    const description = `${text}<script>alert(1)</script><a href="javascript:alert(1)">x</a><p onclick="alert(1)">y</p>`
    const place = { address: text, city: text, phone: text, description, website: "https://x.example/?a=1&b='c'" }
    const terms = { categories: [`C ${text}`], tags: [`T ${text}`] }
    const json = { title: text, description, excerpt: description, ...TIMES, cost: text, ...terms }
    const linked = { venue: { ...place, venue: text }, organizer: { organizer: text, description, phone: text } }
    const { status, body } = await call('administrator', 'POST', '/events', { json: { ...json, ...linked } })
    assert.equal(status, 201, JSON.stringify(body))
    const plain = decodeEntities(text)
    const termPages = await Promise.all(
      [...body.categories, ...body.tags].map(async (one) => (await call('anonymous', 'GET', one.urls.self)).body.url),
    )
    for (const url of [body.url, body.venue.url, body.organizer[0].url, ...termPages, `${origin}/`, `${origin}/none`]) {
      const { body: page, headers } = await call('anonymous', 'GET', url)
      assertTame(page)
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';/)
      const title = decodeEntities(/<title>(.*)<\/title>/.exec(page)?.[1] ?? '')
      assert.ok(title.includes(plain), `${url}: ${title}`)
    }
    for (const url of [body.venue.url, body.organizer[0].url]) {
      const { body: page } = await call('anonymous', 'GET', url)
      const facts = [...page.matchAll(/<dd>(.*)<\/dd>/g)].map(([, fact = '']) =>
        decodeEntities(fact.replace(/<[^>]*>/g, '')),
      )
      assert.ok(facts.includes(plain), `${url}: ${facts.join(' | ')}`)
    }
    const { body: page } = await call('anonymous', 'GET', body.url)
    assert.equal(decodeEntities(/<h1>(.*)<\/h1>/.exec(page)?.[1] ?? ''), plain)
    const data = JSON.parse(/<script type="application\/ld\+json">(.*)<\/script>/.exec(page)?.[1] ?? '')
    assert.deepEqual([data.name, data.location.name], [plain, plain])
  })
}

test('a value in a template is text, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { markup } = html`<a title="${text}">${text}</a>`
      const inside = /^<a title="([^"<>]*)">([^<>]*)<\/a>$/.exec(markup)
      assert.deepEqual(inside?.slice(1).map(decodeEntities), [text, text])
    }),
  )
})

const SITE: Site = {
  name: 's',
  zone: 'UTC',
  host: 'x.example',
  currencySymbol: '$',
  currencyPosition: 'prefix',
  perPageMax: 50,
}

test('data for search engines cannot end its element', () => {
  const urls = {
    api: (path: string) => `https://x.example/api${path}`,
    root: (path: string) => `https://x.example${path}`,
    page: (path: string) => `https://x.example${path}`,
    index: 'https://x.example/wp-json/',
  }
  const context = contextOf({
    language: 'en',
    urls,
    now: 0,
    mount: { language: '', prefix: '', namespace: 'cal/events/v1' },
  })
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('</script>', '<!--<script>', '<'), (json, end) => {
      const value = [JSON.parse(json), end]
      const sheet = { title: 't', deps: { site: SITE, namespaces: [] }, body: html``, context, jsonLd: value }
      const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(String(layOut(sheet).body))?.[1] ?? ''
      assert.deepEqual(JSON.parse(data), JSON.parse(JSON.stringify(value)))
    }),
  )
})
