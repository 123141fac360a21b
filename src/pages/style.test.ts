import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

const STYLE = ['palette.css', 'site/1-base.css']
  .map((name) => readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8'))
  .join('')

/** Relative luminance of a color (WCAG 2.2, section "relative luminance"). */
function luminance(color: string): number {
  const digits = color.length === 4 ? [...color.slice(1)].map((one) => one + one) : color.slice(1).match(/../g)
  const [red = 0, green = 0, blue = 0] = (digits ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

type Colors = Readonly<Record<string, string>>

/** The colors of a block in light or dark. */
function colorsOf(block: string, scheme: 'light' | 'dark'): Colors {
  const pairs = block.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\);/g)
  return Object.fromEntries(
    [...pairs].map(([, name = '', light = '', dark = '']) => [name, scheme === 'light' ? light : dark]),
  )
}

function blockOf(selector: string): string {
  return STYLE.slice(STYLE.indexOf(`\n${selector} {`)).split('}')[0] ?? ''
}

/** @throws AssertionError where one color cannot be read on the other */
function assertReadable(name: string, [ink = '', ground = '']: readonly (string | undefined)[], least: number): void {
  const ratio = contrast(ink, ground)
  assert.ok(ratio >= least, `${name}: ${ratio.toFixed(2)}`)
}

for (const scheme of ['light', 'dark'] as const) {
  const base = colorsOf(blockOf(':root'), scheme)

  test(`every text has enough contrast on its ground (${scheme})`, () => {
    for (const ground of ['page', 'card', 'soft', 'wash'])
      for (const ink of ['ink', 'mute', 'accent', 'bad'])
        assertReadable(`${ink} on ${ground}`, [base[ink], base[ground]], 4.5)
    assertReadable('page on accent', [base['page'], base['accent']], 4.5)
    assertReadable('white on the masthead', ['#fff', base['brand']], 7)
  })

  test(`the colors of categories can be read and told apart (${scheme})`, () => {
    const pairs = Array.from({ length: 12 }, (_, index) => colorsOf(blockOf(`.c${index + 1}`), scheme))
    for (const [index, { ci, ct }] of pairs.entries()) {
      assertReadable(`c${index + 1} on its tint`, [ci, ct], scheme === 'light' ? 5 : 6)
      assertReadable(`c${index + 1} on the page`, [ci, base['page']], scheme === 'light' ? 6 : 7.7)
    }
    assert.equal(new Set(pairs.map(({ ci }) => ci)).size, 12)
  })
}
