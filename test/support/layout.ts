import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** 1,280 pixels at 400 %. */
export const ZOOMED = { width: 320, height: 256 }

/**
 * Whatever takes clicks and is smaller than 24 pixels, unless it stands in a sentence: `width x height: element`. The link of a
 * card takes them for all of it.
 */
const SMALL_TARGETS = `[...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches('.skip, .prose *, dd *, footer p *, .note *'))
  .map((one) => [one, (one.closest('.card, .poster') ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([one, box]) => Math.round(box.width) + ' x ' + Math.round(box.height) + ': ' + one.outerHTML.slice(0, 120))`

/** What on a page is too small to hit, each with the name of the page; `[]` for nothing. */
export async function smallTargets(page: Page, name: string): Promise<string[]> {
  return (await page.evaluate<string[]>(SMALL_TARGETS)).map((one) => `${name}: ${one}`)
}

/** What has the focus: how to know it, whether its outline is to be seen, and whether it is on the screen. */
const FOCUSED = `(() => {
  const one = document.activeElement
  if (one === document.body) return undefined
  const isOutlined = [undefined, '::after'].some((part) => {
    const { outlineStyle, outlineWidth, content } = getComputedStyle(one, part)
    return (part === undefined || content !== 'none') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  })
  const box = one.getBoundingClientRect()
  const isOnScreen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  // Fields of dates have the focus several times, one after the other.
  const isNew = one.dataset.walked === undefined
  const isAgain = !isNew && one !== globalThis.lastWalked
  one.dataset.walked = 'yes'
  globalThis.lastWalked = one
  const isSeen = isOutlined && isOnScreen
  return { name: one.outerHTML.slice(0, 120), isSeen, isNew, isAgain }
})()`

interface Focused {
  readonly name: string
  readonly isSeen: boolean
  readonly isNew: boolean
  readonly isAgain: boolean
}

/** Goes through a page with the key Tab until its end; the focus is seen everywhere. @returns how many elements had it */
export async function walk(page: Page): Promise<number> {
  let places = 0
  for (let steps = 0; steps < 400; steps += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<Focused | undefined>(FOCUSED)
    if (focused === undefined || focused.isAgain) return places
    assert.ok(focused.isSeen, `${page.url()}: the focus is not to be seen on ${focused.name}`)
    if (focused.isNew) places += 1
  }
  assert.fail('the page has no end')
}

/** Whatever can take the focus. */
const FOCUSABLE = `[...document.querySelectorAll('a[href], button, summary, input:not([type=hidden]), select, [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).length`

/** How many elements of a page can take the focus. */
export function countFocusable(page: Page): Promise<number> {
  return page.evaluate<number>(FOCUSABLE)
}
