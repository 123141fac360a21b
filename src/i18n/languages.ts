/** The languages of descriptions and messages (decisions: Languages). English is the language of the code itself. */
export const LANGUAGES = ['en', 'de'] as const

/** Where a request may say its language, in order of weight (decisions: Locale). */
export interface LanguageHints {
  /** Language segment of the path; '' when none. */
  readonly segment: string
  /** `lang` of the query string. */
  readonly lang: unknown
  /** Accept-Language header. */
  readonly accept: string | undefined
}

/** The language of a request: the first hint that names one we have, else the fallback. */
export function chooseLanguage(hints: LanguageHints, fallback: string): string {
  const named = [hints.segment, typeof hints.lang === 'string' ? hints.lang : '', ...accepted(hints.accept)]
  for (const tag of named) {
    const language = tag.toLowerCase().split(/[-_]/, 1)[0]
    const known = LANGUAGES.find((one) => one === language)
    if (known !== undefined) return known
  }
  return fallback
}

/** Language tags of an Accept-Language header, best first (RFC 9110 section 12.5.4). */
function accepted(header: string | undefined): string[] {
  if (header === undefined) return []
  const ranges = header.slice(0, 500).split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';')
    const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined)
    return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) }
  })
  return ranges.filter((one) => one.weight > 0).sort((a, b) => b.weight - a.weight).map((one) => one.tag)
}
