import { type DocumentForm, openApiDocument } from '../http/openapi/document.ts'
import { INTERFACE_ERRORS } from '../http/openapi/error-responses.ts'
import { named, object, open, ref, type Schema } from '../http/openapi/parts.ts'
import { OPEN_API } from '../http/openapi/service-schemas.ts'
import { asVersion30 } from '../http/openapi/version-3-0.ts'
import { PAGE_FIELDS } from '../http/paging.ts'
import { documentReply, OF_DOCUMENTS } from '../http/route/doc-route.ts'
import { type AnyRoute, route } from '../http/route.ts'
import { choice } from '../model/kinds/choice.ts'
import { field } from '../model/kinds/field.ts'
import { shownError } from './refuse.ts'

const SENTENCE = { type: 'string', minLength: 1 }

/** An error with members of its own in `data` or beside it. */
function errorOf(code: Schema, data: Readonly<Record<string, Schema>>, beside: Readonly<Record<string, Schema>> = {}) {
  const status = { type: 'integer', minimum: 400, maximum: 599 }
  const about = 'api.detailsError'
  return object('api.responses.error', { ...beside, code, message: SENTENCE, data: object(about, { status, ...data }) })
}

function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values, minProperties: 1 }
}

const INVALID = named(
  'InvalidParameters',
  errorOf(
    { const: 'rest_invalid_param' },
    { params: mapOf(SENTENCE), details: mapOf(errorOf(SENTENCE, { argument: SENTENCE, details: SENTENCE })) },
  ),
)

const TRASHED = named('Trashed', errorOf(SENTENCE, {}, { error: SENTENCE }))

/** What answers of this namespace look like where they differ from the interface. */
const FORM: DocumentForm = {
  listSchema: (_member, schema) => ({ type: 'array', items: ref(schema) }),
  errors: {
    schemas: {
      ...INTERFACE_ERRORS.schemas,
      rest_invalid_param: INVALID,
      'event-is-in-trash': TRASHED,
      'venue-is-in-trash': TRASHED,
      'organizer-is-in-trash': TRASHED,
    },
    example: (error) => ({ ...shownError({ fields: PAGE_FIELDS, pathFields: [] }, error, 'en') }),
  },
}

const DOCUMENT = named(
  'OpenApi',
  open('api.thisDocument', {
    ...(OPEN_API.schema['properties'] as Readonly<Record<string, Schema>>),
    openapi: { type: 'string', enum: ['3.0.4', '3.1.0'] },
  }),
)

/** The version that tools for this namespace expect comes first. */
const FIELDS = [field('version', choice(['3.0', '3.1']), 'api.openapiVersion', { default: '3.0' })] as const

/** The route of the documents, which describe all routes of the namespace. `routes` may be filled after this call. */
export function docsRoute(routes: readonly AnyRoute[]): AnyRoute {
  const document = (): Schema => openApiDocument(routes.map(described), FORM)
  const replies = {
    '3.0': documentReply(() => asVersion30(document())),
    '3.1': documentReply(document),
  }
  return route({
    ...OF_DOCUMENTS,
    path: '/docs',
    operation: 'getOpenApiDocs',
    fields: FIELDS,
    response: { status: 200, schema: DOCUMENT },
    handle: async (call) => replies[call.values.version ?? '3.0'](call),
  })
}

/** What is created has to have what it cannot be without, whoever looks at that. */
function described(one: AnyRoute): AnyRoute {
  return one.response.status === 201 ? { ...one, fillsDefaults: true } : one
}
