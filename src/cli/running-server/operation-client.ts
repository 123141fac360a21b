import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { fail } from '../../base/errors.ts'
import { inputPieces } from './operation-input.ts'
import { failureOf, OPERATION_PATH, type OperationMessage } from './operation-messages.ts'
import type { OnProgress, OperationCall } from './operations.ts'
import { findSocketPath } from './socket-path.ts'

/** Answer of the running server; `no-server` if there is none on the socket, then nothing has happened. */
export type HandOver = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'no-server' }

/**
 * Sends an operation to the server that uses the data folder and waits for its result.
 * @throws what the operation throws there; unexpected when the connection breaks before the result
 */
export async function handOver(dataFolder: string, call: OperationCall, onProgress: OnProgress): Promise<HandOver> {
  const response = await connect(await findSocketPath(dataFolder), call)
  if (response === undefined) return { kind: 'no-server' }
  for await (const message of messagesOf(response)) {
    if ('result' in message) return { kind: 'done', result: message.result }
    if ('error' in message) throw failureOf(message.error)
    onProgress(message.progress)
  }
  throw fail('unexpected', { reason: 'the running server stopped before it answered' })
}

/** True when a server answers on the socket of the data folder. */
export async function isServing(dataFolder: string): Promise<boolean> {
  const response = await connect(await findSocketPath(dataFolder), { name: '', input: null }).catch(() => undefined)
  response?.resume()
  return response !== undefined
}

/** The lines of the response; ends without a last line when the connection breaks. */
async function* messagesOf(response: IncomingMessage): AsyncGenerator<OperationMessage> {
  response.setEncoding('utf8')
  let unfinished = ''
  try {
    for await (const chunk of response) {
      const lines = (unfinished + String(chunk)).split('\n')
      unfinished = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as OperationMessage
    }
  } catch (error) {
    if (!response.destroyed || response.complete) throw error
  }
}

async function connect(socketPath: string, call: OperationCall): Promise<IncomingMessage | undefined> {
  const sent = request({ socketPath, method: 'POST', path: `${OPERATION_PATH}${call.name}`, agent: false })
  for (const piece of inputPieces(call.input)) sent.write(piece)
  sent.end()
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

/** No socket file, or a file without a listener: the operation has reached nobody. */
function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK'
}
