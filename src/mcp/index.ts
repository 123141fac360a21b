/** The MCP server: what programs of AI use. It is loaded on the first request to it. */

export { openEndpoint } from './endpoint.ts'
