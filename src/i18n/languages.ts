/**
 * The languages of descriptions and messages (decisions: Languages). English is that of the code itself; each other one
 * is a catalogue `locales/<language>.json` and its name here.
 */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ja', 'zh', 'ar'] as const

/** Where a request may say its language, in order of weight (decisions: Locale). */
export interface LanguageHints {
  /** Language segment of the path; '' when none. */
  readonly segment: string
  /** `lang` of the query string. */
  readonly lang: unknown
  /** Accept-Language header. */
  readonly accept: string | undefined
}

/** Longest Accept-Language header that is looked at, in characters. */
const HEADER_LIMIT = 500

/** The language of a request: the first hint that names one we have, else the fallback. */
export function chooseLanguage(hints: LanguageHints, fallback: string): string {
  const named = [hints.segment, typeof hints.lang === 'string' ? hints.lang : '', ...accepted(hints.accept)]
  for (const tag of named) {
    if (tag === '') continue
    const language = tag.trim().toLowerCase().split(/[-_]/, 1)[0]
    const known = LANGUAGES.find((one) => one === language)
    if (known !== undefined) return known
  }
  return fallback
}

/** Language tags of an Accept-Language header, best first (RFC 9110 section 12.5.4). */
function accepted(header: string | undefined): string[] {
  if (header === undefined) return []
  const ranges = header
    .slice(0, HEADER_LIMIT)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';')
      const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/i.exec(one)?.[1]).find((one) => one !== undefined)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
  return ranges
    .filter((one) => one.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map((one) => one.tag)
}
