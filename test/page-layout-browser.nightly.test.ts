import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from './support/app.ts'
import { assertFits, closeBrowser, NO_BROWSER, SCREENS, visit, WAYS } from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'
import { type Exhibition, fillExhibition } from './support/exhibition.ts'
import { countFocusable, smallTargets, walk, ZOOMED } from './support/layout.ts'

const MINUTES = { skip: NO_BROWSER, timeout: 1_200_000 }

let app: TestApp
let shown: Exhibition
const ends: (() => Promise<void>)[] = []

before(async () => {
  if (NO_BROWSER !== false) return
  app = await openTestApp({ after: (step) => void ends.push(step) }, { siteName: 'Harbourtown Calendar' })
  shown = await fillExhibition(app)
  const arabic = { title: 'حكايات البحر', description: '<p>مساء من الحكايات.</p>', language: 'ar' }
  for (const json of [
    {
      ...arabic,
      start_date: '2026-11-21 17:00',
      end_date: '2026-11-21 18:00',
      venue: { venue: 'Pier', language: 'en' },
    },
    { ...YOGA, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] },
  ])
    assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
})
after(async () => {
  await closeBrowser()
  for (const end of ends) await end()
})

const YOGA = { title: 'Yoga', start_date: '2026-11-24 18:00', end_date: '2026-11-24 19:00' }

const PATHS: Readonly<Record<string, () => string>> = {
  front: () => '/',
  list: () => '/events/',
  'filtered list': () => '/events/?search=choir&start_date=2026-11-21',
  'past events': () => '/events/past/',
  month: () => '/events/2026-11/',
  'empty month': () => '/events/2031-03/',
  week: () => '/events/week/2026-11-23/',
  day: () => '/events/2026-11-28/',
  map: () => '/events/map/',
  event: () => `/event/${shown.event.slug}/`,
  'event in Arabic': () => `/events/2026-11-21/`,
  series: () => '/series/yoga/',
  venue: () => `/venue/${shown.venue.slug}/`,
  organizer: () => '/organizer/harbourtown-arts/',
  category: () => '/events/category/music/',
  tag: () => '/events/tag/accessible/',
  search: () => '/search?q=choir',
  'nothing found': () => '/search?q=nothinglikeit',
  embed: () => '/embed/',
  embedded: () => '/events/?embed=1',
  missing: () => '/nowhere/',
}

/** Pictures without an alternative text in the mark-up, even an empty one. */
const WITHOUT_ALT = `[...document.querySelectorAll('img:not([alt])')].map((one) => one.outerHTML)`

for (const language of ['en', 'ar']) {
  for (const { javaScriptEnabled, way } of WAYS) {
    const how = `in ${language}, ${way}`

    const skip = NO_BROWSER || (language !== 'en' && !javaScriptEnabled && ONLY_NIGHTLY)

    test(`at 400 % nothing is too wide, or too small to hit, and on a desktop neither, ${how}`, {
      ...MINUTES,
      skip,
    }, async (t) => {
      const { page } = await visit(t, { viewport: ZOOMED, locale: language, javaScriptEnabled })
      const small: string[] = []
      for (const [name, path] of Object.entries(PATHS)) {
        await page.setViewportSize(ZOOMED)
        await page.goto(`${app.origin}/${language}${path()}`)
        await assertFits(page, name)
        assert.deepEqual(await page.evaluate(WITHOUT_ALT), [], name)
        small.push(...(await smallTargets(page, name)))
        const root = await page.locator('html').evaluate(({ lang, dir }: { lang: string; dir: string }) => [lang, dir])
        assert.deepEqual(root, [language, language === 'ar' ? 'rtl' : 'ltr'], name)
        await page.setViewportSize(SCREENS.desktop)
        await assertFits(page, `${name} on a desktop`)
        small.push(...(await smallTargets(page, `${name} on a desktop`)))
      }
      assert.deepEqual(small, [])
    })
  }
}

for (const [language, names] of [
  ['en', Object.keys(PATHS).filter((name) => name !== 'past events' && name !== 'tag')],
  ['ar', ['front', 'month', 'event']],
] as const) {
  for (const { javaScriptEnabled, way } of WAYS) {
    test(
      `the key Tab leads to everything on a page, and the focus is seen, in ${language}, ${way}`,
      MINUTES,
      async (t) => {
        const { page } = await visit(t, { viewport: SCREENS.desktop, locale: language, javaScriptEnabled })
        for (const name of names) {
          await page.goto(`${app.origin}/${language}${PATHS[name]?.()}`)
          const places = await countFocusable(page)
          assert.equal(await walk(page), places, name)
        }
      },
    )
  }
}

/** Whatever moves when it changes. */
const MOVING = `[...document.querySelectorAll('*')].filter((one) => {
  const { animationName, transitionProperty, transitionDuration } = getComputedStyle(one)
  return animationName !== 'none' || (transitionProperty !== 'none' && /[1-9]/.test(transitionDuration))
}).map((one) => one.outerHTML.slice(0, 120))`

/** Words of titles that stand on several lines: `word in title`. */
const BROKEN_WORDS = `[...document.querySelectorAll('.timed .block strong')].filter((one) => one.checkVisibility()).flatMap((one) => {
  const text = one.firstChild
  return [...text.data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return range.getClientRects().length > 1 ? [word + ' in ' + text.data] : []
  })
})`

for (const [turn, { javaScriptEnabled, way }] of WAYS.entries()) {
  test(`the first key leads past the head of every page to its content, ${way}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    for (const [name, path] of Object.entries(PATHS)) {
      await page.goto(`${app.origin}/en${path()}`)
      await page.keyboard.press('Tab')
      const skip = page.getByRole('link', { name: 'Skip to content' })
      assert.equal(await skip.evaluate((one) => one.matches(':focus')), true, name)
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate('document.activeElement?.id'), 'main', name)
    }
  })

  test(`content of another language says so, and is read in its direction, ${way}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    for (const path of ['/', '/events/', '/events/2026-11/', '/events/2026-11-21/', '/search?q=حكايات']) {
      await page.goto(`${app.origin}/en${path}`)
      const title = page.locator('[lang=ar][dir=rtl]', { hasText: 'حكايات البحر' }).first()
      assert.ok((await title.count()) > 0, path)
    }
    await page.goto(`${app.origin}/en/events/2026-11-21/`)
    await page.getByRole('link', { name: 'حكايات البحر' }).first().click()
    assert.equal(await page.locator('.prose').getAttribute('lang'), 'ar')
    assert.equal(await page.locator('.prose').getAttribute('dir'), 'rtl')
  })

  test(`the picture of an event has the alternative text that was written for it, ${way}`, MINUTES, async (t) => {
    const { body } = await app.call('administrator', 'GET', `/events/${shown.event.id}`)
    const alt = 'A moon above blue hills'
    const picture = `${app.origin}/wp-json/wp/v2/media/${body.image.id}`
    assert.equal((await app.call('administrator', 'POST', picture, { json: { alt_text: alt } })).status, 200)
    const { page } = await visit(t, { javaScriptEnabled })
    await page.goto(`${app.origin}/event/${shown.event.slug}/`)
    assert.equal(await page.locator('article img:not(.back)').first().getAttribute('alt'), alt)
  })

  test(`on paper there are the words of a page, black on white, and nothing to click, ${way}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: { width: 794, height: 1123 }, colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const [name, path] of Object.entries(PATHS)) {
      await page.goto(`${app.origin}/en${path()}`)
      assert.ok(await page.locator('h1').first().isVisible(), name)
      for (const hidden of ['search', 'navigation', 'contentinfo'] as const)
        assert.equal(await page.getByRole(hidden).count(), 0, `${name}: ${hidden}`)
      const colours =
        '[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.body).color]'
      assert.deepEqual(await page.evaluate(colours), ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'], name)
      await assertFits(page, name)
    }
  })

  test(`nothing moves for those who do not want that, ${way}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop, reducedMotion: 'reduce' })
    for (const [name, path] of Object.entries(PATHS)) {
      await page.goto(`${app.origin}/en${path()}`)
      assert.deepEqual(await page.evaluate(MOVING), [], name)
    }
  })

  test(`the link to today stands beside its neighbours as a word alone, ${way}`, MINUTES, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    for (const path of ['/events/2026-11/', '/events/week/2026-11-23/', '/events/2026-11-28/']) {
      await page.goto(`${app.origin}/en${path}`)
      const before = "getComputedStyle(document.querySelector('.step.now'), '::before').content"
      assert.equal(await page.evaluate(before), 'none', path)
    }
  })

  test(
    `events beside each other keep their words whole, and those without room are a link away, ${way}`,
    MINUTES,
    async (t) => {
      // A Wednesday of its own: the days of the other turn are full.
      const day = turn === 0 ? '2031-06-04' : '2031-06-11'
      for (const [index, title] of ['Saturday Farmers Market', 'Guided Walk', 'Storytelling', 'Rehearsal'].entries()) {
        const json = { title, start_date: `${day} ${10 + index}:00`, end_date: `${day} 16:00` }
        assert.equal((await app.call('administrator', 'POST', '/events', { json })).status, 201)
      }
      for (const width of [1280, 800]) {
        const { page } = await visit(t, { javaScriptEnabled, viewport: { width, height: 900 } })
        await page.goto(`${app.origin}/en/events/week/${day}/`)
        assert.equal(await page.locator('.timed .block.at').count(), 2)
        assert.deepEqual(await page.evaluate(BROKEN_WORDS), [], `${width}`)
        await assertFits(page, `${width}`)
        assert.equal(
          await page.locator('a.more').locator('visible=true').textContent(),
          `+22 more events, Wednesday, ${Number(day.slice(8))} June`,
        )
        await page.locator('a.more').locator('visible=true').click()
        await page.getByRole('heading', { name: `Wednesday, ${Number(day.slice(8))} June 2031`, level: 1 }).waitFor()
        assert.equal(await page.locator('.timed .block.at').count(), 4)
        assert.deepEqual(await page.evaluate(BROKEN_WORDS), [], `the day on ${width}`)
      }
    },
  )
}

/** How far the texts of titles are from the side where the page begins, beyond their times, in pixels. */
const INDENTS = `[...document.querySelectorAll('.card:has(.place, .excerpt)')].map((words) => {
  const sideOf = (selector) => {
    const range = document.createRange()
    range.selectNodeContents(words.querySelector(selector))
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
    const isLeft = document.documentElement.dir === 'ltr'
    return isLeft ? Math.min(...boxes.map(({ left }) => left)) : -Math.max(...boxes.map(({ right }) => right))
  }
  return Math.abs(sideOf('.title a') - sideOf('.place, .excerpt'))
})`

for (const locale of ['en', 'ar']) {
  test(`titles of both directions begin where their page begins, in ${locale}`, { skip: NO_BROWSER }, async (t) => {
    const { page } = await visit(t, { locale })
    await page.goto(`${app.origin}/${locale}/events/?start_date=2026-11-21`)
    assert.ok((await page.locator('.card .title').allTextContents()).some((title) => title.includes('حكايات')))
    const indents = await page.evaluate<number[]>(INDENTS)
    assert.ok(indents.length > 5)
    for (const indent of indents) assert.ok(indent <= 2, `${indents}`)
  })
}
