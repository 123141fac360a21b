import type { MessageId } from '../base/i18n/translate.ts'
import { type Kind, mistyped, refuse } from './kinds/kind.ts'

/** The colors of categories in the order of the palette, whose pairs of ink and tint can be read in light and dark. */
export const COLORS = [
  ...(['rose', 'red', 'orange', 'amber', 'olive', 'green'] as const),
  ...(['teal', 'cyan', 'blue', 'indigo', 'violet', 'magenta'] as const),
] as const

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
