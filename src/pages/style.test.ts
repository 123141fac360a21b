import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

const STYLE = readFileSync(new URL('./client/site/1-base.css', import.meta.url), 'utf8')

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

const [light = {}, dark = {}] = [...STYLE.matchAll(/:root \{([^}]*--ground[^}]*)\}/g)].map(([, block = '']) =>
  Object.fromEntries([...block.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name = '', color = '']) => [name, color])),
)

for (const [name, colors] of Object.entries({ light, dark })) {
  test(`every text has enough contrast on its ground (${name})`, () => {
    for (const ground of ['ground', 'mark']) {
      for (const ink of ['text', 'quiet', 'accent']) {
        const ratio = contrast(colors[ink] ?? '', colors[ground] ?? '')
        assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`)
      }
    }
    assert.ok(contrast(colors['on-accent'] ?? '', colors['accent'] ?? '') >= 4.5)
  })
}
