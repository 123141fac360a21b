import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { daysAfter } from '../src/pages/dates.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { assertFits, closeBrowser, NO_BROWSER, visit } from './support/browser.ts'
import { SEED } from './support/draws.ts'

const FIRST = '2026-11-30'

/** A crowded week: up to a dozen events a day, nights, whole days, several days, and what goes on for months. */
const EVENTS = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ day: fc.integer({ min: 0, max: 6 }), hour: fc.integer({ min: 8, max: 18 }) }) },
    fc.record({ day: fc.integer({ min: 0, max: 6 }), hour: fc.constant(21), night: fc.constant(true) }),
    fc.record({ day: fc.integer({ min: -20, max: 5 }), days: fc.integer({ min: 1, max: 7 }) }),
    fc.record({ day: fc.integer({ min: -20, max: 2 }), days: fc.integer({ min: 8, max: 60 }) }),
  ),
  { minLength: 55, maxLength: 55 },
)

interface Drawn {
  readonly day: number
  readonly hour?: number
  readonly night?: boolean
  readonly days?: number
}

let app: TestApp
/** Titles by day, as the law has them. */
const names = new Map<string, Set<string>>()
const ends: (() => Promise<void>)[] = []

before(async () => {
  if (NO_BROWSER !== false) return
  app = await openTestApp({ after: (step) => void ends.push(step) })
  const [drawn = []] = fc.sample(EVENTS, { numRuns: 1, seed: SEED }) as unknown as [Drawn[]]
  for (const [index, { day, hour, night = false, days = 1 }] of drawn.entries()) {
    const title = `Event number ${index}`
    const from = daysAfter(FIRST, day)
    const last = daysAfter(from, days - 1)
    const times =
      hour === undefined
        ? { start_date: from, end_date: last, all_day: true }
        : {
            start_date: `${from} ${hour}:00`,
            end_date: night ? `${daysAfter(from, 1)} 03:00` : `${from} ${hour + 2}:00`,
          }
    const { status } = await app.call('administrator', 'POST', '/events', { json: { title, ...times } })
    assert.equal(status, 201)
    for (let at = from; at <= last; at = daysAfter(at, 1)) names.set(at, (names.get(at) ?? new Set()).add(title))
  }
})
after(async () => {
  await closeBrowser()
  for (const end of ends) await end()
})

const WEEK = Array.from({ length: 7 }, (_, index) => daysAfter(FIRST, index))

async function titlesIn(page: Page, selector: string): Promise<string[]> {
  const texts = await page.locator(`${selector} >> visible=true`).allInnerTexts()
  return texts.flatMap((text) => text.match(/Event number \d+/g) ?? [])
}

/** What the grid of a month names in the column of a day, and how many more it says there are. */
const COLUMN = `(day) => {
  const box = document.getElementById('n-' + day).closest('td').getBoundingClientRect()
  const week = document.getElementById('n-' + day).closest('tbody')
  const middle = box.left + box.width / 2
  const cells = [...week.querySelectorAll('.bars td, .evs td')].filter((one) => {
    const { left, right } = one.getBoundingClientRect()
    return left < middle && right > middle
  })
  const text = cells.map((one) => one.innerText).join(' ')
  return { names: text.match(/Event number \\d+/g) ?? [], more: Number(/\\+(\\d+)/.exec(text)?.[1] ?? 0) }
}`

for (const javaScriptEnabled of [true, false])
  test(`a month names every event of a day, ${javaScriptEnabled ? 'with' : 'without'} scripts`, {
    skip: NO_BROWSER,
    timeout: 600_000,
  }, async (t) => {
    const { page } = await visit(t, { javaScriptEnabled, viewport: { width: 1440, height: 900 } })
    await page.goto(`${app.origin}/events/2026-12/`)
    for (const day of WEEK) {
      const expected = names.get(day) ?? new Set()
      const found = await page.evaluate<{ names: string[]; more: number }>(`(${COLUMN})('${day}')`)
      await page.goto(`${app.origin}/events/2026-12/#d-${day}`)
      assert.deepEqual(new Set(await titlesIn(page, `[id="d-${day}"] li`)), expected, `the panel of ${day}`)
      const long = await titlesIn(page, `[id="d-${day}"] > ul li`)
      assert.ok(
        found.names.every((name) => expected.has(name)),
        day,
      )
      assert.equal(new Set(found.names).size + found.more, expected.size - long.length, `the column of ${day}`)
      assert.notEqual(found.more, 1, day)
    }
    for (const width of [768, 360, 320]) {
      await page.setViewportSize({ width, height: 800 })
      for (const day of WEEK) {
        await page.goto(`${app.origin}/events/2026-12/#d-${day}`)
        assert.deepEqual(new Set(await titlesIn(page, `[id="d-${day}"] li`)), names.get(day), `${day} at ${width}`)
        assert.equal(await page.locator('.more >> visible=true').count(), 0)
      }
      const sections = await page.locator('.agenda section >> visible=true').count()
      assert.ok(javaScriptEnabled ? sections === 1 : sections >= WEEK.length, `${sections} days at ${width}`)
      await assertFits(page, `${width}`)
    }
  })

test('a week and its days name every event, or say how many more there are', { skip: NO_BROWSER }, async (t) => {
  const { page } = await visit(t, { viewport: { width: 1440, height: 900 } })
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${app.origin}/events/week/${FIRST}/`)
    for (const [index, day] of WEEK.entries()) {
      const column = `.week > li:nth-child(${index + 1})`
      const more = (await page.locator(`${column} .more >> visible=true`).allInnerTexts()).join()
      if (width < 1440) {
        assert.equal(more, '', `${day} at ${width}`)
        assert.deepEqual(new Set(await titlesIn(page, `${column} strong`)), names.get(day), `${day} at ${width}`)
        continue
      }
      const count = Number(/\+(\d+)/.exec(more)?.[1] ?? 0)
      const shown = await page.locator(`${column} .block:not(.late) strong`).allTextContents()
      assert.equal(new Set(shown).size + count, names.get(day)?.size, `${day} at ${width}`)
      assert.notEqual(count, 1, day)
    }
  }
})

test('a chosen day is marked and has the focus, and Escape leads back to it', { skip: NO_BROWSER }, async (t) => {
  const { page } = await visit(t, { viewport: { width: 1440, height: 900 } })
  await page.goto(`${app.origin}/events/2026-12/`)
  await page.locator('#n-2026-12-02').click()
  const panel = page.locator('[id="d-2026-12-02"]')
  await panel.waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'd-2026-12-02')
  assert.deepEqual(await page.locator('.nums .on').count(), 1)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate('document.activeElement.id'), 'n-2026-12-02')
})
