import { type CallToolResult, type ContentBlock, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A sound without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const TEXT: ContentBlock = { type: 'text', text: 'This is a simple text response for testing.' }
const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }
const AUDIO: ContentBlock = { type: 'audio', data: WAV, mimeType: 'audio/wav' }
const EMBEDDED: ContentBlock = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
}

/** The tools that the conformance suite calls, by name, and what they return. */
const TOOLS: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: { content: [TEXT] },
  test_image_content: { content: [IMAGE] },
  test_audio_content: { content: [AUDIO] },
  test_embedded_resource: { content: [EMBEDDED] },
  test_multiple_content_types: { content: [TEXT, IMAGE, EMBEDDED] },
  test_error_handling: {
    isError: true,
    content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
  },
  test_tool_with_progress: { content: [TEXT] },
  test_tool_with_logging: { content: [TEXT] },
  test_sampling: { content: [TEXT] },
  test_elicitation: { content: [TEXT] },
}

/** A server with the tools and resources that the conformance suite asks for. */
export function fixtureServer(): McpServer {
  const server = new McpServer({ name: 'fixtures', version: '1' })
  for (const [name, result] of Object.entries(TOOLS)) server.registerTool(name, { description: name }, () => result)
  const text = { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href: uri }) => {
    return { contents: [{ uri, ...text }] }
  })
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => {
    return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
  })
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, {}, ({ href: uri }, { id }) => {
    return {
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }],
    }
  })
  return server
}
