import type { AnyField } from '../../model/kinds/field.ts'
import type { AnyRoute } from '../route.ts'
import { ref, type Schema } from './parts.ts'

/** Form types that a body may have. Like PHP, we read multipart with POST only (wire: events 0.2). */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** Name of the schema of a route's body: `EventCreate`, `EventUpdate`. */
export function bodyName(route: AnyRoute): string {
  return `${route.response.schema.name}${route.fillsDefaults ? 'Create' : 'Update'}`
}

/**
 * The body of a route; unknown members are ignored. Defaults are left out, because generators turn a member with a default
 * into a required one.
 */
export function bodySchema(route: AnyRoute): Schema {
  const required = route.fields.filter((one) => one.required).map((one) => one.name)
  return {
    type: 'object',
    properties: Object.fromEntries(route.fields.map((one) => [one.name, propertyOf(one)])),
    ...(required.length > 0 && { required }),
  }
}

/** An example of a route's body, built from the fields that have one. */
export function bodyExample(route: AnyRoute): Schema {
  const shown = route.fields.filter((one) => one.example !== undefined)
  return { value: Object.fromEntries(shown.map((one) => [one.name, one.example])) }
}

/** The body of a route: JSON, or a form whose lists are separated by commas. */
export function requestBodyOf(route: AnyRoute): Schema {
  if (route.uploadLimit !== undefined) return uploadBodyOf(route)
  const lists = route.fields.filter((one) => one.declared.items !== undefined)
  const encoding = Object.fromEntries(lists.map((one) => [one.name, { style: 'form', explode: false }]))
  const forms = route.method === 'POST' ? FORM_TYPES : FORM_TYPES.slice(0, 1)
  const content = {
    schema: ref(bodyName(route)),
    examples: { [bodyName(route)]: { $ref: `#/components/examples/${bodyName(route)}` } },
  }
  return {
    required: route.fillsDefaults && route.fields.some((one) => one.required),
    content: {
      'application/json': content,
      ...Object.fromEntries(forms.map((type) => [type, { ...content, ...(lists.length > 0 && { encoding }) }])),
    },
  }
}

/**
 * A form with a file and the fields of the route. The description says that the file may also be the whole body: given
 * both, generators write code that does not compile.
 */
function uploadBodyOf(route: AnyRoute): Schema {
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'api.theFile' }
  const form = bodySchema(route)
  const properties = { file, ...(form['properties'] as Schema) }
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { ...form, properties, required: ['file'] } },
    },
  }
}

function propertyOf(one: AnyField): Schema {
  const { format } = one.declared
  return {
    ...(one.whenNull === 'refuse' ? one.kind.schema : orNull(one.kind.schema)),
    ...(format !== undefined && { format }),
    description: one.description,
    ...(one.example !== undefined && { examples: [one.example] }),
  }
}

/** The schema extended by null, which clears a field or counts as not sent. The first alternative has to name a type. */
function orNull(schema: Schema): Schema {
  const { type, enum: words, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [orNull(anyOf[0]), ...anyOf.slice(1)] }
  if (type === undefined) return schema
  const types = Array.isArray(type) ? (type as string[]) : [String(type)]
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(words) && { enum: [...words, null] }),
  }
}
