import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Failure, fail } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import type { RawExchange } from '../../http/request/server-request.ts'
import { audit } from '../audit.ts'
import type { App } from '../types.ts'
import { readInput } from './operation-input.ts'
import { errorMessage, OPERATION_PATH, type OperationMessage } from './operation-messages.ts'
import { type OperationCall, runOperation } from './operations.ts'
import { claimSocketPath, removeSocket } from './socket-path.ts'

/** What a command socket needs. */
export interface CommandSocketDeps {
  readonly app: App
  readonly dataFolder: string
  readonly log: Logger
}

/**
 * The Unix socket of a running server, in the data folder: commands run operations through it. Only the owner of the
 * server can open it, who can read and write the data anyway.
 */
export class CommandSocket {
  readonly #deps: CommandSocketDeps
  #opening: Promise<Server> | undefined

  constructor(deps: CommandSocketDeps) {
    this.#deps = deps
  }

  /** Listens from now on; may be called repeatedly. */
  async open(): Promise<void> {
    this.#opening ??= listenFor(this.#deps)
    await this.#opening
  }

  /** Takes no further operations, finishes those under way and removes the socket. */
  async close(): Promise<void> {
    const server = await this.#opening?.catch(() => undefined)
    if (server === undefined) return
    const closed = once(server, 'close')
    server.close()
    server.closeIdleConnections()
    await closed
    await removeSocket(this.#deps.dataFolder)
  }
}

async function listenFor({ app, dataFolder, log }: CommandSocketDeps): Promise<Server> {
  const server = createServer((request, response) => void respond({ app, log, request, response }))
  const path = await claimSocketPath(dataFolder)
  // `listen` creates the socket file before it returns, and it must never be open to others, not even for a
  // moment.
  const mask = process.umask(0o177)
  server.listen({ path })
  process.umask(mask)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return server
}

interface Operation extends RawExchange {
  readonly app: App
  readonly log: Logger
}

async function respond({ app, log, request, response }: Operation): Promise<void> {
  const send = (message: OperationMessage) => response.write(`${JSON.stringify(message)}\n`)
  response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' })
  response.on('error', () => undefined)
  try {
    const call = await readCall(request)
    log.info({ operation: call.name }, 'operation of a command')
    const result = await runOperation(app, call, (progress) => {
      // Whoever interrupts a command means what it has started, too.
      if (response.closed) throw fail('unexpected', { reason: `the command ${call.name} was interrupted` })
      send({ progress })
    })
    audit(log, call, result)
    send({ result: result ?? null })
  } catch (error) {
    if (!(error instanceof Failure)) log.error({ err: error }, 'operation of a command failed')
    send(errorMessage(error))
  }
  response.end()
}

async function readCall(request: IncomingMessage): Promise<OperationCall> {
  const input = await readInput(request)
  const path = request.url ?? ''
  if (request.method !== 'POST' || !path.startsWith(OPERATION_PATH)) throw fail('unknown_operation', { name: path })
  return { name: path.slice(OPERATION_PATH.length), input }
}
