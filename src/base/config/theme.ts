/** The grounds of public pages: of a page and of what stands out on it. */
export const GROUNDS = {
  light: ['#ffffff', '#f3f5f3'],
  dark: ['#111412', '#1f2422'],
} as const

/** Least contrast of text (WCAG 2.2, 1.4.3). */
const LEAST = 4.5

/** Relative luminance of a color such as `#0a6b4a` (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Whether a text is a color that can be read on light pages, and has white text on it. */
export function isLightAccent(given: string): boolean {
  return isReadableOn(given, GROUNDS.light)
}

/** Whether a text is a color that can be read on dark pages, and has dark text on it. */
export function isDarkAccent(given: string): boolean {
  return isReadableOn(given, GROUNDS.dark)
}

function isReadableOn(given: string, grounds: readonly string[]): boolean {
  return /^#[0-9a-f]{6}$/i.test(given) && grounds.every((ground) => contrast(given, ground) >= LEAST)
}

/** Whether a text is the address of the tiles of a map, with `{z}`, `{x}` and `{y}` in its path. */
export function isTileAddress(given: string): boolean {
  if (given.length > 2_000 || /[\s"'<>\\]/.test(given)) return false
  const names = Array.from(given.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name)
  if (names.toSorted().join() !== 'x,y,z') return false
  const address = URL.parse(given.replaceAll(/[{}]/g, ''))
  return address !== null && /^https?:$/.test(address.protocol) && !/^https?:\/\/[^/]*\{/.test(given)
}

/** Whether a text is the address of an image: http(s), or a path of this site. */
export function isImageAddress(given: string): boolean {
  if (given.length > 2_000 || /[\s"'<>\\]/.test(given)) return false
  return /^\/[^/]/.test(given) || (/^https?:\/\/[^/]/i.test(given) && URL.canParse(given))
}
