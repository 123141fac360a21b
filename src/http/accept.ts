/** Media types beside JSON in which events can be asked for. */
const TYPES: ReadonlySet<string> = new Set([
  'text/calendar',
  'text/csv',
  'application/feed+json',
  'application/rss+xml',
  'application/calendar+json',
  'application/jscalendar+json',
  'application/ld+json',
])

/** What at least one of them has, so that other headers are not read: cached responses take no longer for them. */
const HINT = /calendar|csv|feed\+|rss\+|ld\+/i

/** Entries of the header that are read. */
const MOST_ENTRIES = 50

/**
 * The media type beside JSON that an Accept header prefers (RFC 9110 section 12.5.1); '' for JSON, which is the response
 * to everything else: to any type, to nothing and to what is not known. Where several weigh the same the first counts,
 * but JSON where it is named.
 */
export function preferredType(accept: string | undefined): string {
  if (accept === undefined || !HINT.test(accept)) return ''
  let found = { type: '', weight: 0 }
  let [json, anything] = [0, 0]
  for (const entry of accept.split(',', MOST_ENTRIES)) {
    const [name = '', ...parameters] = entry.split(';')
    const type = name.trim().toLowerCase()
    const weight = weightOf(parameters)
    if (type === 'application/json') json = weight
    else if (type === '*/*' || type === 'application/*') anything = Math.max(anything, weight)
    else if (TYPES.has(type) && weight > found.weight) found = { type, weight }
  }
  return found.weight > json && found.weight >= anything ? found.type : ''
}

/** The weight of an entry: 1 unless it says another, 0 where that is none. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.map((one) => one.trim()).find((one) => /^q=/i.test(one))
  if (text === undefined) return 1
  const weight = text.slice(2)
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
}
