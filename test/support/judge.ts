import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A part of an OpenAPI document. */
export type Node = Readonly<Record<string, unknown>>

/** Representations that imports may add members to. */
const IMPORTED = ['Event', 'Venue', 'Organizer', 'Term', 'Category', 'Tag']

/** What is wrong with a value by the schema at a pointer of a document; [] when nothing is. */
export type Judge = (pointer: readonly string[], value: unknown) => string[]

/** A document in three degrees of strictness. */
export interface Judges {
  /** Items hold nothing but what the document names. */
  readonly closed: Judge
  /** As the document is. */
  readonly open: Judge
  /** Nothing is required: answers that `_fields` has cut. */
  readonly partial: Judge
}

/** The judges of an OpenAPI document; what 3.0 says of null, the compiler of schemas knows as well. */
export function judgesOf(document: Node): Judges {
  return {
    closed: judgeOf(() => closed(document)),
    open: judgeOf(() => document),
    partial: judgeOf(() => partial(document)),
  }
}

/** Judges by a document that is made when the first value comes: most tests need one of the three alone. */
function judgeOf(make: () => Node): Judge {
  let compiler: Ajv2020 | undefined
  const known = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    compiler ??= compilerOf(make())
    const $ref = `document#/${pointer.map(escaped).join('/')}`
    const validate = known.get($ref) ?? compiler.compile({ $ref })
    known.set($ref, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      (one) => `${one.instancePath} ${one.message} ${brief(one.params)}, not ${brief(one.data)}`,
    )
  }
}

function compilerOf(document: Node): Ajv2020 {
  // A document is more than a schema: its own members are unknown to JSON Schema, which therefore has nothing to say
  // about the whole of it. Whether it is a document of OpenAPI is asked in test/doc.e2e.test.ts.
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false })
  addFormats.default(ajv)
  return ajv.addSchema(document, 'document')
}

function brief(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 120) ?? 'undefined'
}

function escaped(member: string): string {
  return encodeURIComponent(member.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The document with items that hold nothing but what it names. */
function closed(document: Node): Node {
  const { components } = document as { components: { schemas: Record<string, Node> } }
  const schemas = { ...components.schemas }
  for (const name of IMPORTED) schemas[name] = { ...schemas[name], additionalProperties: false }
  return { ...document, components: { ...components, schemas } }
}

/** The document with nothing required: answers that `_fields` has cut. */
function partial(document: Node): Node {
  const drop = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(drop)
    if (typeof node !== 'object' || node === null) return node
    const kept = Object.entries(node).filter(([name, value]) => !(name === 'required' && Array.isArray(value)))
    return Object.fromEntries(kept.map(([name, value]) => [name, drop(value)]))
  }
  return drop(document) as Node
}
