import { type Kind, mistyped, refuse } from './kind.ts'

/** Longest language tag, in characters (RFC 5646 section 4.4.1 asks for 35 at least). */
const TAG_LIMIT = 64

/**
 * A language tag in its canonical form (RFC 5646 section 4.5: `de-at` is `de-AT`, `iw` is `he`); undefined for anything else.
 * Names of languages are refused, although they look like the registered tags of five letters and more, which do not exist.
 */
export function canonicalLanguage(tag: string): string | undefined {
  if (tag.length > TAG_LIMIT || !/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** A language tag (BCP 47), stored in its canonical form; '' for none. */
export const language: Kind<string> = {
  control: 'language',
  declared: { type: 'string' },
  schema: { type: 'string', maxLength: TAG_LIMIT },
  parse(value) {
    if (typeof value !== 'string') return mistyped('not_text')
    const tag = value.trim()
    if (tag === '') return { ok: true, value: '' }
    const canonical = canonicalLanguage(tag)
    return canonical === undefined ? refuse('bad_language') : { ok: true, value: canonical }
  },
}

/** The language of a filter, with which those of its regions and scripts are found: not empty. */
export const languageRange: Kind<string> = {
  declared: { type: 'string' },
  schema: { type: 'string', minLength: 2, maxLength: TAG_LIMIT },
  parse(value, context) {
    return value === '' ? refuse('empty') : language.parse(value, context)
  },
}
