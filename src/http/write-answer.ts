import type { ServerResponse } from 'node:http'
import type { Sendable } from './answer.ts'

/**
 * Sends an answer past the reply of the web framework, which would copy and look at each header once more. To HEAD Node
 * sends no body.
 */
export function writeAnswer(response: ServerResponse, { status, headers, body }: Sendable): void {
  const fields: string[] = []
  for (const [name, value] of Object.entries(headers)) fields.push(name.toLowerCase(), value)
  // What is said of the length is said of the answer that is not sent (RFC 9110 section 8.6).
  if (status === 304) {
    response.writeHead(status, fields).end()
    return
  }
  fields.push('content-length', String(body.length))
  response.writeHead(status, fields).end(body)
}
