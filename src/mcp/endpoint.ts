import { createMcpHandler, type McpServer, type Server } from '@modelcontextprotocol/server'
import { type ErrorCode, type Failure, fail } from '../base/errors.ts'
import { onBehalfOf } from '../base/requester.ts'
import { bearerIn } from '../http/auth/authenticate.ts'
import { ANONYMOUS, type Caller } from '../http/auth/rights.ts'
import { sendInnerRequest } from '../http/inner-request.ts'
import { boundJson } from '../http/request/body.ts'
import { callerOf, incomingOf, languageOf } from '../http/request/incoming.ts'
import type { ServerRequest } from '../http/request/server-request.ts'
import type { HttpResponse } from '../http/response/http-response.ts'
import { RPC_HEADERS, rpcErrorResponse } from '../http/response/json-rpc.ts'
import { logFailure, send } from '../http/response/respond.ts'
import type { PathHandler } from '../http/route/path-handler.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import type { Site } from '../model/site.ts'
import { challengeOf, type RpcMessage, requireCaller, requireCredentials, requireOwnSite, toolOf } from './access.ts'
import { type CallDeps, isWriteTool } from './call-tool.ts'
import { RefusedRequest } from './failures.ts'
import { serverFor } from './server.ts'
import { TOOLS } from './tools/index.ts'

/** What the endpoint is set up with. */
export interface EndpointDeps {
  /** Whether every caller needs credentials. */
  readonly isPrivate: boolean
  /** Address or host name that the server listens on. */
  readonly host: string
  readonly site: Site
  /** Where clients learn which authorization server gives out tokens; '' where none does. */
  metadata(): string
  /** The owner of a token that is none of ours; undefined where only ours are known. @throws invalid_token */
  identify?: ((token: string) => Promise<Caller>) | undefined
  /** Counts a call, by its tool and by what became of it. */
  count(tool: string, outcome: string): void
  /** The server of one request; ours with everything if absent. */
  serverFor?(call: CallDeps): McpServer | Server
}

/** What responds to requests to the endpoint. */
export type McpEndpoint = Required<Pick<PathHandler, 'precheck' | 'respond' | 'failed'>>

/** Opens the endpoint. Host and origin are checked first, then the caller, and the body is read last. */
export function openEndpoint(deps: ServerDeps, own: EndpointDeps): McpEndpoint {
  return {
    precheck: async (request) => {
      if (request.language !== '') throw fail('rest_no_route')
      requireOwnSite(request, { options: deps.options, host: own.host })
      if (request.method === 'OPTIONS') return sendPreflight(deps, request)
      const { client, draws } = request
      deps.limits?.admit({ client, draws, isWrite: false }, false)
      if (request.method !== 'POST') throw fail('rest_no_route', {}, { status: 405 })
      request.caller = identify(deps, own, request)
      const caller = await request.caller
      if (own.isPrivate) requireCaller(caller)
      return false
    },
    respond: async (request) => send(deps, request, await respond(deps, own, request)),
    failed: (request, failure) => failedResponse(deps, own, { request, failure }),
  }
}

function sendPreflight(deps: ServerDeps, request: ServerRequest): true {
  const headers = { ...RPC_HEADERS, 'access-control-allow-headers': ACCEPTED, 'access-control-max-age': '600' }
  send(deps, request, { status: 204, headers, body: Buffer.alloc(0) })
  return true
}

/** Headers that scripts of other origins may send. */
const ACCEPTED =
  'Authorization, Accept, Accept-Language, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Request-Id'

/** Cookies are ignored: nothing that a browser sends on its own identifies anybody here. */
async function identify(deps: ServerDeps, { identify: other }: EndpointDeps, request: ServerRequest): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined) return ANONYMOUS
  const token = bearerIn(authorization)
  const isOurs = other === undefined || token === undefined || token.startsWith('kal_')
  const caller = await callerOf(isOurs ? deps : { authenticate: () => other(token) }, request)
  // Other schemes name nobody: whoever sends one would take what it gets for what it may see.
  if (caller.id === ANONYMOUS.id) throw fail('invalid_token')
  return caller
}

async function respond(deps: ServerDeps, own: EndpointDeps, request: ServerRequest): Promise<HttpResponse> {
  const message = readMessage(request)
  const caller = (await request.caller) ?? ANONYMOUS
  try {
    requireCredentials(caller, toolOf(TOOLS, message))
  } catch (error) {
    return failedResponse(deps, own, { request, failure: error as Failure, message })
  }
  const client = clientIn(message, request)
  const call = callDeps(deps, own, { request, caller, client })
  const handler = createMcpHandler(() => (own.serverFor ?? serverFor)(call), {
    legacy: 'stateless',
    maxSubscriptions: 0,
    onerror: (error) => deps.log.debug({ err: error, requestId: request.id }, 'MCP request refused'),
  })
  // Histories name it beside its user.
  const agent = caller.token ?? client
  const requester = Object.assign(request.requester, { agent })
  const fetch = () => handler.fetch(webRequest(request), { parsedBody: message })
  return ownResponse(await onBehalfOf(requester, fetch))
}

/** @throws rest_invalid_json, rest_bad_request */
function readMessage({ body = Buffer.alloc(0) }: ServerRequest): RpcMessage {
  let message: unknown
  try {
    message = JSON.parse(body.toString('utf8'))
  } catch {
    throw fail('rest_invalid_json')
  }
  try {
    // What walks through very many levels may run out of stack.
    boundJson(body)
  } catch {
    throw fail('rest_bad_request')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw fail('rest_bad_request')
  return message as RpcMessage
}

/** The request without its body, which was read already, and without credentials. */
function webRequest({ raw, host }: ServerRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers))
    if (/^(accept|content-type|last-event-id|mcp-.*)$/.test(name) && value !== undefined)
      headers.set(name, String(value))
  return new Request(`http://${host}/mcp`, { method: 'POST', headers })
}

interface Calling {
  readonly request: ServerRequest
  readonly caller: Caller
  /** What the client says that it is. */
  readonly client: string
}

function callDeps(deps: ServerDeps, own: EndpointDeps, { request, caller, client: program }: Calling): CallDeps {
  const { client, draws } = request
  const { now, urls, language } = incomingOf(deps, request, caller)
  const report = (error: unknown): void => logFailure(deps, request, error)
  return {
    context: {
      request: async (asked) => {
        const response = await sendInnerRequest(deps, { request, caller }, asked)
        if (response.status >= 400) throw new RefusedRequest(response)
        return response
      },
      ...{ caller, now, urls, language, site: own.site },
    },
    charge: (isWrite) => deps.limits?.callTool({ client, draws, isWrite }, { caller, isWrite }),
    report,
    ended: ({ tool, status, id, code }) => {
      own.count(tool.name, status === 200 ? 'ok' : status < 500 ? 'refused' : 'failed')
      if (!isWriteTool(tool)) return
      const audited = { change: 'tool called', by: caller.name, token: caller.token, tool: tool.name }
      deps.log.info({ ...audited, client: program, id, code }, 'audit')
    },
  }
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

/** What a client says that it is, in at most 100 characters; '' for nothing. Older ones say so in no call. */
function clientIn({ params }: RpcMessage, { headers }: ServerRequest): string {
  const { _meta: meta } = (params ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> | null }
  const { name, version } = (meta?.[CLIENT_INFO] ?? {}) as { readonly name?: unknown; readonly version?: unknown }
  const shown = typeof version === 'string' ? version : ''
  const told = typeof name === 'string' ? `${name} ${shown}` : (headers['user-agent'] ?? '')
  return told
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed()
}

/** What the library responds, whole, with our code in errors. */
async function ownResponse(response: Response): Promise<HttpResponse> {
  const { status } = response
  const text = await response.text()
  if (status < 400) {
    const type = response.headers.get('content-type') ?? 'application/json'
    return { status, headers: { ...RPC_HEADERS, 'content-type': type }, body: Buffer.from(text) }
  }
  const { error, ...message } = JSON.parse(text) as { readonly error: { readonly data?: object } }
  const code = CODES[status] ?? 'rest_bad_request'
  const body = JSON.stringify({ ...message, error: { ...error, data: { code, ...error.data } } })
  return { status, headers: RPC_HEADERS, body: Buffer.from(body) }
}

/** Our codes of what the library refuses, by status; `rest_bad_request` for the others. */
const CODES: Readonly<Record<number, ErrorCode>> = { 404: 'rest_no_route', 500: 'internal_server_error' }

/** What could not be responded to. */
interface Failed {
  readonly request: ServerRequest
  readonly failure: Failure
  readonly message?: RpcMessage
}

function failedResponse(deps: ServerDeps, own: EndpointDeps, { request, failure, message }: Failed): HttpResponse {
  const id = message?.['id']
  return rpcErrorResponse(failure, {
    language: languageOf(request, deps.options.language),
    headers: { ...challengeOf(failure, own.metadata()), ...(failure.status === 405 && { allow: 'POST' }) },
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
  })
}
