import { boolean } from '../../model/kinds/boolean.ts'
import type { RawInput } from '../request/body.ts'
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

/** Most names that are reported. */
const MOST_NAMES = 50

/** Longest part of a name that is reported, in characters. */
const NAME_LIMIT = 64

/** Longest header, in bytes: proxies refuse responses whose headers are long. */
const HEADER_LIMIT = 1000

interface Known {
  readonly inQuery: ReadonlySet<string>
  /** A client may send back what it received, read-only members included. */
  readonly inBody: ReadonlySet<string>
}

const knownNames = new WeakMap<AnyRoute, Known>()

function knownOf(route: AnyRoute): Known {
  const known = knownNames.get(route)
  if (known !== undefined) return known
  const names = [...GENERIC, ...[...route.pathFields, ...route.fields].map((one) => one.name)]
  const shown = Object.keys(route.response.schema.schema['properties'] ?? {})
  const made = { inQuery: new Set(names), inBody: new Set([...names, ...shown]) }
  knownNames.set(route, made)
  return made
}

/** Unknown names of parameters and of members of the body, as they were sent. `[]` for most requests. */
export function unknownNames(
  route: AnyRoute,
  { query, body }: { readonly query: RawInput; readonly body: RawInput },
): readonly string[] {
  const { inQuery, inBody } = knownOf(route)
  const names: string[] = []
  for (const name in query) if (!inQuery.has(name)) names.push(name)
  for (const name in body) if (!inBody.has(name)) names.push(name)
  return names
}

/** The names as they are reported: sorted and each once; long ones are cut, and beyond a limit the rest is left out. */
export function toldNames(names: readonly string[]): readonly string[] {
  const told = names.map((name) => name.slice(0, NAME_LIMIT).toWellFormed())
  return [...new Set(told)].sort().slice(0, MOST_NAMES)
}

/** Whether names that mean nothing are refused. */
export function isStrict({ sent, context }: Pick<Call, 'sent' | 'context'>): boolean {
  const asked = sent['strict']
  const reading = asked === undefined || asked === null ? undefined : boolean.parse(asked, context)
  return reading?.ok === true && reading.value
}

/** The header that reports ignored names, percent-encoded; `{}` when there are none. */
export function ignoredHeader(names: readonly string[]): Readonly<Record<string, string>> {
  let text = ''
  for (const name of toldNames(names)) {
    const next = text === '' ? encodeURIComponent(name) : `${text}, ${encodeURIComponent(name)}`
    if (next.length > HEADER_LIMIT) return { 'x-kalends-ignored': `${text}, ...` }
    text = next
  }
  return names.length === 0 ? {} : { 'x-kalends-ignored': text }
}
