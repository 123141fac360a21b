import assert from 'node:assert/strict'
import net from 'node:net'
import { type InjectOptions, inject as injectInto } from 'light-my-request'
import { fail } from '../../src/base/errors.ts'
import { createLog } from '../../src/base/log.ts'
import { type Mount, NAMESPACE, urlsOf } from '../../src/http/address.ts'
import { ANONYMOUS, type Caller } from '../../src/http/auth/rights.ts'
import { calendarNamespace } from '../../src/http/namespace.ts'
import { named, open } from '../../src/http/openapi/parts.ts'
import type { AnyRoute, Call, Method, Reply } from '../../src/http/route.ts'
import type { Server } from '../../src/http/server.ts'
import type { Bounds, ServerDeps, ServerOptions } from '../../src/http/server-deps.ts'

/** A caller with a role, for tests. */
export function callerOf(role: Caller['role'], id = 1): Caller {
  return role === 'anonymous' ? ANONYMOUS : { id, role, name: role }
}

/** The call of a test; by default an anonymous GET on `https://calendar.example/cal/events/v1`. */
export interface CallSketch {
  readonly caller?: Caller
  readonly language?: string
  readonly mount?: Partial<Mount>
  readonly sent?: Readonly<Record<string, unknown>>
  /** Unix milliseconds. */
  readonly now?: number
}

/** A call as a route sees it. */
export function callFor(sketch: CallSketch = {}): Call {
  const mount = { language: '', prefix: '', namespace: NAMESPACE, ...sketch.mount }
  const now = sketch.now ?? Date.UTC(2026, 10, 20, 12)
  return {
    caller: sketch.caller ?? ANONYMOUS,
    now,
    context: { now, siteZone: 'UTC' },
    language: sketch.language ?? 'en',
    mount,
    urls: urlsOf('https://calendar.example', mount),
    path: {},
    query: {},
    body: {},
    sent: sketch.sent ?? {},
    values: {},
  }
}

/** The route of a test: its response, and where it differs from one without fields that is open to all. */
export type RouteSketch = Partial<AnyRoute> & { handle(call: Call): Promise<Reply> }

const ITEM = named('Event', open('api.idItem', {}))

/** A route for a test. */
export function routeFor(method: Method, path: string, sketch: RouteSketch): AnyRoute {
  return {
    method,
    path,
    operation: `${method.toLowerCase()}${path.replace(/\W+/g, '_')}`,
    pathFields: [],
    fields: [],
    hasBody: method !== 'GET' && method !== 'DELETE',
    fillsDefaults: method === 'GET',
    response: { status: 200, schema: ITEM },
    errors: [],
    open: () => true,
    ...sketch,
  }
}

/** The bounds of clients in tests. */
export const TEST_BOUNDS: Bounds = {
  connections: 1000,
  clientConnections: 500,
  requests: 1000,
  bodyBytes: 4 * 1024 ** 2,
  stillness: 60_000,
}

/**
 * The server of a test: routes of the calendar, also under `tribe/events/v1`. `Basic bad` are wrong credentials, any
 * others are those of an author.
 */
export function serverParts(routes: readonly AnyRoute[], options: Partial<ServerOptions> = {}): ServerDeps {
  return {
    options: {
      baseUrl: '',
      trustedProxies: [],
      corsOrigins: [],
      bodyLimit: 1000,
      bounds: TEST_BOUNDS,
      siteZone: 'UTC',
      iframeHosts: [],
      language: 'en',
      requireIfMatch: false,
      ...options,
    },
    namespaces: [calendarNamespace(routes, ['tribe/events/v1'])],
    describe: (path) => ({ path }),
    authenticate: async (header) => {
      if (header === 'Basic bad') throw fail('incorrect_password')
      return header === undefined ? ANONYMOUS : callerOf('author')
    },
    now: () => 0,
    log: createLog({ level: 'silent', now: () => 0 }),
  }
}

/** A request that a test sends. */
export interface SentRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE' | 'PROPFIND'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

/** Sends a request to a server without a socket. */
export function inject(server: Server, sent: InjectOptions) {
  return injectInto((request, response) => {
    // All of its body is there.
    request.complete = true
    server.handle({ request, response })
  }, sent)
}

/** Sends a request to a server without a socket. */
export async function ask(server: Server, sent: SentRequest) {
  const { payload, ...rest } = sent
  const response = await inject(server, {
    ...rest,
    headers: { ...sent.headers },
    ...(payload !== undefined && { payload }),
  })
  const type = String(response.headers['content-type'])
  return { status: response.statusCode, headers: response.headers, type, text: response.body }
}

/** Asserts that a response is the JSON of an error, and returns it. */
export function assertError(response: { status: number; type: string; text: string }, status: number, code: string) {
  assert.equal(response.status, status, response.text)
  assert.match(response.type, /^application\/json/)
  const body = JSON.parse(response.text) as { code: string; message: string; data: Record<string, unknown> }
  assert.equal(body.code, code)
  assert.equal(body.data['status'], status)
  return body
}

/** Sends bytes to a listening server and returns everything that it answers until it closes. */
export function talk(port: number, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text))
  let response = ''
  socket.on('data', (chunk) => {
    response += String(chunk)
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(response))
  return promise
}

/** Status, content type and body of a raw response. */
export function parsedResponse(raw: string): { status: number; type: string; text: string } {
  const [head = '', text = ''] = raw.split('\r\n\r\n', 2)
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), type, text }
}
