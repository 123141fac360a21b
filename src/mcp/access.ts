import { isIP } from 'node:net'
import { type Failure, fail } from '../base/errors.ts'
import { type Caller, requireScope } from '../http/auth/rights.ts'
import { isOwnOrigin } from '../http/request/cross-origin.ts'
import type { ServerRequest } from '../http/request/server-request.ts'
import type { ServerOptions } from '../http/server-deps.ts'
import type { AnyTool } from './tool.ts'

/** How the server is reached. */
export interface Reached {
  readonly options: Pick<ServerOptions, 'baseUrl' | 'corsOrigins'>
  /** Address or host name that it listens on. */
  readonly host: string
}

/**
 * Refuses requests for hosts that are not this server, and those that pages of other sites send: a page could have its own
 * name lead here, and use whatever only this machine may reach (DNS rebinding).
 * @throws rest_unknown_host, rest_cross_origin
 */
export function requireOwnSite(request: ServerRequest, { options, host }: Reached): void {
  const { origin } = request.headers
  if (!isOwnHost(request, { options, host })) throw fail('rest_unknown_host')
  if (origin === undefined || options.corsOrigins.includes(origin)) return
  if (!isOwnOrigin(origin, request.host, options.baseUrl)) throw fail('rest_cross_origin')
}

/** Ports say nothing: a name of another site stays one whatever its port. */
function isOwnHost({ host: called, raw }: ServerRequest, { options: { baseUrl }, host }: Reached): boolean {
  const name = hostnameOf(`http://${called}`)
  if (name === undefined) return false
  if (name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))) return true
  const own = [hostnameOf(baseUrl), host.toLowerCase(), raw.socket.localAddress?.replace(/^::ffff:/, '')]
  return own.includes(name)
}

function hostnameOf(address: string): string | undefined {
  return URL.parse(address)?.hostname.replace(/^\[|\]$/g, '')
}

/** What every tool needs, and what those need that change something. */
const READ = 'read'
const WRITE = 'read events:write'

/** A message as far as it was understood. */
export type RpcMessage = Readonly<Record<string, unknown>>

/** The tool that a message calls; undefined for other messages, and for unknown tools. */
export function toolOf(tools: readonly AnyTool[], { method, params }: RpcMessage): AnyTool | undefined {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return undefined
  const name: unknown = Reflect.get(params, 'name')
  return tools.find((tool) => tool.name === name)
}

/** Refuses a call for which other credentials are needed. @throws rest_not_logged_in, insufficient_scope */
export function requireCredentials(caller: Caller, tool: AnyTool | undefined): void {
  if (tool === undefined || tool.scope === 'read') return
  if (caller.id === 0) throw fail('rest_not_logged_in', {}, { scope: WRITE })
  requireScope(caller, tool.scope)
}

/** Refuses a caller without credentials. @throws rest_not_logged_in */
export function requireCaller(caller: Caller): void {
  if (caller.id === 0) throw fail('rest_not_logged_in', {}, { scope: READ })
}

/** The header that says what credentials are needed (RFC 6750 section 3, RFC 9728 section 5.1); `{}` for other failures. */
export function challengeOf({ code, status, data }: Failure, metadata: string): Readonly<Record<string, string>> {
  const parts =
    code === 'insufficient_scope'
      ? ['error="insufficient_scope"', `scope="${WRITE}"`]
      : code === 'rest_not_logged_in'
        ? [`scope="${String(data['scope'])}"`]
        : ['error="invalid_token"']
  if (metadata !== '') parts.push(`resource_metadata="${metadata}"`)
  return status === 401 || code === 'insufficient_scope' ? { 'www-authenticate': `Bearer ${parts.join(', ')}` } : {}
}
