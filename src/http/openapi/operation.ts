import type { AnyField } from '../../model/kinds/field.ts'
import type { AnyRoute, Group } from '../route.ts'
import { changesItem, createsBySlug, errorResponses, type ParticularErrors, STATUS_TEXTS } from './error-responses.ts'
import { inlined } from './inlined.ts'
import { ref, type Schema } from './parts.ts'
import { requestBodyOf } from './request-body.ts'

/** The group of everything that belongs to no resource. */
const SERVICE: Group = { name: 'service', about: 'api.informationAboutService' }

/** The group of operations that a route is shown in. */
export function groupOf({ group = SERVICE }: AnyRoute): Group {
  return group
}

/** Name of the schema of a route's response; the envelope of a list has its own. */
export function responseName({ response }: AnyRoute): string {
  return response.list === undefined || response.type !== undefined
    ? response.schema.name
    : `${response.schema.name}List`
}

/** The OpenAPI operation of a route, with English texts. */
export function operationOf(route: AnyRoute, errors: ParticularErrors): Schema {
  const parameters = [
    ...route.pathFields.map((one) => parameterOf(one, 'path', true)),
    ...(route.hasBody ? [] : route.fields.map((one) => parameterOf(one, 'query', route.fillsDefaults))),
    ...commonParameters(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
  return {
    operationId: route.operation,
    summary: route.summary,
    description: route.description,
    tags: [groupOf(route).name],
    parameters,
    ...(route.hasBody && { requestBody: requestBodyOf(route) }),
    responses: responsesOf(route, errors),
    ...securityOf(route),
  }
}

/** Who may call: everybody, everybody with the password of an event, or users with credentials. */
function securityOf(route: AnyRoute): Schema {
  const bearer = { bearer: route.scope === 'read' ? [] : [route.scope ?? 'admin'] }
  if (!route.open('anonymous')) return { security: [{ basic: [] }, bearer] }
  const opens = !route.hasBody && route.fields.some((one) => one.kind.schema['format'] === 'password')
  if (opens) return { security: [{}, { basic: [] }, bearer, { eventPassword: [] }] }
  return bearer.bearer.length === 0 ? {} : { security: [{}, { basic: [] }, bearer] }
}

function commonParameters(route: AnyRoute): readonly string[] {
  const forms = route.response.type === undefined ? ['Fields', 'Envelope'] : []
  return [...forms, 'Language', 'Strict', ...conditionsOf(route)]
}

/** Names of the parameters for preconditions and idempotency. */
function conditionsOf(route: AnyRoute): readonly string[] {
  if (route.method === 'GET') return ['IfNoneMatch']
  if (changesItem(route)) return ['IdempotencyKey', 'IfMatch', 'IfUnmodifiedSince']
  return createsBySlug(route) ? ['IdempotencyKey', 'IfNew'] : ['IdempotencyKey']
}

function parameterOf(one: AnyField, place: 'path' | 'query', fillsDefaults: boolean): Schema {
  const fallback = defaultOf(one)
  const { kind } = one
  return {
    name: one.name,
    in: place,
    required: one.required,
    description: one.description,
    schema: { ...kind.schema, ...(fillsDefaults && fallback !== undefined && { default: fallback }) },
    // Lists are separated by commas.
    ...(kind.schema['type'] === 'array' && { style: 'form', explode: false }),
  }
}

/** The default in force; a computed one cannot be documented. */
function defaultOf(one: AnyField): unknown {
  if (one.default !== undefined) return one.default
  return typeof one.shownDefault === 'function' || one.shownDefault === null ? undefined : one.shownDefault
}

function responsesOf(route: AnyRoute, errors: ParticularErrors): Schema {
  const { status, type = 'application/json' } = route.response
  const name = responseName(route)
  const example = { $ref: `#/components/examples/${name}` }
  const content = { [type]: { schema: ref(name), examples: { [name]: example } } }
  const success = {
    description: STATUS_TEXTS[status] ?? 'Success',
    headers: headersOf(route),
    content,
    ...formsOf(route),
  }
  return {
    [status]: success,
    ...(route.method === 'GET' && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...errorResponses(route, errors),
    default: { $ref: '#/components/responses/Error' },
  }
}

/**
 * The media types that Accept chooses. As further members of `content` they would make every generated client ask which
 * of them it got.
 */
function formsOf({ forms }: AnyRoute): Schema {
  if (forms === undefined) return {}
  return { 'x-accept': Object.fromEntries([...forms].map(([type, form]) => [type, inlined(form.response.schema)])) }
}

function headersOf(route: AnyRoute): Schema {
  const names = ['Allow', 'Link', 'X-Kalends-Ignored', 'RateLimit-Policy', 'RateLimit']
  if (route.response.type !== undefined && route.response.type !== 'text/event-stream')
    names.push('Content-Disposition')
  if (route.response.status === 201) names.push('Location')
  const mayBeExclusive = route.response.status === 200 && route.fields.some(({ name }) => name === 'exclusive')
  if (route.errors.includes('venue_taken') || mayBeExclusive) names.push('X-Kalends-Conflicts')
  names.push('ETag')
  if (route.method !== 'GET') names.push('X-Kalends-Seq', 'Idempotency-Replayed')
  if (route.method !== 'GET' || route.pathFields.length > 0) names.push('Last-Modified')
  if (route.response.list !== undefined)
    names.push('X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages', 'X-Kalends-Cursor')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
