import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { ADMIN_TEXTS } from '../src/admin/texts.ts'
import { ERRORS, fillSlots } from '../src/base/errors.ts'
import { LANGUAGES } from '../src/base/i18n/languages.ts'
import { CATALOGUES } from '../src/base/i18n/translate.ts'
import { CATEGORY_FIELDS } from '../src/model/category.ts'
import { EVENT_FIELDS } from '../src/model/event.ts'
import { type AnyField, SECTIONS } from '../src/model/kinds/field.ts'
import { REASONS } from '../src/model/kinds/kind.ts'
import { ORGANIZER_FIELDS } from '../src/model/organizer.ts'
import { VENUE_FIELDS } from '../src/model/venue.ts'
import { PAGE_TEXTS } from '../src/pages/texts.ts'
import { openTestApp, type TestApp } from './support/app.ts'

const FOLDER = new URL('../locales/', import.meta.url)

/** English texts that are the same words in another language. */
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  de: ['Administrator', 'Browser', 'Link', 'Minute', 'Name', 'Online', 'Status', 'System', 'Webhooks'],
  es: ['No', 'Webhooks'],
  fr: ['Image', 'Messages', 'Minute', 'Province', 'Webhooks'],
  it: ['Browser', 'File', 'Link', 'No', 'Online'],
  nl: ['Browser', 'Interval', 'Link', 'Online', 'Status', 'Webhooks', 'Week'],
  pl: ['Administrator', 'Online', 'Status', 'System'],
  pt: ['Online', 'Webhooks'],
}

/** Names of fields in forms. */
const LABELS = [EVENT_FIELDS, VENUE_FIELDS, ORGANIZER_FIELDS, CATEGORY_FIELDS].flatMap((fields: readonly AnyField[]) =>
  fields.flatMap(({ label }) => label ?? []),
)

/** The texts for people in an answer: descriptions and summaries, at any depth. Examples are data. */
function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => {
    if (name === 'value' || (name === 'examples' && Array.isArray(value))) return []
    const isText = typeof value === 'string' && (name === 'description' || name === 'summary')
    return isText ? [value] : textsOf(value)
  })
}

/** Every text that the program says to clients in English: of all routes, reasons and errors that travel over HTTP. */
async function englishTexts({ call, origin }: TestApp): Promise<ReadonlySet<string>> {
  const root = await call('anonymous', 'GET', `${origin}/wp-json/`)
  const spoken: unknown[] = []
  for (const namespace of root.body.namespaces as readonly string[]) {
    for (const path of ['', '/doc']) {
      spoken.push((await call('anonymous', 'GET', `${origin}/${namespace}${path}?lang=en`)).body)
    }
  }
  const errors = Object.values(ERRORS).filter((one) => one.status > 0)
  const told = [...Object.values(REASONS), ...errors.map((one) => one.text)]
  return new Set([...spoken.flatMap(textsOf), ...told, ...ADMIN_TEXTS, ...PAGE_TEXTS, ...SECTIONS, ...LABELS])
}

function slotsOf(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([slot]) => slot).sort()
}

for (const [language, catalogue] of Object.entries(CATALOGUES)) {
  test(`locales/${language}.json has every text and none that is not used`, async (t) => {
    const english = await englishTexts(await openTestApp(t))
    const missing = [...english].filter((text) => !Object.hasOwn(catalogue, text))
    const unused = Object.keys(catalogue).filter((text) => !english.has(text))
    assert.deepEqual({ missing, unused }, { missing: [], unused: [] })
  })

  test(`locales/${language}.json is sorted, has no empty text and keeps every slot`, () => {
    const text = readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')
    const sorted = Object.fromEntries(Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1)))
    assert.equal(text, `${JSON.stringify(sorted, null, 2)}\n`)
    for (const [english, translated] of Object.entries(catalogue)) {
      assert.notEqual(translated.trim(), '', english)
      assert.deepEqual(slotsOf(translated), slotsOf(english), english)
    }
  })

  test(`locales/${language}.json translates every text`, () => {
    const same = Object.keys(catalogue).filter((english) => catalogue[english] === english)
    assert.deepEqual(same, SAME_WORDS[language] ?? [])
  })

  test(`reasons in ${language} go on after the name of a parameter and end the sentence`, () => {
    for (const english of Object.values(REASONS)) {
      const reason = catalogue[english] ?? ''
      assert.match(reason, /^(?!\p{Lu})[\p{L}\p{M}].*[.。]$/u, english)
    }
  })

  test(`the language segment ${language} speaks the language`, async (t) => {
    const { call, origin } = await openTestApp(t)
    for (const mount of ['/cal/events/v1', '/wp-json/cal/events/v1', '/wp-json/tribe/events/v1']) {
      const { status, body } = await call('anonymous', 'GET', `${origin}/${language}${mount}/events/999999999`)
      const text = catalogue[ERRORS['rest-event-not-found'].text]
      assert.deepEqual([status, body.code, body.message], [404, 'rest-event-not-found', text], mount)
    }
  })

  test(`errors are told in ${language} with the codes of English`, async (t) => {
    const { call } = await openTestApp(t)
    const unknown = await call('anonymous', 'GET', '/events/999999999', { query: { lang: language } })
    assert.equal(unknown.body.code, 'rest-event-not-found')
    assert.equal(unknown.body.message, catalogue[ERRORS['rest-event-not-found'].text])
    const refused = await call('anonymous', 'GET', '/events', { query: { lang: language, page: 0 } })
    assert.equal(refused.body.message, fillSlots(catalogue[ERRORS.rest_invalid_param.text] ?? '', { params: 'page' }))
    assert.equal(refused.body.data.params.page, `page ${catalogue[REASONS.not_positive]}`)
  })
}

test('every catalogue is that of a language', () => {
  const files = readdirSync(FOLDER).sort()
  const expected = LANGUAGES.filter((one) => one !== 'en').map((one) => `${one}.json`)
  assert.deepEqual(files, expected.sort())
})

test('an unknown language is no error', async (t) => {
  const { call } = await openTestApp(t)
  for (const path of ['', '/doc', '/events']) {
    assert.equal((await call('anonymous', 'GET', path, { query: { lang: 'xx' } })).status, 200)
  }
})
