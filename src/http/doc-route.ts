import { translate } from '../i18n/translate.ts'
import { SPOKEN } from './answer.ts'
import { openApiDocument } from './openapi/document.ts'
import type { Schema } from './openapi/parts.ts'
import { type AnyRoute, route } from './route.ts'

/** The route of the OpenAPI document (interface: Index and documentation). `routes` may be filled after this call. */
export function docRoute(routes: readonly AnyRoute[]): AnyRoute {
  const byLanguage = new Map<string, Schema>()
  return route({
    method: 'GET',
    path: '/doc',
    operation: 'getDocumentation',
    summary: 'Describe the routes as an OpenAPI document',
    pathFields: [],
    fields: [],
    hasBody: false,
    fillsDefaults: false,
    answer: { status: 200, schema: 'OpenApi' },
    errors: [],
    open: () => true,
    handle: async ({ language, urls }) => {
      const known = byLanguage.get(language) ?? translated(openApiDocument(routes), language)
      byLanguage.set(language, known)
      return { status: 200, body: { ...known, servers: [{ url: urls.api('') }] }, headers: SPOKEN }
    },
  })
}

/** Members of the document that hold a text for people. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'summary'])

/** The document with its texts in a language. A property that is named `description` is no text but a schema. */
function translated(document: Schema, language: string): Schema {
  const entries = Object.entries(document).map(([member, value]) => [member, translatedMember(member, value, language)])
  return Object.fromEntries(entries) as Schema
}

function translatedMember(member: string, value: unknown, language: string): unknown {
  if (typeof value === 'string') return TEXTS.has(member) ? translate(language, value) : value
  if (Array.isArray(value)) return value.map((item) => translatedMember('', item, language))
  return typeof value === 'object' && value !== null ? translated(value as Schema, language) : value
}
