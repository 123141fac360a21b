import type { AnyRoute } from '../route.ts'
import { HEADERS, PARAMETERS, RESPONSES, SECURITY_SCHEMES } from './common.ts'
import { errorExamples } from './error-answers.ts'
import { exampleOf } from './examples.ts'
import { answerName, operationOf, tagOf } from './operation.ts'
import type { Schema } from './parts.ts'
import { bodyExample, bodyName, bodySchema } from './request-body.ts'
import { listSchema, SCHEMAS } from './schemas.ts'

/** Version of the interface that the document describes; the namespace carries its first number. */
const VERSION = '1.0.0'

/** The groups of operations and what they are about, in English. */
const TAGS: Readonly<Record<string, string>> = {
  service: 'What the service says about itself',
  events: 'Events: what happens, when and where',
  venues: 'Venues: the places of events',
  organizers: 'Organizers: the people and groups behind events',
  categories: 'Categories of events; each may have one above it',
  tags: 'Tags of events',
  media: 'Pictures',
}

const ABOUT = [
  'Events, venues, organizers, categories and tags of a calendar.',
  'Everybody may read what is published; changes need HTTP Basic authentication with a user name and an application password.',
  'An update changes only the fields that are sent; null empties a field.',
  'Every route takes _fields, a list of the members to answer, and lang, the language of descriptions and messages.',
].join(' ')

/**
 * The OpenAPI 3.1 document of the routes, with English texts. It names no server: that depends on the call.
 * @throws Error when a route answers a schema that does not exist, or two bodies differ under one name
 */
export function openApiDocument(routes: readonly AnyRoute[]): Schema {
  const used = new Set(routes.map((one) => tagOf(one.path)))
  const tags = Object.entries(TAGS).filter(([name]) => used.has(name))
  const schemas = { ...SCHEMAS, ...listSchemas(routes) }
  return {
    openapi: '3.1.0',
    info: { version: VERSION, title: 'Kalends', description: ABOUT },
    servers: [],
    tags: tags.map(([name, description]) => ({ name, description })),
    security: [{}, { basic: [] }],
    paths: pathsOf(routes),
    components: {
      schemas: { ...schemas, ...bodySchemas(routes) },
      responses: RESPONSES,
      parameters: PARAMETERS,
      examples: examplesOf(routes, schemas),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** Examples of answers, of bodies and of errors. */
function examplesOf(routes: readonly AnyRoute[], schemas: Readonly<Record<string, Schema>>): Schema {
  const answers = routes.map((one): [string, Schema] => {
    const name = answerName(one)
    return [name, { value: exampleOf(schemas[name] ?? {}, schemas) }]
  })
  const bodies = routes.filter(takesFields).map((one): [string, Schema] => [bodyName(one), bodyExample(one)])
  return { ...Object.fromEntries([...answers, ...bodies]), ...errorExamples(routes) }
}

function pathsOf(routes: readonly AnyRoute[]): Schema {
  const paths = [...Map.groupBy(routes, (one) => one.path)].map(([path, own]) => [
    path === '' ? '/' : path.replace(/:(\w+)/g, '{$1}'),
    Object.fromEntries(own.map((one) => [one.method.toLowerCase(), operationOf(one)])),
  ])
  return Object.fromEntries(paths)
}

function listSchemas(routes: readonly AnyRoute[]): Readonly<Record<string, Schema>> {
  const made: Record<string, Schema> = {}
  for (const one of routes) {
    const { schema, list, type } = one.answer
    if (!Object.hasOwn(SCHEMAS, schema)) throw new Error(`${one.operation} answers the unknown schema ${schema}`)
    if (list !== undefined && type === undefined) made[answerName(one)] = listSchema(list, schema)
  }
  return made
}

/** Whether a route takes fields in its body, and not a file. */
function takesFields({ hasBody, uploadLimit }: AnyRoute): boolean {
  return hasBody && uploadLimit === undefined
}

function bodySchemas(routes: readonly AnyRoute[]): Readonly<Record<string, Schema>> {
  const made: Record<string, Schema> = {}
  for (const one of routes.filter(takesFields)) {
    const name = bodyName(one)
    const schema = bodySchema(one)
    if (JSON.stringify(made[name] ?? schema) !== JSON.stringify(schema)) throw new Error(`two bodies are named ${name}`)
    made[name] = schema
  }
  return made
}
