import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { openTestApp, type TestApp } from './support/app.ts'
import {
  assertFits,
  closeBrowser,
  faultsInEveryLook,
  gotoWithoutScripts,
  NO_BROWSER,
  SCREENS,
  type Visit,
  violations,
  visit,
  WAYS,
} from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'
import { type Exhibition, fillExhibition } from './support/exhibition.ts'

let app: TestApp
let shown: Exhibition
const ends: (() => Promise<void>)[] = []

before(async () => {
  if (NO_BROWSER !== false) return
  app = await openTestApp({ after: (step) => void ends.push(step) }, { siteName: 'Harbourtown Calendar' })
  shown = await fillExhibition(app)
  const weekly = { title: 'Yoga', start_date: '2026-11-24 18:00', end_date: '2026-11-24 19:00' }
  const stream = { event_status: 'moved_online', event_status_reason: 'Storm', is_virtual: true }
  for (const json of [
    { ...weekly, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=26'] },
    { ...weekly, title: 'Stream', ...stream, virtual_url: 'https://stream.example.org/1' },
  ])
    assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
})
after(async () => {
  await closeBrowser()
  for (const end of ends) await end()
})

const PATHS: Readonly<Record<string, () => string>> = {
  front: () => '/',
  list: () => '/events/',
  'past events': () => '/events/past/',
  month: () => '/events/2026-11/',
  week: () => '/events/week/2026-11-23/',
  day: () => '/events/2026-11-28/',
  event: () => `/event/${shown.event.slug}/`,
  venue: () => `/venue/${shown.venue.slug}/`,
  organizer: () => '/organizer/harbourtown-arts/',
  category: () => '/events/category/music/',
  'empty month': () => '/events/2031-03/',
  embed: () => '/embed/',
  search: () => '/search?q=choir',
  places: () => '/events/map/',
  'nothing found': () => '/search?q=nothinglikeit',
  missing: () => '/nowhere/',
  tag: () => '/events/tag/accessible/',
  online: () => '/events/?is_virtual=true',
  series: () => '/series/yoga/',
  'date of a series': () => '/event/yoga/2026-12-01/',
  'moved online': () => '/event/stream/',
  'list in a frame': () => '/events/?embed=1',
  'month in a frame': () => '/events/2026-11/?embed=1',
  'event in a frame': () => `/event/${shown.event.slug}/?embed=1`,
}

/** The languages, one of each direction, in which pages are looked at, with scripts and without. */
const LANGUAGES_AND_WAYS = ['en', 'ar'].flatMap((locale) =>
  WAYS.map(({ javaScriptEnabled: hasScripts, way: how }) => ({ locale, hasScripts, how })),
)

for (const { locale, hasScripts, how } of LANGUAGES_AND_WAYS) {
  test(`axe finds nothing on any screen in ${locale}, light or dark, ${how}, and nothing is too wide`, {
    skip: NO_BROWSER || ONLY_NIGHTLY,
    timeout: 600_000,
  }, async (t) => {
    const { page } = await visit(t, { locale })
    for (const [name, path] of Object.entries(PATHS)) {
      const address = `${app.origin}/${locale}${path()}`
      await (hasScripts ? page.goto(address) : gotoWithoutScripts(page, address))
      assert.deepEqual(await faultsInEveryLook(page), [], name)
    }
  })
}

/** Most bytes of a page without its pictures, and of its scripts and styles alone, as they are sent. */
const MOST_BYTES = { page: 100 * 1024, scripts: 6 * 1024, styles: 12 * 1024 }

/** The bytes that a browser which has seen nothing yet is sent for a page, by their kind. */
async function bytesOf(t: TestContext, path: string): Promise<ReadonlyMap<string, number>> {
  const { page, context } = await visit(t, { viewport: SCREENS.desktop })
  const session = await context.newCDPSession(page)
  const kinds = new Map<string, string>()
  const bytes = new Map<string, number>()
  session.on('Network.responseReceived', ({ requestId, type }) => void kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? ''
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength)
  })
  await session.send('Network.enable')
  await page.goto(app.origin + path, { waitUntil: 'load' })
  await context.close()
  return bytes
}

test('no page for visitors is heavy, whatever its pictures are', { skip: NO_BROWSER, timeout: 600_000 }, async (t) => {
  for (const [name, path] of Object.entries(PATHS)) {
    const bytes = await bytesOf(t, `/en${path()}`)
    const scripts = bytes.get('Script') ?? 0
    const all = [...bytes].reduce((sum, [kind, size]) => sum + (kind === 'Image' ? 0 : size), 0)
    assert.ok(scripts > 0 && scripts <= MOST_BYTES.scripts, `${name}: ${scripts} bytes of scripts`)
    const styles = bytes.get('Stylesheet') ?? 0
    assert.ok(styles > 0 && styles <= MOST_BYTES.styles, `${name}: ${styles} bytes of styles`)
    assert.ok(all > scripts && all <= MOST_BYTES.page, `${name}: ${all} bytes`)
  }
})

/** Where the first event of a page starts, in pixels from the top. */
const FIRST_EVENT = `document.querySelector('main :is(.poster, .card)').getBoundingClientRect().top`

for (const { javaScriptEnabled, way: how } of WAYS) {
  test(`the first event is in sight at once, and the phone is not wider than its screen, ${how}`, {
    skip: NO_BROWSER,
  }, async (t) => {
    for (const width of [360, 768, 1440]) {
      const { page } = await visit(t, { javaScriptEnabled, viewport: { width, height: 900 } })
      for (const path of [
        '/',
        '/events/',
        '/events/?categories=music&start_date=2026-11-21&starts_before=2026-11-27',
      ]) {
        await page.goto(`${app.origin}/en${path}`)
        const top = await page.evaluate<number>(FIRST_EVENT)
        assert.ok(top < 450, `${path} at ${width}: ${top}`)
        await assertFits(page, `${path} at ${width}`)
        assert.equal(await page.locator('h1').textContent(), 'What’s on')
      }
    }
  })
}

for (const { javaScriptEnabled, way: how } of WAYS) {
  test(`more of a list is loaded, each event once and each day under one heading, ${how}`, {
    skip: NO_BROWSER,
  }, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.phone })
    await page.goto(`${app.origin}/en/events/?per_page=4`)
    const titles = page.locator('.card .title a')
    const links = (): Promise<string[]> => titles.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    const before = await links()
    await page.getByRole('link', { name: 'Load more' }).click()
    if (javaScriptEnabled) await titles.nth(before.length).waitFor()
    else await page.waitForURL(/page=2/)
    const after = await links()
    assert.equal(new Set([...before, ...after]).size, before.length + 4)
    assert.deepEqual(after.slice(0, javaScriptEnabled ? before.length : 0), javaScriptEnabled ? before : [])
    const days = await page.locator('.day h2 time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))
    assert.equal(new Set(days).size, days.length)
  })
}

test('what is wrong in dark colours alone, or on a phone alone, is found', { skip: NO_BROWSER }, async (t) => {
  const { page } = await visit(t)
  const style = '@media (prefers-color-scheme: dark) { p { color: #777; background: #666 } } h1 { width: 500px }'
  const head = `<!doctype html><html lang="en"><title>Page</title><meta name="viewport" content="width=device-width">`
  await page.setContent(`${head}<style>${style}</style><main><h1>Wide</h1><p>Grey</p></main></html>`)
  const found = (await faultsInEveryLook(page)).map((fault) => fault.split(' ', 4).slice(0, 3).join(' '))
  assert.deepEqual(found, [
    'desktop dark: color-contrast:',
    'phone light: 508',
    'phone dark: color-contrast:',
    'phone dark: 508',
  ])
})

test('whatever a page complains of fails its test, unless that provokes it', { skip: NO_BROWSER }, async () => {
  const injected = "document.body.append(Object.assign(document.createElement('script'), { text: 'window.hit = 1' }))"
  for (const [options, isFailing] of [
    [{}, true],
    [{ provokes: /script-src/ }, false],
  ] as const) {
    const steps: (() => Promise<void>)[] = []
    const after = (step?: unknown): void => void steps.push(step as () => Promise<void>)
    const { context } = await visit({ after }, options)
    const beside = await context.newPage()
    await beside.goto(`${app.origin}/nowhere/`)
    const told = beside.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()))
    await beside.evaluate(injected)
    await told
    const [end] = steps
    assert.ok(end)
    if (isFailing) await assert.rejects(end(), /Content Security Policy/)
    else await end()
  }
})

for (const { javaScriptEnabled, way: how } of WAYS) {
  test(`a visitor goes from the month to an event and its file, ${how}`, { skip: NO_BROWSER }, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    await page.goto(`${app.origin}/events/`)
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('link', { name: 'Month' }).click()
    await page.getByRole('heading', { name: 'November 2026', level: 1 }).waitFor()
    await page.locator('a[rel=next]').click()
    await page.getByRole('heading', { name: 'December 2026', level: 1 }).waitFor()
    assert.match(page.url(), /\/events\/2026-12\/$/)
    await page.locator('a[rel=prev]').click()
    await page.getByRole('heading', { name: 'November 2026', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Harbour Jazz Night' }).last().click()
    await page.getByRole('heading', { name: 'Harbour Jazz Night', level: 1 }).waitFor()
    await page.getByText('Add to calendar').click()
    const file = await page.getByRole('link', { name: 'Apple and others (.ics)' }).getAttribute('href')
    const { body } = await app.call('anonymous', 'GET', `${app.origin}${file}`)
    assert.match(body, /SUMMARY:Harbour Jazz Night/)
  })

  test(`a search finds by words, ${how}`, { skip: NO_BROWSER }, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled })
    await page.goto(`${app.origin}/`)
    await page.getByRole('searchbox', { name: 'Search events' }).first().fill('poetry')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Results for “poetry”' }).waitFor()
    const titles = await page.locator('.card .title').allTextContents()
    assert.ok(titles.length > 0)
    for (const title of titles) assert.match(title, /Poetry/)
  })
}

for (const { javaScriptEnabled, way } of WAYS) {
  test(`a list is narrowed to free and online events and back, ${way}`, { skip: NO_BROWSER }, async (t) => {
    const times = { start_date: '2026-11-25 18:00', end_date: '2026-11-25 19:00' }
    const json = { title: `Streamed talk ${way}`, ...times, is_virtual: true }
    const made = await app.call('administrator', 'POST', '/events', { json })
    assert.equal(made.status, 201)
    t.after(() => app.call('administrator', 'DELETE', `/events/${made.body.id}`))
    const { page } = await visit(t, { javaScriptEnabled })
    await page.goto(`${app.origin}/events/`)
    const free = page.getByRole('link', { name: 'Free', exact: true })
    assert.match((await free.getAttribute('href')) ?? '', /\/events\/\?cost=free$/)
    await page.getByRole('link', { name: 'Online', exact: true }).click()
    assert.deepEqual(await page.locator('.card .title').allTextContents(), ['Stream', json.title])
    const chip = page.getByRole('link', { name: 'Online', exact: true })
    assert.equal(await chip.getAttribute('aria-current'), 'true')
    if (javaScriptEnabled) assert.deepEqual(await violations(page), [])
    await chip.click()
    assert.doesNotMatch(page.url(), /is_virtual/)
  })
}

test('a list is narrowed to what is near by devices that know where they are', { skip: NO_BROWSER }, async (t) => {
  const geolocation = { latitude: 46.1903, longitude: -123.8313 }
  const { page } = await visit(t, { geolocation, permissions: ['geolocation'] })
  await page.goto(`${app.origin}/events/`)
  await page.getByRole('button', { name: 'Near me' }).click()
  await page.waitForURL(/geoloc_lat=46\.190&geoloc_lng=-123\.831&geoloc_radius=25$/)
  await page.getByRole('link', { name: 'Near me', exact: true }).click()
  assert.match(page.url(), /\/events\/$/)
  const plain = await visit(t, { javaScriptEnabled: false })
  await plain.page.goto(`${app.origin}/events/`)
  assert.equal(await plain.page.getByText('Near me').isVisible(), false)
})

// Without scripts the browser loads the other page from its top.
test('turning pages leaves focus and scroll where they were', { skip: NO_BROWSER }, async (t) => {
  const { page } = await visit(t, { viewport: { width: 1280, height: 400 } })
  await page.goto(`${app.origin}/events/2026-11/`)
  await page.evaluate('window.scrollTo(0, 60)')
  await page.locator('a[rel=next]').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'December 2026', level: 1 }).waitFor()
  assert.equal(await page.evaluate("document.activeElement.getAttribute('rel')"), 'next')
  assert.equal(await page.evaluate('window.scrollY'), 60)
  await page.goBack()
  await page.getByRole('heading', { name: 'November 2026', level: 1 }).waitFor()
})

// Without scripts nobody knows the clock of the visitor.
test('the clock of the visitor stands beside that of the event', { skip: NO_BROWSER }, async (t) => {
  const { page } = await visit(t, { timezoneId: 'Asia/Tokyo' })
  await page.goto(`${app.origin}/event/${shown.event.slug}/`)
  const own = page.locator('[data-visitor-time]')
  await own.waitFor()
  assert.match((await own.textContent()) ?? '', /^In your time zone: .*09:30$/)
  const same = await visit(t, { timezoneId: 'America/New_York' })
  await same.page.goto(`${app.origin}/event/${shown.event.slug}/`)
  assert.equal(await same.page.locator('[data-visitor-time]').isVisible(), false)
})

/** Where a thing is on the screen, in pixels. */
async function boxOf({ page }: Visit, selector: string) {
  const box = await page.locator(selector).boundingBox()
  assert.ok(box, selector)
  return box
}

for (const [turn, { javaScriptEnabled, way }] of WAYS.entries()) {
  test(`events stand at their hours, side by side where they overlap, and phones list them in their order, ${way}`, {
    skip: NO_BROWSER,
  }, async (t) => {
    const day = `203${turn + 1}-05-06`
    const put = async (title: string, [from, to]: readonly [string, string]) => {
      const json = { title, start_date: `${day} ${from}`, end_date: `${day} ${to}` }
      assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
    }
    await put('Early', ['09:00', '11:00'])
    await put('Beside', ['10:00', '11:30'])
    await put('Crowd', ['10:15', '11:30'])
    await put('No room', ['10:30', '11:30'])
    await put('Later', ['15:00', '16:00'])
    const named = (title: string) => `.timed .block:has(strong:text-is("${title}")) a`
    for (const locale of ['en', 'ar']) {
      const wide = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
      await wide.page.goto(`${app.origin}/${locale}/events/week/${day}/`)
      const [early, beside, later] = [
        await boxOf(wide, named('Early')),
        await boxOf(wide, named('Beside')),
        await boxOf(wide, named('Later')),
      ]
      const hour = beside.y - early.y
      assert.ok(Math.abs(later.y - early.y - 6 * hour) <= 1, `${locale}: six hours are ${later.y - early.y} of ${hour}`)
      assert.ok(Math.abs(early.height - 2 * hour) <= 3, `${locale}: ${early.height} for two hours of ${hour}`)
      const [left, right] = locale === 'ar' ? [beside, early] : [early, beside]
      assert.ok(left.x + left.width <= right.x, `${locale}: they overlap`)
      assert.equal(await wide.page.locator(named('No room')).isVisible(), false)
      const label = await boxOf(wide, '.clocks span:text-is("09:00")')
      assert.ok(Math.abs(label.y + label.height / 2 - early.y) <= 3, `${locale}: 09:00 is at ${label.y}`)
      await wide.page.locator('a.more').click()
      assert.ok(wide.page.url().endsWith(`/events/${day}/`))
      assert.equal(await wide.page.locator(named('No room')).isVisible(), true)
    }
    const phone = await visit(t, { javaScriptEnabled, viewport: { width: 320, height: 700 } })
    await phone.page.goto(`${app.origin}/events/week/${day}/`)
    const titles = await phone.page.locator('.week strong:visible').allTextContents()
    assert.deepEqual(titles, ['Early', 'Beside', 'Crowd', 'No room', 'Later'])
  })
}

test('letters with hundreds of marks, which no line can break, make no page wider than its screen', {
  skip: NO_BROWSER,
}, async (t) => {
  const text = `a${'\u20dd'.repeat(149)}`
  const json = { title: text, description: text, slug: 'marks', categories: [text], cost: text, venue: { venue: text } }
  const times = { start_date: '2026-11-29 19:00', end_date: '2026-11-29 21:00' }
  assert.equal((await app.call('administrator', 'POST', '/events', { json: { ...json, ...times } })).status, 201)
  const { page } = await visit(t, { viewport: SCREENS.phone })
  for (const path of ['/events/', '/event/marks/', '/events/2026-11/#d-2026-11-29', '/search?q=a']) {
    await page.goto(app.origin + path)
    await assertFits(page, path)
  }
})
