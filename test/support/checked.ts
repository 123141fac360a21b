import assert from 'node:assert/strict'
import { NAMESPACE } from '../../src/http/address.ts'
import { OWN_NAMESPACE, TEC_NAMESPACE } from '../../src/http/namespace.ts'
import { type Contract, contractsOf } from './contract.ts'

/** Contracts by the origin of their server. All servers of a test run the same program, so they share one document. */
const contracts = new Map<string, Contract>()

type Document = Readonly<Record<string, unknown>>

let newContract: Promise<() => Contract> | undefined

/** The contract of the server at an origin; the documents are read once in a process. */
export async function contractAt(origin: string): Promise<Contract> {
  newContract ??= readDocuments(origin).then(contractsOf)
  const make = await newContract
  const known = contracts.get(origin) ?? make()
  contracts.set(origin, known)
  return known
}

/** Where namespaces are described; one of them in two versions of OpenAPI. */
const DOCUMENTS = [
  [NAMESPACE, '/doc'],
  [OWN_NAMESPACE, '/doc'],
  [TEC_NAMESPACE, '/docs?version=3.1'],
  [TEC_NAMESPACE, '/docs'],
] as const

function readDocuments(origin: string): Promise<(readonly [string, Document])[]> {
  const read = DOCUMENTS.map(async ([namespace, path]) => {
    const answer = await fetch(`${origin}/${namespace}${path}`)
    return [namespace, (await answer.json()) as Document] as const
  })
  return Promise.all(read)
}

/** As `fetch`; an answer of the API that breaks the document of its server fails the test. */
export async function fetchChecked(url: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetchPatiently(url, init)
  const { status, headers } = answer
  const text = await answer.clone().text()
  const method = init.method ?? 'GET'
  const override = new Headers(init.headers).get('x-http-method-override')
  const contract = await contractAt(new URL(url).origin)
  const problems = contract.problemsOf({ method, url, sent: membersIn(init.body), override, status, headers, text })
  assert.deepEqual(problems, [], `${method} ${url} answered ${status} against the document: ${text.slice(0, 300)}`)
  return answer
}

/**
 * As `fetch`; a GET whose idle connection the server was just closing is sent again, as every client does (RFC 9110 section
 * 9.2.2): in a busy process more than a minute can pass between two requests of a test.
 */
async function fetchPatiently(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } }
    if ((init.method ?? 'GET') !== 'GET' || cause?.code !== 'ECONNRESET') throw error
    return fetch(url, init)
  }
}

/** The members of a JSON or form body; none for other bodies. */
export function membersIn(body: RequestInit['body']): Readonly<Record<string, unknown>> {
  if (body instanceof URLSearchParams) return Object.fromEntries(body)
  if (typeof body !== 'string') return {}
  try {
    return { ...JSON.parse(body) }
  } catch {
    return {}
  }
}
