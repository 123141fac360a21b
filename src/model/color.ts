import type { MessageId } from '../base/i18n/translate.ts'
import { type Kind, mistyped, refuse } from './kinds/kind.ts'

/** The colors of categories in the order of the palette, whose pairs of ink and tint can be read in light and dark. */
export const COLORS = [
  ...(['rose', 'red', 'orange', 'amber', 'olive', 'green'] as const),
  ...(['teal', 'cyan', 'blue', 'indigo', 'violet', 'magenta'] as const),
] as const

/** The color of CSS that is most like one of the palette: other calendars know no others (RFC 7986 section 5.9). */
const CSS_NAMES: Readonly<Record<string, string>> = {
  ...{ rose: 'crimson', red: 'firebrick', orange: 'chocolate', amber: 'darkgoldenrod', olive: 'olive', green: 'green' },
  ...{ teal: 'teal', cyan: 'darkcyan', blue: 'royalblue', indigo: 'slateblue', violet: 'darkorchid' },
  magenta: 'mediumvioletred',
}

/** What other calendars call the color that was chosen for the first category of an event; undefined where none was. */
export function cssColorOf([category]: readonly { readonly color: string }[]): string | undefined {
  return category === undefined ? undefined : CSS_NAMES[category.color]
}

/** The name of a color in a language. */
export function colorText(color: (typeof COLORS)[number]): MessageId {
  return `color.${color}`
}

/** A color of the palette; '' for the one that pages choose. */
export const color: Kind<string> = {
  control: 'choice',
  declared: { type: 'string' },
  schema: { type: 'string', enum: ['', ...COLORS] },
  parse(value) {
    if (typeof value !== 'string') return mistyped('not_text')
    const name = value.trim().toLowerCase()
    if (name === '' || COLORS.some((one) => one === name)) return { ok: true, value: name }
    return refuse('bad_choice', COLORS.join(', '))
  },
}
