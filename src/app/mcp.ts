import type { Config } from '../base/config.ts'
import { languageOf } from '../http/request/incoming.ts'
import { rpcErrorResponse } from '../http/response/json-rpc.ts'
import type { PathHandler, RoutedPath } from '../http/route/path-handler.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import type { Site } from '../model/site.ts'

/** What the MCP server is set up with. */
export interface McpGround {
  readonly config: Pick<Config, 'mcp' | 'host'>
  readonly site: Site
}

/** The largest message, in bytes. */
const BODY_LIMIT = 256 * 1024

/** The MCP server, which is loaded with the first request to it; undefined where it is off. */
export function mcpOf({ config, site }: McpGround) {
  const counts = new Map<string, number>()
  const count = (tool: string, outcome: string): void => {
    const key = `${tool} ${outcome}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const setting = { isPrivate: config.mcp === 'private', host: config.host, site, metadata: () => '', count }
  const paths = (deps: ServerDeps): readonly RoutedPath[] => {
    if (config.mcp === 'off') return []
    let loaded: McpEndpoint | undefined
    const load = async (): Promise<McpEndpoint> => {
      const { openEndpoint } = await import('../mcp/index.ts')
      loaded ??= openEndpoint(deps, setting)
      return loaded
    }
    const target: PathHandler = {
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
    return [{ methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], path: '/mcp', target }]
  }
  return { paths, counts }
}
