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
  return { markup: parts.reduce((text, part, index) => text + part + textOf(values[index]), '') }
}

function textOf(value: string | number | Markup | readonly Markup[] | undefined): string {
  if (value === undefined) return ''
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
