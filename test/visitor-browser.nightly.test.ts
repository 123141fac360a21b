import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openTestApp, type TestApp } from './support/app.ts'
import { assertFits, closeBrowser, NO_BROWSER, SCREENS, visit, WAYS } from './support/browser.ts'
import { type Exhibition, fillExhibition } from './support/exhibition.ts'
import { openSections, signInAs } from './support/sign-in.ts'

const MINUTES = { skip: NO_BROWSER, timeout: 1_200_000 }

let app: TestApp
let shown: Exhibition
const ends: (() => Promise<void>)[] = []

before(async () => {
  if (NO_BROWSER !== false) return
  app = await openTestApp({ after: (step) => void ends.push(step) }, { siteName: 'Harbourtown Calendar' })
  shown = await fillExhibition(app)
  const times = { start_date: '2026-11-24 18:00', end_date: '2026-11-24 19:00' }
  const json = { title: 'Yoga by the sea', ...times, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'], tags: ['Calm'] }
  assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
})
after(async () => {
  await closeBrowser()
  for (const end of ends) await end()
})

async function assertHeading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

for (const { javaScriptEnabled, way: how } of WAYS) {
  test(`a visitor sees what is next, and the same days in each view, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    await page.goto(app.origin)
    await assertHeading(page, 'What’s on')
    assert.ok((await page.locator('.card').count()) >= 10)
    const views = page.getByRole('navigation', { name: 'Views' })
    for (const [name, heading] of [
      ['Month', 'November 2026'],
      ['Day', /20 November/],
      ['Week', /16.*22/],
      ['List', 'What’s on'],
    ] as const) {
      await views.getByRole('link', { name, exact: true }).click()
      await assertHeading(page, heading)
      assert.equal(await views.getByRole('link', { name, exact: true }).getAttribute('aria-current'), 'page')
      assert.ok((await page.getByRole('link', { name: 'Harbour Jazz Night' }).count()) > 0, name)
    }
    await page.getByRole('link', { name: 'Past events' }).click()
    await assertHeading(page, 'Past events')
    await page.getByRole('link', { name: 'Upcoming events' }).click()
    await assertHeading(page, 'What’s on')
  })

  test(`from an event a visitor goes to its venue, organizer, category and tag, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    const event = `${app.origin}/event/${shown.event.slug}/`
    for (const [place, heading] of [
      ['a[href*="/venue/"]', /./],
      ['a[href*="/organizer/"]', 'Harbourtown Arts'],
      ['a[href*="/category/"]', 'Music'],
      ['a[href*="/tag/"]', 'Accessible'],
    ] as const) {
      await page.goto(event)
      await assertHeading(page, 'Harbour Jazz Night')
      await page.locator('main').locator(place).first().click()
      await assertHeading(page, heading)
      assert.ok((await page.getByRole('link', { name: 'Harbour Jazz Night' }).count()) > 0, place)
    }
  })

  test(`a visitor shares an event, ${how}`, MINUTES, async (t) => {
    const { page, context } = await visit(t, { javaScriptEnabled, viewport: SCREENS.phone })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${app.origin}/en/event/${shown.event.slug}/`)
    const share = page.locator('event-share summary')
    await share.click()
    const mail = (await page.getByRole('link', { name: 'Email' }).getAttribute('href')) ?? ''
    const address = `${app.origin}/en/event/${shown.event.slug}/`
    assert.equal(mail, `mailto:?subject=Harbour%20Jazz%20Night&body=${encodeURIComponent(address)}`)
    await assertFits(page, 'with the ways to share')
    const copy = page.getByRole('button', { name: 'Copy link' })
    assert.equal(await copy.count(), javaScriptEnabled ? 1 : 0)
    if (!javaScriptEnabled) return
    await copy.click()
    await page.getByRole('status').filter({ hasText: 'Link copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), address)
    assert.equal(await share.evaluate((one) => one.matches(':focus')), true)
    await context.addInitScript('navigator.share = async (shared) => void (window.shared = shared.url)')
    await page.reload()
    await page.getByRole('button', { name: 'Share' }).click()
    assert.equal(await page.evaluate('window.shared'), address)
    assert.equal(await page.getByRole('link', { name: 'Email' }).count(), 0)
  })

  test(`a visitor finds an event by a word, and all dates of what repeats, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.phone })
    await page.goto(app.origin)
    await page.getByRole('searchbox', { name: 'Search events' }).first().fill('yoga')
    await page.keyboard.press('Enter')
    await assertHeading(page, 'Results for “yoga”')
    assert.deepEqual(await page.locator('.card .title').allTextContents(), ['Yoga by the sea'])
    await page.getByRole('link', { name: 'Yoga by the sea' }).first().click()
    await assertHeading(page, 'Yoga by the sea')
    await page.getByRole('link', { name: 'All dates' }).first().click()
    await page.waitForURL(/\/series\/yoga-by-the-sea\/$/)
    assert.equal(await page.locator('.card .title').count(), 3)
  })

  test(
    `a visitor narrows the calendar to a category, goes to a date, and to another date of what repeats, ${how}`,
    MINUTES,
    async (t) => {
      const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.phone })
      await page.goto(`${app.origin}/events/`)
      await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Music' }).click()
      await page.waitForURL(/categories=music/)
      assert.deepEqual(new Set(await page.locator('.cat').allTextContents()), new Set(['Music']))
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Month', exact: true }).click()
      await assertHeading(page, 'November 2026')
      await page.locator('.jump summary').click()
      await page.getByLabel('Go to date').fill('2026-12-06')
      await page.getByRole('button', { name: 'Show events' }).click()
      await assertHeading(page, 'December 2026')
      assert.match(page.url(), /\/events\/2026-12\/\?categories=music$/)
      await page.goto(`${app.origin}/event/yoga-by-the-sea/`)
      await page.getByRole('link', { name: 'Tue 1 Dec, 18:00' }).click()
      await page.waitForURL(/\/event\/yoga-by-the-sea\/2026-12-01\/$/)
    },
  )

  test(`the code for other sites shows a view without the frame of this one, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled })
    await page.goto(`${app.origin}/events/?search=jazz`)
    await page.getByRole('link', { name: 'Embed', exact: true }).click()
    await assertHeading(page, 'Embed this calendar')
    await page.getByRole('combobox', { name: 'View' }).selectOption('month')
    await page.getByRole('combobox', { name: 'Events' }).selectOption('Music')
    await page.getByRole('button', { name: 'Show code' }).click()
    const preview = page.frameLocator('iframe.preview')
    await preview.getByRole('heading', { name: 'November 2026' }).waitFor()
    await preview.getByRole('link', { name: 'Harbour Jazz Night' }).first().waitFor()
    const code = (await page.locator('.code').nth(1).textContent()) ?? ''
    const source = (/src="([^"]*)"/.exec(code)?.[1] ?? '').replaceAll('&amp;', '&')
    await page.goto(source)
    await assertHeading(page, 'November 2026')
    assert.equal(await page.getByRole('searchbox').count(), 0)
    assert.ok((await page.getByRole('link', { name: 'Harbour Jazz Night' }).count()) > 0)
    assert.equal(await page.getByRole('link', { name: 'Repair Café' }).count(), 0)
    await page.locator('.jump summary').click()
    await page.getByLabel('Go to date').fill('2026-12-06')
    await page.getByRole('button', { name: 'Show events' }).click()
    await assertHeading(page, 'December 2026')
    assert.match(page.url(), /[?&]embed=1$/)
  })

  test(`an editor signs in and publishes an event that visitors see, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled })
    await signInAs(page, app, 'administrator')
    await page.goto(`${app.origin}/admin/events/new`)
    const title = `Lighthouse tour ${how}`
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Starts').fill('2026-11-28')
    await page.getByLabel('Start time').fill('11:00')
    await page.getByLabel('Ends', { exact: true }).fill('2026-11-28')
    await page.getByLabel('End time').fill('12:00')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    assert.match((await page.getByRole('status').first().textContent()) ?? '', /^Published/)
    const visitor = await visit(t, { javaScriptEnabled })
    await visitor.page.goto(`${app.origin}/events/2026-11-28/`)
    await visitor.page.getByRole('link', { name: title }).first().click()
    await assertHeading(visitor.page, title)
  })

  test(
    `the front page begins with posters of what is featured, until it is narrowed or turned, ${how}`,
    MINUTES,
    async (t) => {
      const { page } = await visit(t, { viewport: SCREENS.phone, javaScriptEnabled })
      await page.goto(`${app.origin}/en/`)
      assert.deepEqual(await page.locator('.poster .title').allTextContents(), [
        'Saturday Farmers’ Market',
        'Winter Light Festival',
      ])
      for (const path of ['/?page=2', '/?search=choir', '/?featured=1', '/events/']) {
        await page.goto(`${app.origin}/en${path}`)
        assert.equal(await page.locator('.poster').count(), 0, path)
      }
    },
  )

  test(`beside a list stands a small month that leads to its days and to other months, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    await page.goto(`${app.origin}/events/?categories=music&start_date=2026-10-01`)
    const small = (name: string) => page.getByRole('navigation', { name, exact: true })
    await small('October 2026').getByRole('link', { name: 'November 2026' }).click()
    await page.waitForURL(/\/events\/\?categories=music&start_date=2026-11-01$/)
    assert.deepEqual(new Set(await page.locator('.cat').allTextContents()), new Set(['Music']))
    const days = small('November 2026').locator('td a')
    const day = (await days.first().getAttribute('aria-label')) ?? ''
    const listed = await page.locator('.timeline time').first().getAttribute('datetime')
    assert.equal(await days.first().textContent(), String(Number(listed?.slice(8))))
    await days.first().click()
    await assertHeading(page, `${day} 2026`)
    assert.match(page.url(), /\/events\/2026-11-\d\d\/\?categories=music$/)
    await page.goto(`${app.origin}/search?q=jazz`)
    await small('November 2026').getByRole('link', { name: 'October 2026' }).click()
    await page.waitForURL(/\/search\?q=jazz&start_date=2026-10-01$/)
    await small('October 2026').getByRole('link', { name: 'October 2026', exact: true }).click()
    await assertHeading(page, 'October 2026')
    await page.setViewportSize(SCREENS.phone)
    await page.goto(`${app.origin}/events/`)
    assert.equal(await page.locator('.mini').isVisible(), false)
    await page.goto(`${app.origin}/events/?embed=1`)
    assert.equal(await page.locator('.mini').count(), 0)
  })

  test(`an event without a description has its facts where that would stand, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    const beginOf = async (path: string): Promise<readonly number[]> => {
      await page.goto(app.origin + path)
      const boxes = [await page.locator('.duo').boundingBox(), await page.locator('.panel').boundingBox()]
      return boxes.map((box) => Math.round(box?.x ?? -1))
    }
    const [title, facts] = await beginOf('/en/event/yoga-by-the-sea/')
    assert.equal(facts, title)
    const [left = 0, beside = 0] = await beginOf(`/en/event/${shown.event.slug}/`)
    assert.ok(beside > left)
  })

  test(`an empty month says so above its table, and leads to what comes next, ${how}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled })
    await page.goto(`${app.origin}/en/events/2031-03/`)
    await page.getByText('No events in this month.').getByRole('link', { name: 'See upcoming events' }).click()
    await page.getByRole('heading', { name: 'What’s on', level: 1 }).waitFor()
  })

  test(
    `the page of a series tells its rule, and that of a venue does not repeat its name, ${how}`,
    MINUTES,
    async (t) => {
      const { page } = await visit(t, { javaScriptEnabled })
      await page.goto(`${app.origin}/en/series/yoga-by-the-sea/`)
      assert.equal(await page.locator('.rule').textContent(), 'every Tuesday, 3 times')
      await page.goto(`${app.origin}/en/venue/${shown.venue.slug}/`)
      assert.ok((await page.locator('.card').count()) > 0)
      assert.equal(await page.locator('.card .place').count(), 0)
    },
  )
}

// Only scripts keep what is typed.
test('what is typed into the form of a new event outlives the network, and is offered again', MINUTES, async (t) => {
  const { page, context } = await visit(t)
  await signInAs(page, app, 'editor')
  await page.goto(`${app.origin}/admin/events/new`)
  await context.setOffline(true)
  await page.getByLabel('Title').fill('Ferry race')
  await openSections(page)
  await page.getByLabel('Cost').fill('€3')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.waitForURL(/chrome-error/).catch(() => undefined)
  await context.setOffline(false)
  await page.goto(`${app.origin}/admin/events/new`)
  assert.equal(await page.getByLabel('Title').inputValue(), '')
  await page.getByRole('button', { name: 'Restore' }).click()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Ferry race')
  assert.equal(await page.getByLabel('Cost').inputValue(), '€3')
})
