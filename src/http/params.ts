import { isDeepStrictEqual } from 'node:util'
import { Failure, fail } from '../base/errors.ts'
import { translate } from '../base/i18n/translate.ts'
import { boolean } from '../model/kinds/boolean.ts'
import type { AnyField, ValuesOf } from '../model/kinds/field.ts'
import { type FieldContext, type ParseResult, reasonId } from '../model/kinds/kind.ts'
import type { RawInput } from './request/body.ts'
import type { AnyRoute, Call, InvalidParam } from './route.ts'

/** Everything that reading a list of fields needs. */
export interface FieldInput {
  /** What was sent, by name. */
  readonly sent: RawInput
  readonly context: FieldContext
  /** Whether declared defaults are filled in. */
  readonly fillsDefaults: boolean
  /** What GET returns now; sent values equal to it are passed over. */
  readonly shown?: Readonly<Record<string, unknown>> | undefined
}

/** Names of the required fields that were not sent or are null, in declared order. */
export function missingFields(fields: readonly AnyField[], sent: RawInput): string[] {
  return fields.filter((one) => one.required && (sent[one.name] ?? null) === null).map((one) => one.name)
}

/** Reads the fields in declared order. Refused ones are returned beside the values of the others. */
export function readFields(
  fields: readonly AnyField[],
  sending: FieldInput,
): { values: Record<string, unknown>; refusals: InvalidParam[] } {
  const values: Record<string, unknown> = {}
  const refusals: InvalidParam[] = []
  for (const one of fields) {
    const reading = readField(one, sending)
    if (reading === undefined) continue
    if (reading.ok) values[one.name] = reading.value
    else {
      const { code, reason, detail } = reading
      refusals.push({ name: one.name, code, reason, ...(detail !== undefined && { detail }) })
    }
  }
  return { values, refusals }
}

function readField(one: AnyField, sending: FieldInput): ParseResult<unknown> | undefined {
  const sent = sending.sent[one.name]
  if (sent !== undefined && isShown(one.name, sent, sending.shown)) return undefined
  if (sent === undefined || (sent === null && one.whenNull === 'unsent')) return defaultOf(one, sending)
  if (sent === null || (sent === '' && one.whenNull === 'clear')) {
    if (one.whenNull === 'clear') return { ok: true, value: one.cleared }
    return { ok: false, code: 'rest_invalid_param', reason: 'empty' }
  }
  return one.kind.parse(sent, sending.context)
}

function defaultOf(one: AnyField, sending: FieldInput): ParseResult<unknown> | undefined {
  return sending.fillsDefaults && one.default !== undefined ? { ok: true, value: one.default } : undefined
}

function isShown(name: string, sent: unknown, shown: FieldInput['shown']): boolean {
  if (shown === undefined || !Object.hasOwn(shown, name)) return false
  const value = shown[name]
  // A form says numbers and booleans in words.
  if (typeof sent === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return sent === String(value)
  return isDeepStrictEqual(sent, asSerialised(value))
}

/** What a client sees: without members that have no content. */
function asSerialised(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value
}

/** The 400 of missing fields (wire: events 0.1, step 4). */
export function missingFailure(names: readonly string[]): Failure {
  return fail('rest_missing_callback_param', { params: names.join(', ') }, { params: names })
}

/** The 400 of refused parameters: `params` names each with a sentence, `details` holds the type failures ([] when none). */
export function refusedFailure(refusals: readonly InvalidParam[], order: readonly string[], language: string): Failure {
  const sorted = [...refusals].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  const message = (one: InvalidParam): string =>
    `${one.name} ${translate(language, reasonId(one.reason), { detail: one.detail ?? '' })}`
  const typed = sorted.filter((one) => one.code === 'rest_invalid_type')
  const details = typed.map((one) => [one.name, { code: one.code, message: message(one), data: { param: one.name } }])
  const failure = fail(
    'rest_invalid_param',
    { params: sorted.map((one) => one.name).join(', ') },
    {
      params: Object.fromEntries(sorted.map((one) => [one.name, message(one)])),
      details: typed.length === 0 ? [] : Object.fromEntries(details),
    },
  )
  refusalsOf.set(failure, sorted)
  return failure
}

const refusalsOf = new WeakMap<object, readonly InvalidParam[]>()

/** The parameters that a failure refuses; undefined where it is about something else. */
export function refusalsIn(failure: unknown): readonly InvalidParam[] | undefined {
  return failure instanceof Failure ? refusalsOf.get(failure) : undefined
}

/** Under which name somebody knows a parameter. */
export type NameOf = (name: string) => string

/** A refusal of a parameter under another name, which may mention a further one. */
export function renamedRefusal({ name, detail, ...refusal }: InvalidParam, nameOf: NameOf): InvalidParam {
  return { ...refusal, name: nameOf(name), ...(detail !== undefined && { detail: nameOf(detail) }) }
}

/** A failure that names parameters as somebody else does, each once; any other failure as it is. */
export function renamedFailure(failure: unknown, nameOf: NameOf, language: string): unknown {
  const refusals = refusalsIn(failure)
  if (refusals !== undefined) {
    const renamed = new Map(refusals.map((one) => [nameOf(one.name), renamedRefusal(one, nameOf)]))
    return refusedFailure([...renamed.values()], [], language)
  }
  if (!(failure instanceof Failure) || failure.code !== 'rest_missing_callback_param') return failure
  const missing = failure.data['params'] as readonly string[]
  return missingFailure(missing.map(nameOf))
}

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
export function reportedNames(names: readonly string[]): readonly string[] {
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
  for (const name of reportedNames(names)) {
    const next = text === '' ? encodeURIComponent(name) : `${text}, ${encodeURIComponent(name)}`
    if (next.length > HEADER_LIMIT) return { 'x-kalends-ignored': `${text}, ...` }
    text = next
  }
  return names.length === 0 ? {} : { 'x-kalends-ignored': text }
}

/** Whether values were read by these fields: they contain nothing else. */
export function areValuesOf<Fields extends readonly AnyField[]>(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
): values is Readonly<Record<string, unknown>> & ValuesOf<Fields> {
  return Object.keys(values).every((name) => fields.some((one) => one.name === name))
}
