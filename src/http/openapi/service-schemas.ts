import type { MessageId } from '../../base/i18n/translate.ts'
import { integer, links, list, moment, NOTHING, named, object, open, ref, type Schema, text } from './parts.ts'

const METHODS = { type: 'array', items: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, minItems: 1 }

/** A parameter as the index shows it. */
const ARGUMENT = {
  type: 'object',
  properties: {
    description: { type: 'string', minLength: 1 },
    type: { enum: ['integer', 'string', 'boolean', 'array', 'double'] },
    format: { type: 'string' },
    items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    default: {},
    required: { type: 'boolean' },
  },
  required: ['description', 'required'],
  additionalProperties: false,
}

const ENDPOINT = {
  type: 'object',
  properties: { methods: METHODS, args: { anyOf: [NOTHING, { type: 'object', additionalProperties: ARGUMENT }] } },
  required: ['methods', 'args'],
  additionalProperties: false,
}

const NAMESPACE = text('api.namespaceRoutes', 'cal/events/v1')

/** What every error says. */
/** The names of members of `data` that may be absent end in a question mark. */
function error(description: MessageId, code: Schema, data: Readonly<Record<string, Schema>>): Schema {
  const status = integer('api.httpStatusCode', 400, { minimum: 400, maximum: 599 })
  const members = Object.entries(data).map(([name, schema]) => [name.replace('?', ''), schema] as const)
  const required = Object.keys(data).filter((name) => !name.endsWith('?'))
  return object(description, {
    code,
    message: text('api.errorMessageLanguageRequest', 'The request could not be read.', { minLength: 1 }),
    data: object('api.detailsError', { status, ...Object.fromEntries(members) }, ['status', ...required]),
  })
}

const NAME = 'api.errorCodeNeverChanges'

function constant(code: string): Schema {
  return { const: code, description: NAME }
}

const SENTENCES = {
  type: 'object',
  description: 'api.errorMessagesParameterName' as const,
  additionalProperties: { type: 'string', minLength: 1 },
  minProperties: 1,
  examples: [{ page: 'page must be a whole number of 1 or more.' }],
}

const MISTYPED = {
  type: 'object',
  properties: {
    code: { const: 'rest_invalid_type' },
    message: { type: 'string' },
    data: { type: 'object', properties: { param: { type: 'string' } }, required: ['param'] },
  },
  required: ['code', 'message', 'data'],
  additionalProperties: false,
}

const DETAILS = {
  description: 'api.parametersWrongTypeName',
  anyOf: [NOTHING, { type: 'object', additionalProperties: MISTYPED, minProperties: 1 }],
}

/** The ID of the existing term twice, as some clients read it (wire: rest 3.9). */
function withPair(schema: Schema): Schema {
  const additional_data = { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2, maxItems: 2 }
  const { properties, required } = schema as { properties: Schema; required: string[] }
  return {
    ...schema,
    properties: { ...properties, additional_data: { ...additional_data, examples: [[6, 6]] } },
    required: [...required, 'additional_data'],
  }
}

/** An error that says no more than its status. */
export const ERROR = named('Error', error('api.responses.error', text(NAME, 'rest_bad_request', { minLength: 1 }), {}))

const TAKERS = 'api.idsEventsDatesVenue'

/** Codes whose errors carry more than their status, with their schemas. */
export const PARTICULAR_ERRORS = {
  rest_invalid_param: named(
    'InvalidParameters',
    error('api.responses.error', constant('rest_invalid_param'), { params: SENTENCES, details: DETAILS }),
  ),
  rest_missing_callback_param: named(
    'MissingParameters',
    error('api.responses.error', constant('rest_missing_callback_param'), {
      params: { ...list(SENTENCES.description, { type: 'string', examples: ['title'] }), minItems: 1 },
    }),
  ),
  rest_invalid_json: named(
    'InvalidJson',
    error('api.responses.error', constant('rest_invalid_json'), {
      json_error_code: { type: 'integer', enum: [4, 1, 5] },
      json_error_message: { type: 'string', examples: ['Syntax error'] },
    }),
  ),
  venue_taken: named(
    'VenueTaken',
    error('api.responses.error', constant('venue_taken'), {
      venue: integer('common.id', 12, { minimum: 1 }),
      events: list(TAKERS, integer('common.id', 10, { minimum: 1 })),
      hidden: { type: 'boolean', description: 'api.whetherOthersCallerRead' },
      'dates?': list('api.startTimesUtcDates', moment('api.startInUtc', '2027-04-17 07:30:00')),
    }),
  ),
  batch_failed: named(
    'BatchFailed',
    error('api.responses.error', constant('batch_failed'), {
      failed: object(
        'api.requestFailedIndexCounted',
        {
          index: integer('api.indexRequest', 1),
          id: text('api.idRequestOmittedNone', 'venue'),
          status: integer('api.httpStatusCode', 403, { minimum: 400, maximum: 499 }),
          headers: open('api.batch.headers', {}, []),
          body: { ...open('api.responseRequestWouldGet', {}, []), additionalProperties: true },
        },
        ['index', 'status', 'headers', 'body'],
      ),
    }),
  ),
  term_exists: named(
    'TermExists',
    withPair(
      error('api.responses.error', constant('term_exists'), { term_id: integer('common.id', 6, { minimum: 1 }) }),
    ),
  ),
} as const

/** What OPTIONS returns for a path. */
const PATH = named(
  'Path',
  object(
    'api.responseOptionsRequest',
    {
      namespace: NAMESPACE,
      methods: { ...METHODS, examples: [['GET']] },
      endpoints: { type: 'array', items: ENDPOINT, minItems: 1, examples: [[{ methods: ['GET'], args: [] }]] },
      _links: links(['self']),
    },
    ['namespace', 'methods', 'endpoints'],
  ),
)

/** The routes of a namespace. Generators that write one file for each schema reserve the name `index`. */
export const INDEX = named(
  'RouteIndex',
  object('api.routesService', {
    namespace: NAMESPACE,
    routes: {
      type: 'object',
      description: 'api.routesByPattern',
      additionalProperties: ref('Path'),
      minProperties: 1,
      examples: [
        {
          '/cal/events/v1/doc': {
            namespace: 'cal/events/v1',
            methods: ['GET'],
            endpoints: [{ methods: ['GET'], args: [] }],
          },
        },
      ],
    },
    _links: links(['up']),
  }),
  [PATH],
)

/** A server that is ready for requests. */
export const HEALTH = named(
  'Health',
  object('api.serverReadyRespond', {
    status: { const: 'ok', description: 'api.serverReadDatabaseShutting' },
  }),
)

/** The document itself. */
export const OPEN_API = named(
  'OpenApi',
  open('api.thisDocument', {
    openapi: text('api.openapiVersion', '3.1.0', { pattern: '^3\\.1\\.0$' }),
    info: { type: 'object', examples: [{ title: 'Kalends', version: '1.0.0' }] },
    servers: {
      type: 'array',
      items: { type: 'object' },
      minItems: 1,
      examples: [[{ url: 'https://calendar.example/cal/events/v1' }]],
    },
    paths: { type: 'object', minProperties: 1, examples: [{ '/doc': {} }] },
    components: { type: 'object', examples: [{}] },
  }),
)
