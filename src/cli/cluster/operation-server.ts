import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { Failure, fail } from '../../errors.ts'
import { type Exchange, takeOver } from '../../http/hand-over.ts'
import type { Logger } from '../../log.ts'
import { audit } from '../audit.ts'
import type { App } from '../types.ts'
import { errorMessage, OPERATION_PATH, type OperationMessage } from './operation-messages.ts'
import { type OperationCall, runOperation } from './operations.ts'
import { claimSocketPath, removeSocket } from './socket-path.ts'

/** The server's ear for commands that run while it does. */
export interface OperationServer {
  /** Takes no further operations, finishes those under way and removes the socket. */
  close(): Promise<void>
}

/** What the ear belongs to. */
export interface OperationServerOptions {
  readonly dataFolder: string
  readonly log: Logger
}

/**
 * Takes operations through a Unix socket in the data folder, which only the owner of the server can open: whoever may
 * read and write the data may also ask for this (architecture: Growing).
 */
export async function serveOperations(app: App, options: OperationServerOptions): Promise<OperationServer> {
  const server = createServer(SOCKET, (request, response) => void answer({ app, log: options.log, request, response }))
  // Commands do not ask before they send; workers that hand a request over do.
  server.on('checkContinue', (request, response) => {
    takeOver({ request, response })
    app.answer?.({ request, response }).catch((err: unknown) => {
      options.log.error({ err }, 'a request that was handed over is not answered')
      response.destroy()
    })
  })
  const path = await claimSocketPath(options.dataFolder)
  // The socket file is made by `listen` before it returns, and must never be open to others, not even for a moment. A
  // worker makes it itself: its supervisor would do so with another mask, and hand out that of one who has just died.
  const mask = process.umask(0o177)
  server.listen({ path, exclusive: true })
  process.umask(mask)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return {
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      await closed
      await removeSocket(options.dataFolder)
    },
  }
}

/** What clients may send was judged by the process that hands it over, which adds some headers of its own. */
const SOCKET = { maxHeaderSize: 64 * 1024 } as const

interface Operating extends Exchange {
  readonly app: App
  readonly log: Logger
}

async function answer({ app, log, request, response }: Operating): Promise<void> {
  const send = (message: OperationMessage) => response.write(`${JSON.stringify(message)}\n`)
  response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' })
  response.on('error', () => undefined)
  try {
    const call = await readCall(request)
    log.info({ operation: call.name }, 'operation of a command')
    const result = await runOperation(app, call, (progress) => send({ progress }))
    audit(log, call, result)
    send({ result: result ?? null })
  } catch (error) {
    if (!(error instanceof Failure)) log.error({ err: error }, 'operation of a command failed')
    send(errorMessage(error))
  }
  response.end()
}

async function readCall(request: IncomingMessage): Promise<OperationCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const path = request.url ?? ''
  if (request.method !== 'POST' || !path.startsWith(OPERATION_PATH)) throw fail('unknown_operation', { name: path })
  return { name: path.slice(OPERATION_PATH.length), input: JSON.parse(Buffer.concat(chunks).toString('utf8')) }
}
