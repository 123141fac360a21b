import { LANGUAGES } from '../../src/base/i18n/languages.ts'
import { NAMESPACE, readTarget } from '../../src/http/address.ts'
import { OWN_NAMESPACE, TEC_NAMESPACE, WRITERS_NAMESPACE } from '../../src/http/namespace.ts'
import { type Judge, type Judges, judgesOf, type Node } from './judge.ts'

/** One request with its answer, as a client saw it. */
export interface Exchange {
  readonly method: string
  /** Absolute address as it was called. */
  readonly url: string
  /** What the body of the request carried under names; it counts before the query. */
  readonly sent?: Node
  /** Header of the request that names another method. */
  readonly override?: string | null
  readonly status: number
  readonly headers: Headers
  /** Body of the answer. */
  readonly text: string
}

/** What the OpenAPI documents of a server say, as a test of answers. */
export interface Contract {
  /** What is wrong with an answer by the document; [] when nothing is, or when the address is none of the API. */
  problemsOf(exchange: Exchange): string[]
  /** From now on items may hold members that the document does not name, as imports bring them along. */
  allowUnknownMembers(): void
}

/** Errors that belong to no operation: those of the transport, and of a write whose outcome is unknown. */
const WITHOUT_OPERATION = ['rest_request_timeout', 'rest_headers_too_large', 'rest_write_uncertain']

/** What the document of a namespace says. */
interface LawOfNamespace extends Judges {
  readonly namespace: string
  readonly document: Node
}

/** Contracts of servers that have the same OpenAPI documents, each with the namespace that it describes. */
export function contractsOf(documents: readonly (readonly [namespace: string, Node])[]): () => Contract {
  // Compiling schemas takes longer than most tests: it is done once, whatever each server is allowed.
  const laws = documents.map(([namespace, document]) => ({
    ...judgesOf(document),
    namespace,
    document,
  }))
  return () => contractOf(laws)
}

function contractOf(laws: readonly LawOfNamespace[]): Contract {
  let whole: 'closed' | 'open' = 'closed'
  const problemsOf: Contract['problemsOf'] = (exchange) => {
    const path = internalPath(exchange.url)
    if (path === undefined) return []
    const all = laws.filter(({ namespace }) => path === `/${namespace}` || path.startsWith(`/${namespace}/`))
    return all.flatMap((law) => problemsBy(law, path, exchange))
  }
  const problemsBy = (law: LawOfNamespace, path: string, exchange: Exchange): string[] => {
    const place = placeOf(law.document, path.slice(law.namespace.length + 1) || '/', exchange)
    const sent: Node = { ...Object.fromEntries(new URL(exchange.url).searchParams), ...exchange.sent }
    const isCut = Object.keys(sent).some((name) => /^_fields\b/.test(name))
    const isJson = /json/i.test(exchange.headers.get('content-type') ?? 'json')
    const isWrapped =
      !['undefined', '0', 'false'].includes(String(sent['_envelope'])) && exchange.status === 200 && isJson
    const answer = { ...(isWrapped ? unwrap(exchange) : parsedResponse(exchange)), isCut }
    return checkAnswer(place, answer, { document: law.document, judge: isCut ? law.partial : law[whole] })
  }
  return {
    problemsOf,
    allowUnknownMembers() {
      whole = 'open'
    },
  }
}

/** Where an answer belongs in the document: a path and method of it, the description of a path, or an error of none. */
type Place = { readonly operation: readonly string[]; readonly node: Node } | 'options' | 'nowhere'

/** An answer that is to be judged; headers are undefined where an envelope holds only some of them. */
interface Answer {
  readonly status: number
  /** Whether `_fields` has taken members away. */
  readonly isCut?: boolean
  readonly headers: Headers | undefined
  readonly hasBody: boolean
  readonly body: unknown
}

const SPACES = [
  { name: NAMESPACE, aliases: ['tribe/events/v1'] },
  { name: OWN_NAMESPACE, aliases: [] },
  { name: WRITERS_NAMESPACE, aliases: [] },
  { name: TEC_NAMESPACE, aliases: [] },
]

/** Internal path of an address of the API, without the query; undefined for other addresses. */
function internalPath(url: string): string | undefined {
  const { pathname, search } = new URL(url)
  const target = readTarget(pathname + search, { namespaces: SPACES, languages: LANGUAGES })
  return target.mount === undefined ? undefined : target.url.split('?', 1)[0]
}

function placeOf(document: Node, path: string, exchange: Exchange): Place {
  const paths = document['paths'] as Readonly<Record<string, Node>>
  const template = Object.keys(paths).find((one) => patternOf(one).test(path))
  const method = methodOf(exchange)
  if (template !== undefined && method === 'options') return 'options'
  const node = template === undefined ? undefined : (paths[template]?.[method] as Node | undefined)
  if (template === undefined || node === undefined) return 'nowhere'
  return { operation: ['paths', template, method], node }
}

const patterns = new Map<string, RegExp>()

function patternOf(template: string): RegExp {
  const known = patterns.get(template)
  if (known !== undefined) return known
  const made = new RegExp(`^${template.replace('{id}', '\\d+').replace(/\{\w+\}/g, '[^/]+')}$`, 'i')
  patterns.set(template, made)
  return made
}

function methodOf({ method, override, url }: Exchange): string {
  const named = /[?&]_method=([A-Za-z]+)/.exec(url)?.[1] ?? override ?? ''
  const other = method === 'POST' && /^(PUT|PATCH|DELETE|GET)$/i.test(named) ? named : method
  return other === 'HEAD' ? 'get' : other.toLowerCase()
}

function parsedResponse({ method, status, headers, text }: Exchange): Answer {
  const hasBody = method !== 'HEAD' && status !== 304
  return { status, headers, hasBody, body: hasBody && text !== '' ? parsed(text) : undefined }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function unwrap(exchange: Exchange): Answer {
  const outer = parsedResponse(exchange)
  if (!outer.hasBody) return { ...outer, headers: undefined }
  const { status, body } = outer.body as { status: number; body: unknown }
  return { status, headers: undefined, hasBody: true, body }
}

/** What answers are judged by. */
interface Law {
  readonly document: Node
  readonly judge: Judge
}

function checkAnswer(place: Place, answer: Answer, law: Law): string[] {
  const { status, body } = answer
  if (place === 'options' || place === 'nowhere' || WITHOUT_OPERATION.includes(codeOf(body)))
    return checkUndescribed(place, answer, law)
  const found = (place.node['responses'] as Readonly<Record<string, Node>>)[String(status)]
  if (found === undefined) return [`status ${status} ${codeOf(body)} is not in the document`]
  const { node, pointer } = followed(law.document, found, [...place.operation, 'responses', String(status)])
  const problems = answer.headers === undefined ? [] : checkHeaders(node, answer.headers, law)
  if (!answer.hasBody) return problems
  if (node['content'] === undefined) return body === undefined ? problems : [...problems, 'there is a body']
  if (answer.isCut === true && Array.isArray(body) && body.length === 0) return problems
  return [...problems, ...law.judge([...pointer, ...mediaTypeOf(node, answer.headers), 'schema'], body)]
}

/** Where the media type of an answer stands: the one of `content` unless it is one that Accept chooses (`x-accept`). */
function mediaTypeOf(response: Node, headers: Headers | undefined): [string, string] {
  const type = headers?.get('content-type')?.split(/ *;/)[0]?.toLowerCase() ?? ''
  if (Object.hasOwn((response['x-accept'] ?? {}) as Node, type)) return ['x-accept', type]
  return ['content', Object.keys((response['content'] ?? {}) as Node)[0] ?? '']
}

function codeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : ''
}

/** Answers of OPTIONS, and errors of addresses that name no operation. */
function checkUndescribed(place: Place, { status, body, hasBody }: Answer, { judge }: Law): string[] {
  if (!hasBody) return []
  const schemas = ['components', 'schemas']
  if (status === 200 && place === 'options') return judge([...schemas, 'Path'], body)
  // OPTIONS of an unknown path (wire: rest 6).
  if (status === 200) return Array.isArray(body) && body.length === 0 ? [] : ['an unknown path is answered']
  return judge([...schemas, codeOf(body) === 'rest_invalid_json' ? 'InvalidJson' : 'Error'], body)
}

/** A node and where it is, after its reference if it is one. */
function followed(document: Node, node: Node, pointer: readonly string[]): { node: Node; pointer: readonly string[] } {
  const { $ref } = node
  if (typeof $ref !== 'string') return { node, pointer }
  const steps = $ref.replace('#/', '').split('/')
  return { node: steps.reduce((at, step) => at[step] as Node, document), pointer: steps }
}

function checkHeaders(response: Node, headers: Headers, { document, judge }: Law): string[] {
  const type = headers.get('content-type') ?? ''
  const isDeclared = type.split(/ *;/)[0]?.toLowerCase() === mediaTypeOf(response, headers)[1]
  const problems =
    response['content'] === undefined || isDeclared ? [] : [`content type ${type} is not in the document`]
  const declared = Object.entries((response['headers'] ?? {}) as Readonly<Record<string, Node>>)
  return problems.concat(
    declared.flatMap(([name, one]) => checkHeader(name, headers.get(name), { document, judge, one })),
  )
}

function checkHeader(name: string, value: string | null, { document, judge, one }: Law & { one: Node }): string[] {
  const { node, pointer } = followed(document, one, [])
  if (value === null) return node['required'] === true ? [`header ${name} is missing`] : []
  const isNumber = (node['schema'] as Node)['type'] === 'integer'
  return judge([...pointer, 'schema'], isNumber ? Number(value) : value).map((problem) => `header ${name}${problem}`)
}
