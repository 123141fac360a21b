import { fold } from '../base/text/fold.ts'
import { isOneErrorApart } from '../base/text/one-error.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { chosenIn, type FormValues, type KnownNames, textIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'

/** Letters from which on names may differ in one, and be typed for each other. */
const LONG = 6

/**
 * The first name that looks like another one: the same but for accents, spaces and signs, or for one typing error in a
 * long name. Numbers tell halls apart, so names that differ in them are different. Undefined if there is none.
 */
export function lookAlike(name: string, others: readonly string[]): string | undefined {
  const wanted = bare(name)
  return others.find((other) => {
    const given = bare(other)
    if (other === name || given === '' || wanted === '') return false
    if (given === wanted) return true
    if (digits(given) !== digits(wanted) || Math.min(given.length, wanted.length) < LONG) return false
    return isOneErrorApart(given, wanted)
  })
}

/** Letters and digits alone. */
function bare(name: string): string {
  return fold(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function digits(name: string): string {
  return name.replaceAll(/\P{N}/gu, '')
}

/** The note below an event saved with a venue or organizer that looks like another one. */
export function lookAlikeNote({ t }: PageRequest, values: FormValues, known: KnownNames): Markup {
  const organizers = new Set(chosenIn(values, 'organizer_ids'))
  const chosen: Readonly<Record<string, readonly string[]>> = {
    venue: [textIn(values, 'venue')],
    organizer: (known['organizer'] ?? []).filter(([id]) => organizers.has(id)).map(([, name]) => name),
  }
  const notes = Object.entries(chosen).flatMap(([field, names]) => {
    const others = (known[field] ?? []).map(([, name]) => name)
    return names.flatMap((name) => {
      const other = lookAlike(name, others)
      if (other === undefined) return []
      const text = t('admin.lookAlike', { name, other })
      return [html`<p class="note">${text}</p>\n`]
    })
  })
  return notes.length === 0 ? NOTHING : html`${notes}`
}
