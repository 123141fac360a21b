import fc, { type Arbitrary } from 'fast-check'

type Node = Readonly<Record<string, unknown>>

/** An operation of a document as far as requests are made of it. */
interface Operation {
  readonly parameters: readonly (Node & { readonly name: string; readonly in: string; readonly schema: Node })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Node }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** A document as far as requests are made of it. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>
    readonly parameters: Readonly<Record<string, Operation['parameters'][number]>>
  }
}

/** A request that a document suggests; in the path `{id}` and `{slug}` are still to be filled in. */
export interface Suggested {
  readonly namespace: string
  readonly method: string
  /** `/events/{id}` */
  readonly path: string
  /** Chooses what the path names among what there is, or among what there is not. */
  readonly pick: number
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly medium: 'json' | 'form'
}

/** Values that tend to be read in a way of their own. */
const ODD = fc.constantFrom<unknown>(
  ...[null, '', ' ', '0', 0, -1, 1.5, 2 ** 31, 1e300, true, false, [], {}, [[]], [null], { id: 0 }],
  ...[
    'tomorrow',
    '2027-02-30',
    '9999-12-31 23:59:59',
    '0000-00-00 00:00:00',
    '1925000000',
    '\u0000',
    '\ud83c\udf89',
    '%00',
  ],
  ...[
    '<b>x</b>',
    '&amp;',
    '1,2,,3',
    '-word "a phrase',
    'publish,draft',
    'any',
    'asc',
    'UTC+5:30',
    'http://x',
    'a@b.example',
  ],
)

/** Whole numbers that name something now and then. */
const SMALL = fc.integer({ min: 0, max: 40 })

/** Values that a schema of the document allows. */
function allowedBy(schema: Node, described: Described): Arbitrary<unknown> {
  const { type, enum: words, examples, anyOf } = schema
  if (typeof schema['$ref'] === 'string') return allowedBy(referred(schema['$ref'], described), described)
  if (Array.isArray(words)) return fc.constantFrom<unknown>(...words)
  const choices = anyOf as readonly Node[] | undefined
  if (choices !== undefined) return fc.oneof(...choices.map((one) => allowedBy(one, described)))
  const types = (Array.isArray(type) ? type : [type ?? 'string']) as readonly string[]
  const made = types.map((one) => ofType(one, schema, described))
  if (!Array.isArray(examples)) return fc.oneof(...made)
  // Much of the text that a schema allows is no date: its examples are.
  return fc.oneof(...made, { weight: 4 * made.length, arbitrary: fc.constantFrom<unknown>(...examples) })
}

function referred(reference: string, { components }: Described): Node {
  return components.schemas[reference.split('/').at(-1) ?? ''] ?? {}
}

// biome-ignore lint/suspicious/noExplicitAny: bounds are numbers where the schema has them
function ofType(type: string, schema: any, described: Described): Arbitrary<unknown> {
  const { minimum = -1000, maximum = 1000, minItems = 0, items = {}, properties = {} } = schema
  switch (type) {
    case 'integer':
      return fc.oneof(SMALL, fc.integer({ min: Math.max(minimum, -1000) }))
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(allowedBy(items, described), { minLength: minItems, maxLength: minItems + 3 })
    case 'object':
      return membersOf(properties, schema.required ?? [], described)
    default:
      return textOf(schema)
  }
}

function textOf({ pattern, format, minLength = 0 }: Node): Arbitrary<string> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  if (format === 'uri') return fc.webUrl()
  if (format === 'email') return fc.emailAddress()
  const least = Number(minLength)
  const words = fc.constantFrom(
    'jazz',
    'Rowing',
    'rowing',
    'Spring Regatta',
    'Heron',
    'Ünïcödé',
    'العربية',
    'UTC',
    'Asia/Tokyo',
  )
  return fc.oneof(words, fc.string({ minLength: least, unit: 'grapheme', maxLength: 60 }))
}

function membersOf(
  properties: Readonly<Record<string, Node>>,
  required: readonly string[],
  described: Described,
): Arbitrary<Record<string, unknown>> {
  const members = Object.entries(properties).map(([name, schema]): [string, Arbitrary<unknown>] => {
    const own = allowedBy(schema, described)
    return [name, fc.oneof({ weight: 12, arbitrary: own }, { weight: 1, arbitrary: fc.oneof(ODD, fc.jsonValue()) })]
  })
  const isKept = fc.double({ min: 0, max: 1, noNaN: true })
  const all = fc.record(Object.fromEntries(members))
  // Few members at once, so that many requests are valid in all of them.
  return fc
    .tuple(all, fc.array(isKept, { minLength: members.length, maxLength: members.length }), isKept)
    .map(([made, kept, share]) =>
      Object.fromEntries(
        Object.entries(made).filter(([name], index) =>
          required.includes(name) ? share < 0.95 : (kept[index] ?? 0) < share * share,
        ),
      ),
    )
}

/** Requests that the document of a namespace suggests: each operation with values that it allows and some others. */
export function requestsOf(namespace: string, described: Described): Arbitrary<Suggested> {
  const all = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !isEndless(operation))
      .map(([method, operation]) => requestTo(described, { namespace, path, method, operation })),
  )
  return fc.oneof(...all)
}

/** Whether an operation is answered by a stream, which ends when nobody listens any more. */
function isEndless({ responses }: Operation): boolean {
  return Object.hasOwn(responses['200']?.content ?? {}, 'text/event-stream')
}

function requestTo(
  described: Described,
  { namespace, path, method, operation }: { namespace: string; path: string; method: string; operation: Operation },
): Arbitrary<Suggested> {
  const parameters = operation.parameters
    .map((one) => described.components.parameters[String(one['$ref']).split('/').at(-1) ?? ''] ?? one)
    .filter((one) => one.in === 'query')
  const query = membersOf(Object.fromEntries(parameters.map((one) => [one.name, one.schema])), [], described)
  const schema = operation.requestBody?.content['application/json']?.schema
  const content = schema === undefined ? undefined : referred(String(schema['$ref']), described)
  const fields = (content?.['properties'] ?? {}) as Readonly<Record<string, Node>>
  const required = (content?.['required'] ?? []) as readonly string[]
  return fc.record({
    namespace: fc.constant(namespace),
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    pick: fc.nat(1000),
    query,
    body: content === undefined ? fc.constant(undefined) : membersOf(fields, required, described),
    medium: fc.constantFrom('json', 'json', 'form'),
  })
}
