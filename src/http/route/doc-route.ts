import { translateKnown } from '../../base/i18n/translate.ts'
import { everybody } from '../auth/rights.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { Schema } from '../openapi/parts.ts'
import { OPEN_API } from '../openapi/service-schemas.ts'
import { SPOKEN } from '../response/http-response.ts'
import { type AnyRoute, type Call, type Reply, route } from '../route.ts'

/** The route of the OpenAPI document (interface: Index and documentation). `routes` may be filled after this call. */
export function docRoute(routes: readonly AnyRoute[]): AnyRoute {
  const reply = documentReply(() => openApiDocument(routes))
  return route({
    ...OF_DOCUMENTS,
    path: '/doc',
    operation: 'getDocumentation',
    fields: [],
    response: { status: 200, schema: OPEN_API },
    handle: async (call) => reply(call),
  })
}

/** What all routes of OpenAPI documents have in common. */
export const OF_DOCUMENTS = {
  method: 'GET',
  summary: 'api.getOpenapiDocument',
  description: 'api.documentAbout',
  pathFields: [],
  hasBody: false,
  fillsDefaults: true,
  errors: [],
  scope: 'read',
  open: everybody,
} as const

/** Answers with a document in the language of each call, and with the addresses under which it was called. */
export function documentReply(make: () => Schema): (call: Pick<Call, 'language' | 'urls'>) => Reply {
  const made = new Map<string, Schema>()
  return ({ language, urls }) => {
    const known = made.get(language) ?? translated(make(), language)
    made.set(language, known)
    const info = { ...(known['info'] as Schema), contact: { url: urls.page('/') } }
    const body = { ...known, info, servers: [{ url: urls.api('') }] }
    return { status: 200, body, headers: SPOKEN, freshness: { dependencies: [] } }
  }
}

/** Members of the document that contain text for people. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'summary'])

/**
 * The document with its texts in a language. A property that is named `description` is no text but a schema, and
 * examples are data: their texts stay.
 */
function translated(document: Schema, language: string): Schema {
  const entries = Object.entries(document).map(([member, value]) => [member, translatedMember(member, value, language)])
  return Object.fromEntries(entries) as Schema
}

function translatedMember(member: string, value: unknown, language: string): unknown {
  if (typeof value === 'string') return TEXTS.has(member) ? translateKnown(language, value) : value
  if (Array.isArray(value)) {
    return member === 'examples' ? value : value.map((item) => translatedMember('', item, language))
  }
  if (typeof value !== 'object' || value === null || member === 'value') return value
  return translated(value as Schema, language)
}
