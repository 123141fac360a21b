import type { ServerResponse } from 'node:http'
import { bytesOf, type Sendable } from '../answer.ts'

interface Writing {
  readonly response: ServerResponse
  readonly answer: Sendable
  readonly failed: (error: unknown) => void
}

const waiting: Writing[] = []

/**
 * Sends a response. To HEAD Node sends no body.
 *
 * What is sent in one turn of the event loop is sent together at its end: the system then wakes the one who reads once for
 * all of it, which on a virtual machine costs as much as sending a response. `failed` is told why a response cannot be sent,
 * whose connection then ends.
 */
export function writeResponse(response: ServerResponse, answer: Sendable, failed: Writing['failed']): void {
  waiting.push({ response, answer, failed })
  if (waiting.length === 1) process.nextTick(writeAll)
}

function writeAll(): void {
  for (const { response, answer, failed } of waiting.splice(0)) {
    try {
      write(response, answer)
    } catch (error) {
      // The others are sent all the same.
      failed(error)
      response.destroy()
    }
  }
}

function write(response: ServerResponse, { status, headers, body }: Sendable): void {
  // Who reads has gone away, and nobody would tell of it again.
  if (response.closed || response.destroyed) return
  const fields: string[] = []
  for (const [name, value] of Object.entries(headers)) fields.push(name.toLowerCase(), value)
  // What is said of the length is said of the answer that is not sent (RFC 9110 section 8.6).
  if (status === 304) {
    response.writeHead(status, fields).end()
    return
  }
  const bytes = bytesOf(body)
  fields.push('content-length', String(bytes.length))
  response.writeHead(status, fields).end(bytes)
}
