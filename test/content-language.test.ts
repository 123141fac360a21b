import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openTestApp, type TestApp } from './support/app.ts'

const TALK = { title: 'Talk', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00', status: 'publish' }

const ITEMS = [
  ['/events', TALK],
  ['/venues', { venue: 'Hall' }],
  ['/organizers', { organizer: 'Club' }],
] as const

async function make({ call }: TestApp, path: string, json: object): Promise<Answer['body']> {
  const { status, body } = await call('editor', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

test('the language of an item is answered in its canonical form, last, and only where it is set', async (t) => {
  const app = await openTestApp(t)
  for (const [path, plain] of ITEMS) {
    const without = await make(app, path, plain)
    assert.ok(!('language' in without), path)
    const made = await make(app, path, { ...plain, language: ' PT-br ' })
    assert.equal(made.language, 'pt-BR', path)
    assert.equal(Object.keys(made).at(-1), 'language', path)
    assert.deepEqual(Object.keys(made).slice(0, -1), Object.keys(without), path)
    const one = `${path}/${made.id}`
    for (const [sent, stored] of [
      ['zh-hant-tw', 'zh-Hant-TW'],
      ['iw', 'he'],
    ]) {
      const changed = await app.call('editor', 'PATCH', one, { json: { language: sent } })
      assert.equal(changed.body.language, stored)
    }
    for (const none of [null, '']) {
      await app.call('editor', 'PATCH', one, { json: { language: 'de' } })
      const cleared = await app.call('editor', 'PATCH', one, { json: { language: none } })
      assert.equal(cleared.status, 200)
      assert.ok(!('language' in cleared.body), `${path} ${none}`)
    }
  }
})

test('what is no language tag is refused', async (t) => {
  const { call } = await openTestApp(t)
  const refused = [
    'German',
    'english',
    'd',
    'de_AT',
    'de-',
    'de--AT',
    '-de',
    'de AT',
    'x-klingon',
    `de-${'a-b1-'.repeat(40)}b`,
    7,
    true,
    ['de'],
  ]
  for (const [path, plain] of ITEMS) {
    for (const language of refused) {
      const { status, body } = await call('editor', 'POST', path, { json: { ...plain, language } })
      assert.equal(status, 400, `${path} ${language}`)
      assert.ok('language' in body.data.params, JSON.stringify(body))
    }
  }
  assert.equal((await call('anonymous', 'GET', '/events?language=')).status, 400)
  assert.equal((await call('anonymous', 'GET', '/venues?language=German')).status, 400)
})

test('a list in a language holds those of its regions, and changes with the items', async (t) => {
  const app = await openTestApp(t)
  for (const [path, plain] of ITEMS) {
    const found = async (language: string): Promise<number[]> => {
      const { status, body } = await app.call('anonymous', 'GET', `${path}?language=${language}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body[path.slice(1)].map(({ id }: { id: number }) => id).sort((one: number, other: number) => one - other)
    }
    const ids: Record<string, number> = {}
    for (const language of ['', 'de', 'de-AT', 'den', 'en']) {
      const named = Object.fromEntries(
        Object.entries(plain).map(([name, text]) => [
          name,
          name === 'status' || name.endsWith('date') ? text : `${text} ${language}`,
        ]),
      )
      ids[language] = (await make(app, path, { ...named, language })).id
    }
    assert.deepEqual(await found('DE'), [ids['de'], ids['de-AT']])
    assert.deepEqual(await found('de-at'), [ids['de-AT']])
    assert.deepEqual(await found('fr'), [])
    await app.call('editor', 'PATCH', `${path}/${ids['en']}`, { json: { language: 'fr-CA' } })
    assert.deepEqual(await found('fr'), [ids['en']])
    assert.deepEqual(await found('en'), [])
  }
})

test('pages, feeds and structured data say in which language and direction content is written', async (t) => {
  const app = await openTestApp(t)
  const { origin } = app
  const venue = await make(app, '/venues', { venue: 'Saal', description: 'Groß', language: 'de-AT' })
  const event = await make(app, '/events', {
    ...TALK,
    title: 'أمسية',
    description: 'مساء الخير',
    venue: venue.id,
    language: 'ar',
  })
  const text = async (path: string): Promise<string> => String((await app.call('anonymous', 'GET', origin + path)).body)
  const page = await text(`/event/${event.slug}/`)
  assert.match(page, /<h1><bdi lang="ar" dir="rtl">أمسية<\/bdi><\/h1>/)
  assert.match(page, /<div class="prose" lang="ar" dir="rtl">/)
  assert.match(page, /lang="de-AT" dir="ltr">Saal</)
  assert.match(page, /"inLanguage":"ar"/)
  assert.match(await text(`/venue/${venue.slug}/`), /<div class="prose" lang="de-AT" dir="ltr">/)
  for (const path of ['/events/', '/events/2027-03/', '/events/week/2027-03-01/', '/events/2027-03-01/']) {
    assert.match(await text(path), / lang="ar" dir="rtl">أمسية</, path)
  }
  const feed = await app.call('anonymous', 'GET', `${origin}/events/feed.json`)
  assert.equal(feed.body.items[0].language, 'ar')
  const file = (await text(`/event/${event.slug}/ical/`)).replaceAll('\r\n ', '')
  assert.match(file, /\r\nSUMMARY;LANGUAGE=ar:أمسية\r\n/)
  assert.match(file, /\r\nDESCRIPTION;LANGUAGE=ar:/)
  assert.match(file, /\r\nLOCATION;LANGUAGE=de-AT:Saal\r\n/)
})

test('an import keeps a language that can be read, also in the form of locales', async (t) => {
  const app = await openTestApp(t)
  const dates = { start_date: TALK.start_date, end_date: TALK.end_date, timezone: 'Europe/Vienna' }
  const events = ['de_AT', 'German', { code: 'de' }].map((language, at) => ({
    ...{
      id: 900 + at,
      global_id: `old.example?id=${900 + at}`,
      title: `No ${at}`,
      slug: `no-${at}`,
      ...dates,
      language,
    },
    venue: { id: 950 + at, global_id: `old.example?id=${950 + at}`, venue: `Hall ${at}`, language },
  }))
  const options = { author: undefined, onProgress: () => undefined }
  assert.ok(await app.app.importJson?.([{ name: 'a.json', bytes: Buffer.from(JSON.stringify({ events })) }], options))
  const { body } = await app.call('anonymous', 'GET', '/events?start_date=2027-01-01')
  const shown = body.events.map((one: Answer['body']) => [one.slug, one.language, one.venue.language])
  assert.deepEqual(shown.sort(), [
    ['no-0', 'de-AT', 'de-AT'],
    ['no-1', undefined, undefined],
    ['no-2', undefined, undefined],
  ])
})
