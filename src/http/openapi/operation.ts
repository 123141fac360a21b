import { ANONYMOUS } from '../../auth/caller.ts'
import type { AnyField } from '../../fields/field.ts'
import type { AnyRoute } from '../route.ts'
import { ref, type Schema } from './parts.ts'

/** Names of the tags that group operations, by the first segment of a path; everything else is of the service. */
const TAGGED = ['events', 'venues', 'organizers', 'categories', 'tags', 'media']

/** Media types that a body may have. PHP-like servers read multipart with POST only, and so do we (wire: events 0.2). */
const FORM_TYPES = ['application/json', 'application/x-www-form-urlencoded']

/** What an answer with a status says, in English. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'What was asked for',
  201: 'What was created',
  400: 'The request is not valid: parameters are missing or refused, or they name nothing that exists',
  401: 'Credentials are needed, or those that were sent are wrong',
  403: 'The caller may not do this',
  404: 'There is no such item or page',
  409: 'Something still needs the item',
  410: 'The item is in the trash already',
  413: 'The body is too large',
  500: 'The server has failed',
}

/** The tag of a path. */
export function tagOf(path: string): string {
  const first = path.split('/')[1] ?? ''
  return TAGGED.includes(first) ? first : 'service'
}

/** Name of the schema of what a route takes in its body: `EventCreate`, `EventUpdate`. */
export function bodyName(route: AnyRoute): string {
  return `${route.answer.schema}${route.fillsDefaults ? 'Create' : 'Update'}`
}

/** Name of the schema of what a route answers; the envelope of a list has its own. */
export function answerName(route: AnyRoute): string {
  return route.answer.list === undefined ? route.answer.schema : `${route.answer.schema}List`
}

/** What a route takes in its body. Defaults are in force on create only. */
export function bodySchema(route: AnyRoute): Schema {
  const required = route.fields.filter((one) => one.required).map((one) => one.name)
  return {
    type: 'object',
    properties: Object.fromEntries(route.fields.map((one) => [one.name, propertyOf(one, route.fillsDefaults)])),
    ...(required.length > 0 && { required }),
  }
}

/** The OpenAPI operation of a route, with English texts. */
export function operationOf(route: AnyRoute): Schema {
  const parameters = [
    ...route.pathFields.map((one) => parameterOf(one, 'path', true)),
    ...(route.hasBody ? [] : route.fields.map((one) => parameterOf(one, 'query', route.fillsDefaults))),
  ]
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [tagOf(route.path)],
    ...(parameters.length > 0 && { parameters }),
    ...(route.hasBody && { requestBody: requestBodyOf(route) }),
    responses: responsesOf(route),
    ...(!route.open(ANONYMOUS) && { security: [{ basic: [] }] }),
  }
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

/** The default in force; a computed one cannot be written down. */
function defaultOf(one: AnyField): unknown {
  if (one.default !== undefined) return one.default
  return typeof one.shownDefault === 'function' || one.shownDefault === null ? undefined : one.shownDefault
}

function propertyOf(one: AnyField, isCreate: boolean): Schema {
  const { format } = one.declared
  return {
    ...(one.whenNull === 'refuse' ? one.kind.schema : orNull(one.kind.schema)),
    ...(format !== undefined && { format }),
    description: one.description,
    ...(isCreate && one.default !== undefined && { default: one.default }),
  }
}

/** The schema of the same values and null, which clears a field or counts as not sent. */
function orNull(schema: Schema): Schema {
  const { type, enum: words } = schema
  if (type === undefined) return schema
  const types = Array.isArray(type) ? (type as string[]) : [String(type)]
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(words) && { enum: [...words, null] }),
  }
}

function requestBodyOf(route: AnyRoute): Schema {
  if (route.uploadLimit !== undefined) return uploadBodyOf(route)
  const types = route.method === 'POST' ? [...FORM_TYPES, 'multipart/form-data'] : FORM_TYPES
  const content = Object.fromEntries(types.map((type) => [type, { schema: ref(bodyName(route)) }]))
  return { required: route.fields.some((one) => one.required), content }
}

/** A file as a part of a form, beside the fields of the route, or as the whole body. */
function uploadBodyOf(route: AnyRoute): Schema {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file' }
  const form = bodySchema(route)
  const properties = { file, ...(form['properties'] as Schema) }
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { ...form, properties, required: ['file'] } },
      'image/*': { schema: {} },
    },
  }
}

function responsesOf(route: AnyRoute): Schema {
  const { status } = route.answer
  const content = { 'application/json': { schema: ref(answerName(route)) } }
  const headers = headersOf(route)
  const success = { description: STATUS_TEXTS[status] ?? 'Success', ...(headers && { headers }), content }
  const errors = route.errors.map((code) => [String(code), { $ref: `#/components/responses/Error${code}` }])
  return {
    [status]: success,
    ...Object.fromEntries(errors),
    default: { $ref: '#/components/responses/Error' },
  }
}

function headersOf(route: AnyRoute): Schema | undefined {
  if (route.answer.status === 201) return { Location: { $ref: '#/components/headers/Location' } }
  if (route.answer.list === undefined) return undefined
  const names = ['X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages', 'Link']
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The answers that operations share: one for each error status in use, and that of any other error. */
export function errorResponses(routes: readonly AnyRoute[]): Schema {
  const content = { 'application/json': { schema: ref('Error') } }
  const statuses = [...new Set(routes.flatMap((one) => one.errors))].sort((a, b) => a - b)
  const named = statuses.map((status) => [
    `Error${status}`,
    { description: STATUS_TEXTS[status] ?? 'An error', content },
  ])
  return { Error: { description: 'Any other error', content }, ...Object.fromEntries(named) }
}
