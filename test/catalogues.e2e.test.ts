import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { ERRORS, errorText } from '../src/base/errors.ts'
import { LANGUAGES } from '../src/base/i18n/languages.ts'
import { CATALOGUES, type Catalogue, isMessageId, translate } from '../src/base/i18n/translate.ts'
import { openTestApp } from './support/app.ts'

const FOLDER = new URL('../locales/', import.meta.url)
const ENGLISH = CATALOGUES['en'] ?? {}
const IDS = Object.keys(ENGLISH).filter(isMessageId)

/** Errors that end a command: commands speak English. */
const OF_COMMANDS = new Set(
  Object.entries(ERRORS).flatMap(([code, { status }]) => (status === 0 ? `errors.${code}` : [])),
)

/** English texts that are the same words in another language. */
const SAME_WORDS: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Administrator',
    'Browser',
    'Cyan',
    'Indigo',
    'Link',
    'Magenta',
    'Minute',
    'Name',
    'Online',
    'Orange',
    'Passkey',
    'Passkeys',
    'Problem',
    'Status',
    'System',
    'Text',
    'Webhooks',
  ],
  es: ['Color', 'Magenta', 'No', 'Webhooks'],
  fr: [
    'Cyan',
    'Distance',
    'Image',
    'Images',
    'Indigo',
    'Magenta',
    'Menu',
    'Minute',
    'Olive',
    'Orange',
    'Province',
    'Question',
    'Rose',
    'Service',
    'Violet',
    'Webhooks',
  ],
  it: ['Account', 'Browser', 'File', 'Link', 'Magenta', 'Menu', 'No', 'Online', 'Passkey'],
  nl: [
    'Account',
    'Amber',
    'Browser',
    'Indigo',
    'Link',
    'Magenta',
    'Menu',
    'Online',
    'Passkey',
    'Passkeys',
    'Status',
    'Violet',
    'Webhooks',
    'Week',
  ],
  pl: ['Administrator', 'Magenta', 'Menu', 'Online', 'Problem', 'Status', 'System'],
  pt: ['Magenta', 'Menu', 'Online', 'Webhooks'],
}

/** Strings of the program that have dots in them like ids, and patterns with a part that is filled in: `api.list.${collection}`. */
function stringsOfSources(): { readonly exact: ReadonlySet<string>; readonly patterns: readonly RegExp[] } {
  const exact = new Set<string>()
  const patterns = new Set<string>()
  for (const file of globSync('src/**/*.ts', { cwd: new URL('../', import.meta.url) })) {
    if (file.endsWith('.test.ts')) continue
    const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    for (const [, text = ''] of source.matchAll(/'([\w-]+(?:\.[\w-]+)+)'/g)) exact.add(text)
    for (const [, text = ''] of source.matchAll(/`([\w-]+\.(?:[\w.-]|\$\{[^}`]*\})+)`/g)) patterns.add(text)
  }
  const regExps = [...patterns].map(
    (text) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{.*?\}/g, '[\\w-]+')}$`),
  )
  return { exact, patterns: regExps }
}

/** The names of the arguments of a message. */
function argumentsOf(message: string): string[] {
  const names = new Set<string>()
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.argument) names.add(element.value)
      if (element.type !== TYPE.plural) continue
      names.add(element.value)
      for (const { value } of Object.values(element.options)) visit(value)
    }
  }
  visit(parse(message, { ignoreTag: true }))
  return [...names].sort()
}

/** The plural categories that each plural of a message has. */
function pluralsOf(message: string): string[][] {
  const elements = parse(message, { ignoreTag: true })
  return elements.flatMap((element) => (element.type === TYPE.plural ? [Object.keys(element.options).sort()] : []))
}

test('every id that the program names is in the English catalogue', () => {
  const areas = new Set(IDS.map((id) => id.slice(0, id.indexOf('.'))))
  const { exact } = stringsOfSources()
  const named = [...exact].filter(
    (text) => areas.has(text.slice(0, text.indexOf('.'))) && !/\.(?:css|ts|js|md|json|ics|test)$/.test(text),
  )
  assert.deepEqual(
    named.filter((text) => !isMessageId(text)),
    [],
  )
})

test('the program uses every id of the English catalogue', () => {
  const { exact, patterns } = stringsOfSources()
  const isUsed = (id: string): boolean => exact.has(id) || patterns.some((pattern) => pattern.test(id))
  assert.deepEqual(
    IDS.filter((id) => !isUsed(id)),
    [],
  )
})

test('the program gives every error and every reason', () => {
  const sources = globSync('src/**/*.ts', { cwd: new URL('../', import.meta.url) })
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('base/errors.ts'))
    .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const given = IDS.filter((id) => /^(?:errors|reasons)\./.test(id))
  assert.deepEqual(
    given.filter((id) => !sources.includes(`'${id.slice(id.indexOf('.') + 1)}'`)),
    [],
  )
})

test('every error has a message with the values that it is given', () => {
  const messages = IDS.filter((id) => id.startsWith('errors.'))
  assert.deepEqual(
    messages.sort(),
    Object.keys(ERRORS)
      .map((code) => `errors.${code}`)
      .sort(),
  )
  for (const [code, error] of Object.entries(ERRORS)) {
    const slots = 'slots' in error ? [...error.slots].sort() : []
    assert.deepEqual(argumentsOf(ENGLISH[`errors.${code}`] ?? ''), slots, code)
  }
})

for (const [language, catalogue] of Object.entries(CATALOGUES)) {
  test(`locales/${language}.json is sorted and has no empty text`, () => {
    const text = readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')
    const sorted = Object.fromEntries(Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1)))
    assert.equal(text, `${JSON.stringify(sorted, null, 2)}\n`)
    for (const [id, message] of Object.entries(catalogue)) assert.notEqual(message.trim(), '', id)
  })

  test(`plurals of locales/${language}.json have every form of the language`, () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
    for (const [id, message] of Object.entries(catalogue)) {
      for (const found of pluralsOf(message)) {
        assert.deepEqual(
          found.filter((one) => !one.startsWith('=')),
          forms,
          `${id}: ${message}`,
        )
      }
    }
  })

  test(`reasons in ${language} go on after the name of a parameter and end the sentence`, () => {
    for (const id of IDS.filter((one) => one.startsWith('reasons.'))) {
      assert.match(catalogue[id] ?? '', /^(?!\p{Lu})[\p{L}\p{M}].*[.。]$/u, id)
    }
  })
}

for (const [language, catalogue] of Object.entries(CATALOGUES).filter(([one]) => one !== 'en')) {
  test(`locales/${language}.json has every message of English, and no other`, () => {
    assert.deepEqual(missingAndUnknown(catalogue), { missing: [], unknown: [] })
  })

  test(`locales/${language}.json keeps the arguments of every message`, () => {
    for (const [id, message] of Object.entries(catalogue)) {
      assert.deepEqual(argumentsOf(message), argumentsOf(ENGLISH[id] ?? ''), id)
    }
  })

  test(`locales/${language}.json translates every text`, () => {
    const same = Object.values(ENGLISH).filter((english, at) => catalogue[IDS[at] ?? ''] === english)
    assert.deepEqual([...new Set(same)].sort(), SAME_WORDS[language] ?? [])
  })

  test(`the language segment ${language} speaks the language`, async (t) => {
    const { call, origin } = await openTestApp(t)
    for (const mount of ['/cal/events/v1', '/wp-json/cal/events/v1', '/wp-json/tribe/events/v1']) {
      const { status, body } = await call('anonymous', 'GET', `${origin}/${language}${mount}/events/999999999`)
      const text = errorText(language, 'rest-event-not-found')
      assert.deepEqual([status, body.code, body.message], [404, 'rest-event-not-found', text], mount)
    }
  })

  test(`errors are told in ${language} with the codes of English`, async (t) => {
    const { call } = await openTestApp(t)
    const unknown = await call('anonymous', 'GET', '/events/999999999', { query: { lang: language } })
    assert.equal(unknown.body.code, 'rest-event-not-found')
    assert.equal(unknown.body.message, errorText(language, 'rest-event-not-found'))
    const refused = await call('anonymous', 'GET', '/events', { query: { lang: language, page: 0 } })
    assert.equal(refused.body.message, errorText(language, 'rest_invalid_param', { params: 'page' }))
    assert.equal(refused.body.data.params.page, `page ${translate(language, 'reasons.not_positive')}`)
  })

  test(`the documents of the interface are in ${language}`, async (t) => {
    const { call, origin } = await openTestApp(t)
    const root = await call('anonymous', 'GET', `${origin}/wp-json/`)
    for (const namespace of root.body.namespaces as readonly string[]) {
      for (const path of ['', '/doc']) {
        const { body } = await call('anonymous', 'GET', `${origin}/${namespace}${path}?lang=${language}`)
        const said = new Set(Object.values(catalogue))
        assert.deepEqual(
          textsOf(body).filter((text) => !said.has(text)),
          [],
        )
      }
    }
  })
}

/** The texts for people in a document: descriptions and summaries, at any depth. Examples are data. */
function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => {
    if (name === 'value' || (name === 'examples' && Array.isArray(value))) return []
    const isText = typeof value === 'string' && (name === 'description' || name === 'summary')
    return isText ? [value] : textsOf(value)
  })
}

function missingAndUnknown(catalogue: Catalogue): { readonly missing: string[]; readonly unknown: string[] } {
  return {
    missing: IDS.filter((id) => !Object.hasOwn(catalogue, id) && !OF_COMMANDS.has(id)),
    unknown: Object.keys(catalogue).filter((id) => !isMessageId(id)),
  }
}

test('every catalogue is that of a language', () => {
  assert.deepEqual(readdirSync(FOLDER).sort(), LANGUAGES.map((one) => `${one}.json`).sort())
})

test('an unknown language is no error', async (t) => {
  const { call } = await openTestApp(t)
  for (const path of ['', '/doc', '/events']) {
    assert.equal((await call('anonymous', 'GET', path, { query: { lang: 'xx' } })).status, 200)
  }
})
