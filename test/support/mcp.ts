import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Site } from '../../src/model/site.ts'
import { atEnd, type TestScope } from './at-end.ts'

/** The site of an endpoint without a calendar. */
export const PLAIN_SITE = {
  name: 'x',
  zone: 'UTC',
  host: 'x',
  currencySymbol: '',
  currencyPosition: 'prefix',
  perPageMax: 50,
} as const satisfies Site

/** Headers of all requests of a client. */
export type McpHeaders = Readonly<Record<string, string>>

/** Where a client connects to, and with what. */
export interface McpPlace {
  readonly origin: string
  readonly headers?: McpHeaders
}

const ABOUT = { name: 'a test', version: '1.2' }

/** The official client of the revision 2026-07-28. */
export async function connectMcp(t: TestScope, { origin, headers = {} }: McpPlace): Promise<Client> {
  const client = new Client(ABOUT, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  atEnd(t, () => client.close())
  return client
}

/** The official client of the revisions that begin with `initialize`, at 2025-06-18. */
export async function connectOlderMcp(t: TestScope, { origin, headers = {} }: McpPlace): Promise<OlderClient> {
  const client = new OlderClient(ABOUT)
  const transport = new OlderTransport(new URL(`${origin}/mcp`), { requestInit: { headers }, fetch: fetchOlder })
  // Its types do not know that optional members may be undefined.
  await client.connect(transport as Transport)
  atEnd(t, () => client.close())
  return client
}

/** The client asks for the newest revision that it knows, and goes on with the one that it gets. */
const fetchOlder: typeof fetch = (address, sent) => {
  const body = typeof sent?.body === 'string' ? sent.body.replace('2025-11-25', '2025-06-18') : (sent?.body ?? null)
  return fetch(address, { ...sent, body })
}

/** What came back to a message. */
export interface RpcAnswer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly body: any
}

/** The newest revision. */
export const REVISION = '2026-07-28'

/** What a client says in each request of that revision. */
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': ABOUT,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Sends a request as a client of the newest revision does; `headers` replace its own. */
export function askMcp(
  { origin, headers = {} }: McpPlace,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<RpcAnswer> {
  const name = params['name'] ?? params['uri']
  const own = {
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
  const message = { jsonrpc: '2.0', id: 7, method, params: { _meta: META, ...params } }
  return postMcp({ origin, headers: { ...own, ...headers } }, JSON.stringify(message))
}

/** Sends a body to the endpoint. */
export async function postMcp({ origin, headers = {} }: McpPlace, body: string): Promise<RpcAnswer> {
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const response = await fetch(`${origin}/mcp`, { method: 'POST', headers: { ...common, ...headers }, body })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}
