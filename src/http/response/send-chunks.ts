import { pipeline } from 'node:stream/promises'
import { openTurns } from '../../base/requester.ts'
import type { ServerRequest } from '../request/server-request.ts'
import type { HttpResponse } from './http-response.ts'

/** Errors of a client that has hung up. */
const GONE: ReadonlySet<unknown> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_UNABLE_TO_PIPE',
])

/**
 * Sends a response whose body is produced as fast as the client reads it. If that fails the connection breaks off, so
 * that nobody takes the part for the whole; a client that leaves ends the making.
 * @throws what making it has thrown
 */
export async function sendChunks(
  { response, sentMethod, client }: Pick<ServerRequest, 'response' | 'sentMethod' | 'client'>,
  { status, headers, chunks }: Pick<HttpResponse, 'status' | 'headers'> & Required<Pick<HttpResponse, 'chunks'>>,
): Promise<void> {
  if (response.closed || response.destroyed) return
  response.writeHead(status, headers)
  if (sentMethod === 'HEAD') {
    response.end()
    return
  }
  await pipeline(inTurns(chunks, client.key), response).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (!GONE.has(code)) throw error
  })
}

/**
 * One part of all these responses is produced in a turn of the event loop, for each client in turn: where the client reads fast and
 * the database is in this process nothing else would let other requests in between.
 */
const line = openTurns({ perTurn: 1 })

async function* inTurns(chunks: AsyncIterable<Buffer>, client: string): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk
    await line.goOn(client)
  }
}
