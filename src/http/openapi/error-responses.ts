import { ERRORS, type ErrorCode, errorText } from '../../base/errors.ts'
import type { MessageId } from '../../base/i18n/translate.ts'
import type { AnyRoute } from '../route.ts'
import { type NamedSchema, ref, type Schema } from './parts.ts'
import { ERROR, PARTICULAR_ERRORS } from './service-schemas.ts'

/** What each status means. */
export const STATUS_TEXTS: Readonly<Record<number, MessageId>> = {
  200: 'api.responses.ok',
  201: 'api.responses.created',
  304: 'api.responses.notModified',
  400: 'api.responses.badRequest',
  401: 'api.responses.unauthorized',
  403: 'api.responses.forbidden',
  404: 'api.responses.notFound',
  409: 'api.responses.conflict',
  410: 'api.responses.gone',
  412: 'api.responses.preconditionFailed',
  413: 'api.responses.tooLarge',
  422: 'api.responses.keyMismatch',
  428: 'api.responses.preconditionRequired',
  429: 'api.responses.tooMany',
  503: 'api.responses.unavailable',
}

/** Errors of every operation: URL and credentials are read before the route is called, and nearly every route queries the database. */
const ALWAYS: readonly ErrorCode[] = [
  'rest_bad_request',
  'rest_too_many_params',
  'rest_invalid_json',
  'incorrect_password',
  'invalid_token',
  'ambiguous_credentials',
  'rest_too_many_requests',
  'rest_query_too_costly',
  'rest_too_busy',
  'rest_unavailable',
  'rest_data_missing',
]

/** Errors of every operation that writes. A body is read for no other. */
const OF_WRITES: readonly ErrorCode[] = ['rest_body_too_large', 'rest_cross_origin', 'rest_disk_full']

/** Whether a route changes or deletes one item. */
export function changesItem({ method, pathFields }: AnyRoute): boolean {
  return method !== 'GET' && pathFields.length > 0
}

/** Whether a route creates an item with a slug of the caller's choice. */
export function createsBySlug(route: AnyRoute): boolean {
  return route.method === 'POST' && !changesItem(route) && route.fields.some(({ name }) => name === 'slug')
}

/** The errors of writes with an Idempotency-Key, and of those with preconditions. */
function conditionalErrors(route: AnyRoute): readonly ErrorCode[] {
  if (route.method === 'GET') return []
  const keyed = ['rest_invalid_header', 'idempotency_in_progress', 'idempotency_mismatch', 'idempotency_limit'] as const
  if (changesItem(route)) return [...keyed, 'precondition_failed', 'precondition_required']
  return createsBySlug(route) ? [...keyed, 'precondition_failed'] : keyed
}

/** The error codes of a route by status: its own, and those that follow from its parameters and its callers. */
function errorsOf(route: AnyRoute): ReadonlyMap<number, readonly ErrorCode[]> {
  const required = route.uploadLimit !== undefined || (route.fillsDefaults && route.fields.some((one) => one.required))
  const codes: ErrorCode[] = [
    ...(required ? (['rest_missing_callback_param'] as const) : []),
    'rest_invalid_param',
    // An ID that is not a number matches no route.
    ...(route.pathFields.length > 0 ? (['rest_no_route'] as const) : []),
    ...ALWAYS,
    ...(route.method === 'GET' ? [] : OF_WRITES),
    ...(route.scope === 'read' ? [] : (['insufficient_scope'] as const)),
    ...conditionalErrors(route),
    ...route.errors.filter((code) => code !== 'rest_forbidden'),
  ]
  const statuses = codes.map((code): [number, ErrorCode] => [ERRORS[code].status, code])
  // Anonymous callers are asked for credentials, others are refused (wire: rest 4.3).
  const isClosed = !route.open('anonymous') || route.errors.includes('rest_forbidden')
  if (isClosed) statuses.push([401, 'rest_forbidden'], [403, 'rest_forbidden'])
  const sorted = statuses.sort(([a], [b]) => a - b)
  return new Map(
    [...Map.groupBy(sorted, ([status]) => status)].map(([status, own]) => [status, own.map(([, code]) => code)]),
  )
}

/** The error responses of an operation by status. */
export function errorResponses(route: AnyRoute, errors: ParticularErrors): Schema {
  return Object.fromEntries(
    [...errorsOf(route)].map(([status, codes]) => [String(status), errorResponse(status, codes, errors)]),
  )
}

const LIMIT_HEADERS: Schema = Object.fromEntries(
  ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

function errorResponse(status: number, codes: readonly ErrorCode[], errors: ParticularErrors): Schema {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${exampleName(code, status)}` }])
  const schema = errorSchema(codes, errors)
  return {
    description: STATUS_TEXTS[status] ?? 'api.responses.error',
    ...(status === 429 && { headers: LIMIT_HEADERS }),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

function errorSchema(codes: readonly ErrorCode[], { schemas: known }: ParticularErrors): Schema {
  const plain = codes.filter((code) => known[code] === undefined)
  const schemas = codes.flatMap((code) => known[code] ?? []).map(({ name }) => ref(name))
  if (plain.length > 0) schemas.push({ ...ref(ERROR.name), properties: { code: { enum: plain } } })
  const [first] = schemas
  return schemas.length === 1 && first !== undefined ? first : { anyOf: schemas }
}

function exampleName(code: ErrorCode, status: number): string {
  return code === 'rest_forbidden' ? `${code}_${status}` : code
}

/** Values for the slots of error messages in examples. */
const SLOTS = {
  params: 'page',
  limit: 2_097_152,
  slug: 'rowing',
  header: 'If-Match',
  seconds: 42,
  reason: 'its address is missing',
  request: 'venue',
  scope: 'events:write',
}

/** What some errors say besides their status, for examples. */
const DATA: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>>> = {
  rest_invalid_param: { params: { page: 'page must be a whole number of 1 or more.' }, details: [] },
  rest_missing_callback_param: { params: ['page'] },
  rest_invalid_json: { json_error_code: 4, json_error_message: 'Syntax error' },
  term_exists: { term_id: 6 },
  venue_taken: { venue: 12, events: [10], hidden: false },
  batch_failed: {
    failed: {
      index: 1,
      id: 'venue',
      status: 404,
      headers: {},
      body: { code: 'rest_no_route', message: errorText('en', 'rest_no_route'), data: { status: 404 } },
    },
  },
}

/** The errors of a namespace that say more than their status. */
export interface ParticularErrors {
  readonly schemas: Readonly<Partial<Record<ErrorCode, NamedSchema>>>
  /** An example of an error, from what every namespace says in it. */
  example(error: ErrorExample): Schema
}

/** An error in an example. */
interface ErrorExample {
  readonly code: ErrorCode
  readonly message: string
  readonly data: Schema
}

/** Those of the interface. */
export const INTERFACE_ERRORS: ParticularErrors = {
  schemas: PARTICULAR_ERRORS,
  example: (error) => (error.code === 'term_exists' ? { ...error, additional_data: [6, 6] } : { ...error }),
}

/** An example of every error that the routes may return, with its English message. */
export function errorExamples(routes: readonly AnyRoute[], { example }: ParticularErrors): Schema {
  const used = routes.flatMap((one) =>
    [...errorsOf(one)].flatMap(([status, codes]) => codes.map((code) => [code, status] as const)),
  )
  const exampleOf = (code: ErrorCode, status: number): Schema => {
    const error = { code, message: errorText('en', code, SLOTS), data: { status, ...DATA[code] } }
    return { summary: `errors.${code}`, value: example(error) }
  }
  return Object.fromEntries(used.map(([code, status]) => [exampleName(code, status), exampleOf(code, status)]))
}
