import { openAccess, type Provider } from '../accounts/single-sign-on/index.ts'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { addressGate } from '../base/outgoing/addresses.ts'
import { languageOf } from '../http/request/incoming.ts'
import type { ServerRequest } from '../http/request/server-request.ts'
import { RPC_HEADERS, rpcErrorResponse } from '../http/response/json-rpc.ts'
import { send } from '../http/response/respond.ts'
import type { PathHandler, RoutedPath } from '../http/route/path-handler.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import type { EndpointDeps, McpEndpoint } from '../mcp/endpoint.ts'
import type { Site } from '../model/site.ts'
import type { Reader } from '../storage/engine.ts'

/** What the MCP server is set up with. */
export interface McpGround {
  /** `baseUrl` may change. */
  readonly config: Pick<Config, 'mcp' | 'mcpOauthIssuer' | 'host' | 'baseUrl' | 'fetchAllow'>
  readonly site: Site
  readonly storage: Reader
  readonly providers: readonly { readonly provider: Provider }[]
  readonly log: Logger
  readonly now: () => number
}

/** Calls of tools so far. */
export interface ToolCalls {
  readonly tool: string
  /** `ok`, `refused` for mistakes of the caller, `failed` for others. */
  readonly outcome: string
  readonly count: number
}

/** The largest message, in bytes. */
const BODY_LIMIT = 256 * 1024

const METADATA = '/.well-known/oauth-protected-resource'

/** The MCP server, which is loaded with the first request to it, and how often its tools were called. */
export function mcpOf(ground: McpGround) {
  const counts = new Map<string, ToolCalls>()
  const setting = settingOf(ground, (tool, outcome) => {
    const key = `${tool} ${outcome}`
    counts.set(key, { tool, outcome, count: (counts.get(key)?.count ?? 0) + 1 })
  })
  const paths = (deps: ServerDeps): readonly RoutedPath[] => {
    if (ground.config.mcp === 'off') return []
    const endpoint = { methods: METHODS, path: '/mcp', target: endpointTarget(deps, setting) }
    return setting.identify === undefined ? [endpoint] : [endpoint, ...metadataPaths(deps, ground)]
  }
  return { paths, calls: (): ToolCalls[] => [...counts.values()] }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

function settingOf({ config, site, providers, ...ground }: McpGround, count: EndpointDeps['count']): EndpointDeps {
  const issuer = providers.find(({ provider }) => provider.issuer === config.mcpOauthIssuer)?.provider
  const audience = (): string => `${config.baseUrl}/mcp`
  const gate = addressGate(config.fetchAllow)
  return {
    isPrivate: config.mcp === 'private',
    host: config.host,
    site,
    metadata: () => (issuer === undefined ? '' : `${config.baseUrl}${METADATA}/mcp`),
    identify: issuer && openAccess({ ...ground, provider: issuer, audience, gate }),
    count,
  }
}

function endpointTarget(deps: ServerDeps, setting: EndpointDeps): PathHandler {
  let loaded: McpEndpoint | undefined
  const load = async (): Promise<McpEndpoint> => {
    const { openEndpoint } = await import('../mcp/index.ts')
    loaded ??= openEndpoint(deps, setting)
    return loaded
  }
  return {
    name: '/mcp',
    bodyLimit: BODY_LIMIT,
    anonymousBodyLimit: BODY_LIMIT,
    // It counts its requests by what they do.
    isUncounted: () => true,
    precheck: async (request) => (await load()).precheck(request),
    respond: async (request) => (await load()).respond(request),
    failed: (request, failure) =>
      loaded?.failed(request, failure) ??
      rpcErrorResponse(failure, { language: languageOf(request, deps.options.language) }),
  }
}

/** Where clients learn who gives out tokens (RFC 9728). */
function metadataPaths(deps: ServerDeps, { config }: McpGround): RoutedPath[] {
  const respond = async (request: ServerRequest): Promise<void> => {
    const body = JSON.stringify({
      resource: `${config.baseUrl}/mcp`,
      authorization_servers: [config.mcpOauthIssuer],
      scopes_supported: ['read', 'events:write'],
      bearer_methods_supported: ['header'],
      resource_documentation: `${config.baseUrl}/reference/guides/agents/`,
    })
    const headers = { ...RPC_HEADERS, 'access-control-allow-headers': 'MCP-Protocol-Version' }
    send(deps, request, { status: 200, headers, body: Buffer.from(body) })
  }
  return [METADATA, `${METADATA}/mcp`].map((path) => {
    return { methods: ['GET', 'HEAD', 'OPTIONS'], path, target: { name: METADATA, bodyLimit: 0, respond } }
  })
}
