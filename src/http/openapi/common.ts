import { LANGUAGES } from '../../base/i18n/languages.ts'
import { STATUS_TEXTS } from './error-responses.ts'
import { flag, integer, ref, type Schema, text, word } from './parts.ts'

function parameter(name: string, place: 'query' | 'header', schema: Schema): Schema {
  return { name, in: place, required: false, description: schema['description'], schema }
}

/** Parameters that every operation takes, and the preconditions of those that read or change one item. */
export const PARAMETERS: Schema = {
  Fields: parameter(
    '_fields',
    'query',
    text('Members to answer, separated by commas; dots lead into members and lists', 'id,title,venue.city'),
  ),
  Envelope: parameter('_envelope', 'query', {
    type: 'string',
    description: 'Whether to answer 200 with body, status and headers as members of an object',
    examples: ['1'],
  }),
  Language: parameter('lang', 'query', word('Language of descriptions and messages', LANGUAGES)),
  Strict: parameter(
    'strict',
    'query',
    flag(
      'Whether parameters that the route does not have are refused; otherwise they are ignored and named in X-Kalends-Ignored',
    ),
  ),
  IfNoneMatch: parameter('If-None-Match', 'header', text('Validator of an answer that the client has', '"x1"')),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'header',
    text(
      'Key of the request, 1 to 255 visible characters: whoever sends it again within 24 hours gets the first answer',
      'd7b4a1f0-6e2c-4a57-9d0b-3f1f2f6c8e11',
    ),
  ),
  IfNew: parameter('If-None-Match', 'header', text('* for an item that must not exist yet', '*')),
  IfMatch: parameter(
    'If-Match',
    'header',
    text('ETag of the item that the change is made for; several are separated by commas, * is any', '"x1"'),
  ),
  IfUnmodifiedSince: parameter(
    'If-Unmodified-Since',
    'header',
    text('Date after which the item must not have changed; ignored beside If-Match', 'Fri, 20 Nov 2026 18:00:00 GMT'),
  ),
}

function header(schema: Schema, required = true): Schema {
  return { description: schema['description'], required, schema }
}

const TOTAL = header(integer('Number of items on all pages', 3))
const PAGES = header(integer('Number of pages', 3))

/** Headers of successful responses. Lists that a password has opened carry no validator. */
export const HEADERS: Schema = {
  Allow: header(text('Methods that the caller may use here', 'GET, POST', { pattern: '^[A-Z]+(, [A-Z]+)*$' })),
  ETag: header(text('Validator of the answer (RFC 9110)', '"x1"', { pattern: '^"[^"]+"$' }), false),
  'Last-Modified': header(
    text('Last change of the item, or of what it embeds', 'Fri, 20 Nov 2026 18:00:00 GMT', {
      pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
    }),
    false,
  ),
  Location: header(
    text('Address of what was created', 'https://calendar.example/cal/events/v1/events/10', { format: 'uri' }),
  ),
  Link: header(
    text(
      'Addresses of the pages beside this one (RFC 8288)',
      '<https://calendar.example/cal/events/v1/events/?page=2>; rel="next", <https://calendar.example/>; rel="https://api.w.org/"',
      { pattern: '^<[^>]+>; rel="[^"]+"(, <[^>]+>; rel="[^"]+")*$' },
    ),
  ),
  'Content-Disposition': header(
    text('Name under which the file may be saved', 'inline; filename="events.ics"', {
      pattern: '^inline; filename="[^"]+"$',
    }),
  ),
  'X-Kalends-Ignored': header(
    text('Names of the parameters that the route does not have, percent-encoded; they were ignored', 'colour', {
      pattern: "^[\\w.!~*'()%-]+(, [\\w.!~*'()%-]+)*$",
    }),
    false,
  ),
  'X-Kalends-Conflicts': header(
    text(
      'Events and dates at the same venue that overlap what was written, or each other where a venue was made exclusive, 20 at most; hidden for others that the caller may not read, more for further ones',
      '10, 12, hidden',
      { pattern: '^(\\d+|hidden)(, \\d+)*(, hidden)?(, more)?$' },
    ),
    false,
  ),
  'Idempotency-Replayed': header(
    text('Whether this is the answer that an earlier request with the same Idempotency-Key got', 'true', {
      pattern: '^true$',
    }),
    false,
  ),
  'X-Kalends-Seq': header(
    integer('Number of the journal that holds this write; sent back with a read, the answer holds it as well', 42),
  ),
  'X-Kalends-Cursor': header(text('Cursor from which changes to this list can be followed', 'YzE6NDI')),
  'RateLimit-Policy': header(
    text('Limits that this answer was counted for: quota and seconds', '"reads";q=120000;w=60', {
      pattern: '^"[^"]+";q=\\d+;w=\\d+(, "[^"]+";q=\\d+;w=\\d+)*$',
    }),
    false,
  ),
  RateLimit: header(
    text('What is left of each, and for how many seconds', '"reads";r=119999;t=42', {
      pattern: '^"[^"]+";r=\\d+;t=\\d+(, "[^"]+";r=\\d+;t=\\d+)*$',
    }),
    false,
  ),
  'Retry-After': header(integer('Seconds until it is worth trying again', 42), false),
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
  Error: { description: 'Any other error', content: { 'application/json': { schema: ref('Error') } } },
}

/** Ways to authenticate, or to unlock what is protected (decisions: Password). */
export const SECURITY_SCHEMES: Schema = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'User name or e-mail address, and an application password',
  },
  eventPassword: { type: 'apiKey', in: 'query', name: 'password', description: 'Password that opens the event' },
}
