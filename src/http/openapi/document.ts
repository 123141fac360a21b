import type { AnyRoute } from '../route.ts'
import { HEADERS, PARAMETERS, RESPONSES, SECURITY_SCHEMES } from './common.ts'
import { errorExamples, INTERFACE_ERRORS, type ParticularErrors } from './error-responses.ts'
import { exampleOf } from './examples.ts'
import { listSchema } from './list-schema.ts'
import { groupOf, operationOf, responseName } from './operation.ts'
import type { NamedSchema, Schema } from './parts.ts'
import { bodyExample, bodyName, bodySchema } from './request-body.ts'
import { ERROR } from './service-schemas.ts'

/** Version of the interface that the document describes; the namespace carries its first number. */
const VERSION = '1.0.0'

const LICENSE = { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }

/** What the answers of a namespace look like where namespaces differ. */
export interface DocumentForm {
  readonly errors: ParticularErrors
  /** The schema of a list whose items are in a member and have a schema. */
  listSchema(member: string, schema: string): Schema
}

/** The form of the interface. */
const INTERFACE_FORM: DocumentForm = { errors: INTERFACE_ERRORS, listSchema }

/**
 * The OpenAPI 3.1 document of the routes, whose texts are IDs of messages. It names neither server nor contact: they depend on the call.
 * @throws Error when two schemas or two bodies differ under one name
 */
export function openApiDocument(routes: readonly AnyRoute[], form: DocumentForm = INTERFACE_FORM): Schema {
  const groups = new Map(routes.map(groupOf).map(({ name, about }) => [name, about]))
  const schemas = { ...responseSchemas(routes, form), ...listSchemas(routes, form) }
  const paths = pathsOf(routes, form)
  const components = {
    schemas: { ...schemas, ...bodySchemas(routes) },
    responses: RESPONSES,
    parameters: PARAMETERS,
    examples: examplesOf(routes, { schemas, form }),
    headers: HEADERS,
  }
  return {
    openapi: '3.1.0',
    info: { version: VERSION, title: 'Kalends', description: 'api.about', license: LICENSE },
    servers: [],
    tags: [...groups].map(([name, description]) => ({ name, description })),
    security: [{}, { basic: [] }, { bearer: [] }],
    paths,
    components: { ...usedOf(components, paths), securitySchemes: SECURITY_SCHEMES },
  }
}

/** The components that operations refer to, directly or through others. */
function usedOf(components: Readonly<Record<string, Schema>>, paths: Schema): Schema {
  const used = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      if (name !== '$ref' || typeof value !== 'string') visit(value)
      else if (!used.has(value)) {
        used.add(value)
        const [, , kind = '', key = ''] = value.split('/')
        visit(components[kind]?.[key])
      }
    }
  }
  visit(paths)
  const kept = Object.entries(components).map(([kind, members]): [string, Schema] => [
    kind,
    Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ])
  return Object.fromEntries(kept)
}

/** Examples of responses, of request bodies and of errors. */
function examplesOf(
  routes: readonly AnyRoute[],
  { schemas, form }: { readonly schemas: Readonly<Record<string, Schema>>; readonly form: DocumentForm },
): Schema {
  const examples = routes.map((one): [string, Schema] => {
    const name = responseName(one)
    return [name, { value: exampleOf(schemas[name] ?? {}, schemas) }]
  })
  const bodies = routes.filter(takesFields).map((one): [string, Schema] => [bodyName(one), bodyExample(one)])
  return { ...Object.fromEntries([...examples, ...bodies]), ...errorExamples(routes, form.errors) }
}

function pathsOf(routes: readonly AnyRoute[], { errors }: DocumentForm): Schema {
  const paths = [...Map.groupBy(routes, (one) => one.path)].map(([path, own]) => [
    path === '' ? '/' : path.replace(/:(\w+)/g, '{$1}'),
    Object.fromEntries(own.map((one) => [one.method.toLowerCase(), operationOf(one, errors)])),
  ])
  return Object.fromEntries(paths)
}

/** The schemas of responses and errors, with all that they refer to. */
function responseSchemas(routes: readonly AnyRoute[], { errors }: DocumentForm): Readonly<Record<string, Schema>> {
  const found = new Map<string, Schema>()
  const add = ({ name, schema, uses }: NamedSchema): void => {
    const known = found.get(name)
    if (known !== undefined && known !== schema) throw new Error(`two schemas are named ${name}`)
    found.set(name, schema)
    if (known === undefined) uses.forEach(add)
  }
  for (const one of [...routes.map(({ response }) => response.schema), ERROR, ...Object.values(errors.schemas)])
    add(one)
  return Object.fromEntries(found)
}

function listSchemas(routes: readonly AnyRoute[], { listSchema }: DocumentForm): Readonly<Record<string, Schema>> {
  const lists = routes.flatMap((one): [string, Schema][] => {
    const { schema, list, type } = one.response
    return list === undefined || type !== undefined ? [] : [[responseName(one), listSchema(list, schema.name)]]
  })
  return Object.fromEntries(lists)
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
