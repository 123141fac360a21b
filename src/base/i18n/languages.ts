/**
 * The languages of descriptions and messages (decisions: Languages). English is that of the code itself; each other one
 * is a catalogue `locales/<language>.json` and its name here.
 */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ja', 'zh', 'ar'] as const

/** Longest Accept-Language header that is looked at, in characters. */
const HEADER_LIMIT = 500

/** The language that a tag names, whatever its region: `de` for `DE_at`; '' for one that we do not have. */
export function knownLanguage(tag: string): string {
  const language = tag.trim().toLowerCase().split(/[-_]/, 1)[0]
  return LANGUAGES.find((one) => one === language) ?? ''
}

/** The language that an Accept-Language header prefers among those we have; '' when there is none. */
export function acceptedLanguage(header: string | undefined): string {
  if (header === undefined) return ''
  for (const tag of accepted(header)) {
    const language = knownLanguage(tag)
    if (language !== '') return language
  }
  return ''
}

/** Language tags of an Accept-Language header, best first (RFC 9110 section 12.5.4). */
function accepted(header: string): string[] {
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
