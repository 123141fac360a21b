import { escapeHtml } from '../base/text/entities.ts'

/** Text that is HTML already; everything else is escaped by `html`. */
export interface Markup {
  readonly markup: string
}

/** No markup at all. */
export const NOTHING: Markup = { markup: '' }

/** Template of HTML: values are escaped, markup and lists of markup are put in as they are. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[])[]
): Markup {
  let markup = parts[0] ?? ''
  for (let index = 0; index < values.length; index += 1) markup += textOf(values[index]) + (parts[index + 1] ?? '')
  return { markup }
}

function textOf(value: string | number | Markup | readonly Markup[] | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map((one) => one.markup).join('')
  return escapeHtml(String(value))
}

/** HTML that was sanitized when it was stored. */
export function trusted(markup: string): Markup {
  return { markup }
}

/** Markup where a condition holds. */
export function when(condition: boolean, make: () => Markup): Markup {
  return condition ? make() : NOTHING
}

/** Items with a separator between them. */
export function joined(items: readonly Markup[], separator: string): Markup {
  return trusted(items.map((item) => item.markup).join(separator))
}

/** The lines of each icon, in a square of 24. */
const LINES = {
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4',
  calendar: 'M4 7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zm0 3h16M8 3v4m8-4v4',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l3 2',
  left: 'm14.5 6-6 6 6 6',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  mail: 'M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm1 0 8 6 8-6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 9c1-5 4-7 8-7s7 2 8 7',
  phone: 'M7 5a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2zm4 13h2',
  place: 'M12 21c5-5 7-8 7-11a7 7 0 1 0-14 0c0 3 2 6 7 11zm0-9a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  remove: 'm7 7 10 10M17 7 7 17',
  repeat: 'M4 11V9a3 3 0 0 1 3-3h12l-3-3m4 10v2a3 3 0 0 1-3 3H5l3 3',
  right: 'm9.5 6 6 6-6 6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm9 2-4-4',
  share: 'M12 15V3m0 0L8 7m4-4 4 4M5 12v8h14v-8',
  tag: 'M4 4h8l8 8-8 8-8-8zm4.500 4.500h.01',
  ticket: 'M4 9V6h16v3a3 3 0 0 0 0 6v3H4v-3a3 3 0 0 0 0-6zm10-3v12',
  video: 'M3 8a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm12 3 6-4v10l-6-4',
} as const

/** Icons that point a way, which is the other one where people read from right to left. */
const POINTING: readonly string[] = ['left', 'right']

/** The name of an icon. */
export type IconName = keyof typeof LINES

/** An icon as large as the text beside it, which says what it means. */
export function icon(name: IconName): Markup {
  const flips = POINTING.includes(name) ? ' flip' : ''
  return trusted(`<svg class="i${flips}" viewBox="0 0 24 24" aria-hidden="true"><path d="${LINES[name]}"/></svg>`)
}
