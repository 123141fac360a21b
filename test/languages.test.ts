import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LANGUAGES } from '../src/base/i18n/languages.ts'
import { type MessageId, translate } from '../src/base/i18n/translate.ts'
import { type Answer, openTestApp } from './support/app.ts'
import { IS_FULL } from './support/draws.ts'

/*
 * Where a request may say its language, and what follows from it: descriptions and messages, and nothing else
 * (interface: What the service does; decisions: Locale).
 */

const { call, origin } = await openTestApp({ after })
const FRENCH = await openTestApp({ after }, { language: 'fr' })

type Hints = { readonly segment?: string; readonly lang?: string; readonly accept?: string }

function ask(method: string, path: string, { segment, lang, accept }: Hints): Promise<Answer> {
  const mount = segment === undefined ? origin : `${origin}/${segment}`
  return call(
    'anonymous',
    method,
    `${mount}/wp-json/cal/events/v1${path}${lang === undefined ? '' : `?lang=${lang}`}`,
    {
      headers: { 'accept-language': accept ?? '*' },
    },
  )
}

/** Requests with what they say in the language of the request. */
const SAID: Readonly<Record<string, (hints: Hints) => Promise<readonly [id: MessageId, said: string]>>> = {
  index: async (hints) => {
    const { body } = await ask('GET', '', hints)
    return ['api.numberItemsPerPage', body.routes['/cal/events/v1/events'].endpoints[0].args.per_page.description]
  },
  document: async (hints) => {
    const { body } = await ask('GET', '/doc', hints)
    return ['api.create.event', body.paths['/events'].post.summary]
  },
  OPTIONS: async (hints) => {
    const { body } = await ask('OPTIONS', '/tags', hints)
    return ['api.terms.onlyTermSlug', body.endpoints[0].args.slug.description]
  },
  error: async (hints) => {
    const { body } = await ask('GET', '/events/999999999', hints)
    return ['errors.rest-event-not-found', body.message]
  },
  'missing route': async (hints) => {
    const { body } = await ask('GET', '/nothing', hints)
    return ['errors.rest_no_route', body.message]
  },
}

for (const [place, say] of Object.entries(SAID)) {
  test(`${place}: the segment outweighs lang, lang the header, and the header the default`, async () => {
    for (const [hints, language] of [
      [{ segment: 'de', lang: 'es', accept: 'ja' }, 'de'],
      [{ lang: 'es', accept: 'ja' }, 'es'],
      [{ accept: 'sv, pl;q=0.3, ja;q=0.8' }, 'ja'],
      [{ segment: 'AR', lang: 'xx' }, 'ar'],
      [{ lang: 'xx', accept: 'nl-BE' }, 'nl'],
      [{ lang: 'sv', accept: 'sv' }, 'en'],
      [{}, 'en'],
    ] as const) {
      const [id, said] = await say(hints)
      assert.equal(said, translate(language, id), JSON.stringify(hints))
      assert.equal(said === translate('en', id), language === 'en')
    }
  })
}

test('the default is an option', async () => {
  const { body } = await FRENCH.call('anonymous', 'GET', '/nothing', { headers: { 'accept-language': '*' } })
  assert.equal(body.message, translate('fr', 'errors.rest_no_route'))
  const german = await FRENCH.call('anonymous', 'GET', '/nothing', { query: { lang: 'de' } })
  assert.equal(german.body.message, translate('de', 'errors.rest_no_route'))
})

/** The same answer with every text for people taken out. */
function withoutTexts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutTexts)
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(
    ([name, value]) => typeof value !== 'string' || !['description', 'summary', 'message'].includes(name),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutTexts(value)]))
}

const namespaces = (await call('anonymous', 'GET', `${origin}/wp-json/`)).body.namespaces as readonly string[]
const paths: string[] = []
for (const namespace of namespaces) {
  const { body } = await call('anonymous', 'GET', `${origin}/wp-json/${namespace}`)
  for (const pattern of Object.keys(body.routes)) {
    paths.push(pattern.replace(/\(\?P<id>[^)]*\)/, '1').replace(/\(\?P<slug>[^)]*\)/, 'x'))
  }
}

for (const language of LANGUAGES.filter((one) => one === 'ar' || (IS_FULL && one !== 'en'))) {
  test(`identifiers, types, defaults and required flags are the same in ${language}: indexes, documents, OPTIONS`, async () => {
    const asked = [
      ...paths.map((path) => ['OPTIONS', path] as const),
      ...namespaces.flatMap((one) => [['GET', `/${one}`] as const, ['GET', `/${one}/doc`] as const]),
    ]
    for (const [method, path] of asked) {
      const english = await call('anonymous', method, `${origin}/wp-json${path}?lang=en`)
      const other = await call('anonymous', method, `${origin}/wp-json${path}?lang=${language}`)
      const place = `${method} ${path}`
      assert.equal(other.status, english.status, place)
      assert.deepEqual(withoutTexts(other.body), withoutTexts(english.body), place)
      // Paths without parameters say nothing for people.
      const isSilent = JSON.stringify(withoutTexts(english.body)) === JSON.stringify(english.body)
      assert.equal(JSON.stringify(other.body) === JSON.stringify(english.body), isSilent, place)
    }
  })
}
