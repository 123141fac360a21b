import { LANGUAGES } from '../../base/i18n/languages.ts'
import { STATUS_TEXTS } from './error-responses.ts'
import { flag, integer, ref, type Schema, text, word } from './parts.ts'

function parameter(name: string, place: 'query' | 'header', schema: Schema): Schema {
  return { name, in: place, required: false, description: schema['description'], schema }
}

/** Parameters that every operation takes, and the preconditions of those that read or change one item. */
export const PARAMETERS: Schema = {
  Fields: parameter('_fields', 'query', text('api.fields', 'id,title,venue.city')),
  Envelope: parameter('_envelope', 'query', {
    type: 'string',
    description: 'api.envelope',
    examples: ['1'],
  }),
  Language: parameter('lang', 'query', word('api.language', LANGUAGES)),
  Strict: parameter('strict', 'query', flag('api.strict')),
  IfNoneMatch: parameter('If-None-Match', 'header', text('api.ifNoneMatch', '"x1"')),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'header',
    text('api.idempotencyKey', 'd7b4a1f0-6e2c-4a57-9d0b-3f1f2f6c8e11'),
  ),
  IfNew: parameter('If-None-Match', 'header', text('api.ifNew', '*')),
  IfMatch: parameter('If-Match', 'header', text('api.ifMatch', '"x1"')),
  IfUnmodifiedSince: parameter(
    'If-Unmodified-Since',
    'header',
    text('api.ifUnmodifiedSince', 'Fri, 20 Nov 2026 18:00:00 GMT'),
  ),
}

function header(schema: Schema, required = true): Schema {
  return { description: schema['description'], required, schema }
}

const TOTAL = header(integer('api.total', 3))
const PAGES = header(integer('api.totalPages', 3))

/** Headers of successful responses. Lists that a password has opened carry no validator. */
export const HEADERS: Schema = {
  Allow: header(text('api.allow', 'GET, POST', { pattern: '^[A-Z]+(, [A-Z]+)*$' })),
  ETag: header(text('api.etag', '"x1"', { pattern: '^"[^"]+"$' }), false),
  'Last-Modified': header(
    text('api.lastModified', 'Fri, 20 Nov 2026 18:00:00 GMT', {
      pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
    }),
    false,
  ),
  Location: header(text('api.location', 'https://calendar.example/cal/events/v1/events/10', { format: 'uri' })),
  Link: header(
    text(
      'api.link',
      '<https://calendar.example/cal/events/v1/events/?page=2>; rel="next", <https://calendar.example/>; rel="https://api.w.org/"',
      { pattern: '^<[^>]+>; rel="[^"]+"(, <[^>]+>; rel="[^"]+")*$' },
    ),
  ),
  'Content-Disposition': header(
    text('api.contentDisposition', 'inline; filename="events.ics"', {
      pattern: '^inline; filename="[^"]+"$',
    }),
  ),
  'X-Kalends-Ignored': header(
    text('api.ignoredParameters', 'colour', {
      pattern: "^[\\w.!~*'()%-]+(, [\\w.!~*'()%-]+)*$",
    }),
    false,
  ),
  'X-Kalends-Conflicts': header(
    text('api.conflicts', '10, 12, hidden', { pattern: '^(\\d+|hidden)(, \\d+)*(, hidden)?(, more)?$' }),
    false,
  ),
  'Idempotency-Replayed': header(
    text('api.idempotencyReplayed', 'true', {
      pattern: '^true$',
    }),
    false,
  ),
  'X-Kalends-Seq': header(integer('api.seq', 42)),
  'X-Kalends-Cursor': header(text('api.cursor', 'YzE6NDI')),
  'RateLimit-Policy': header(
    text('api.rateLimitPolicy', '"reads";q=120000;w=60', {
      pattern: '^"[^"]+";q=\\d+;w=\\d+(, "[^"]+";q=\\d+;w=\\d+)*$',
    }),
    false,
  ),
  RateLimit: header(
    text('api.rateLimit', '"reads";r=119999;t=42', {
      pattern: '^"[^"]+";r=\\d+;t=\\d+(, "[^"]+";r=\\d+;t=\\d+)*$',
    }),
    false,
  ),
  'Retry-After': header(integer('api.retryAfter', 42), false),
  'X-TEC-Total': TOTAL,
  'X-TEC-TotalPages': PAGES,
  'X-WP-Total': TOTAL,
  'X-WP-TotalPages': PAGES,
}

/** Responses that operations share. */
export const RESPONSES: Schema = {
  NotModified: {
    description: STATUS_TEXTS[304],
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
  },
  Error: { description: 'api.responses.other', content: { 'application/json': { schema: ref('Error') } } },
}

/** Ways to authenticate, or to unlock what is protected (decisions: Password). */
export const SECURITY_SCHEMES: Schema = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'api.basicAuthentication',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'api.bearerAuthentication' },
  eventPassword: { type: 'apiKey', in: 'query', name: 'password', description: 'api.eventPassword' },
}
