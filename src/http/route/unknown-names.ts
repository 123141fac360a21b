import { boolean } from '../../fields/boolean.ts'
import type { Sent } from '../request/body.ts'
import type { AnyRoute, Call } from '../route.ts'

/** Names that any request may carry, whether or not they change anything here (wire: events 0.4, rest 6). */
const GENERIC: readonly string[] = [
  '_embed',
  '_envelope',
  '_fields',
  '_jsonp',
  '_locale',
  '_method',
  '_pretty',
  '_wpnonce',
  'context',
  'lang',
  'password',
  'rest_route',
  'strict',
]

/** Most names that a response tells. */
const MOST_NAMES = 50

/** Longest beginning of a name that is told, in characters. */
const NAME_LIMIT = 64

/** Longest header, in bytes: proxies refuse responses whose headers are long. */
const HEADER_LIMIT = 1000

interface Known {
  readonly inQuery: ReadonlySet<string>
  /** A client may send back what it got: also what cannot be changed. */
  readonly inBody: ReadonlySet<string>
}

const knownNames = new WeakMap<AnyRoute, Known>()

function knownOf(route: AnyRoute): Known {
  const known = knownNames.get(route)
  if (known !== undefined) return known
  const names = [...GENERIC, ...[...route.pathFields, ...route.fields].map((one) => one.name)]
  const shown = Object.keys(route.answer.schema.schema['properties'] ?? {})
  const made = { inQuery: new Set(names), inBody: new Set([...names, ...shown]) }
  knownNames.set(route, made)
  return made
}

/**
 * Names of parameters and of members of the body (not of what lies inside of them) that mean nothing to a route, sorted and
 * each once; long ones are cut, and what comes after many is left out. `[]` for most requests.
 */
export function unknownNames(
  route: AnyRoute,
  { query, body }: { readonly query: Sent; readonly body: Sent },
): readonly string[] {
  const { inQuery, inBody } = knownOf(route)
  const names: string[] = []
  for (const name in query) if (!inQuery.has(name)) names.push(name)
  for (const name in body) if (!inBody.has(name)) names.push(name)
  if (names.length === 0) return names
  const told = names.map((name) => name.slice(0, NAME_LIMIT).toWellFormed())
  return [...new Set(told)].sort().slice(0, MOST_NAMES)
}

/** Whether names that mean nothing are refused. */
export function isStrict({ sent, context }: Pick<Call, 'sent' | 'context'>): boolean {
  const asked = sent('strict')
  const reading = asked === undefined || asked === null ? undefined : boolean.parse(asked, context)
  return reading?.ok === true && reading.value
}

/** The header that tells which names were ignored, percent-encoded; `{}` when there are none. */
export function ignoredHeader(names: readonly string[]): Readonly<Record<string, string>> {
  let text = ''
  for (const name of names) {
    const next = text === '' ? encodeURIComponent(name) : `${text}, ${encodeURIComponent(name)}`
    if (next.length > HEADER_LIMIT) return { 'x-kalends-ignored': `${text}, ...` }
    text = next
  }
  return names.length === 0 ? {} : { 'x-kalends-ignored': text }
}
