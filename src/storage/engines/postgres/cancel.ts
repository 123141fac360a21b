import { connect, type Socket } from 'node:net'
import type { ClientBase } from 'pg'
import type { Requester } from '../../../base/requester.ts'
import { CLOSE_TIMEOUT } from './close-quietly.ts'

/** Milliseconds that a statement may continue when nobody waits for its result any more: most end by themselves. */
const PATIENCE = 500

/** Number that makes a message a request to cancel: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const CANCEL_REQUEST = 80_877_102

/** The driver's internals of a connection: whom it leads to, and what the server knows it by. */
interface Known {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
  readonly connection: { readonly stream: Socket }
}

/**
 * Runs a statement that the server is asked to cancel when its requester has disconnected; the error is then that of a
 * canceled statement. The connection can be used for others afterwards. Not behind a pooler, which may have given the
 * server's connection to someone else by then.
 */
export async function cancelledWithout<T>(
  requester: Requester,
  client: ClientBase,
  step: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let cancelling: Promise<void> | undefined
  const stay = requester.onGone(() => {
    timer = setTimeout(() => {
      cancelling = cancel(client as unknown as Known)
    }, PATIENCE)
  })
  try {
    return await step()
  } finally {
    clearTimeout(timer)
    stay()
    // It must not reach what the connection does next.
    await cancelling
  }
}

/**
 * Asks the server to cancel what a connection is doing, and waits until it has understood. A connection about which this
 * stays uncertain is closed. Like that of PostgreSQL's own library this request is not encrypted; the key in it is of no
 * other use. Never rejects.
 */
function cancel({ host, port, processID, secretKey, connection: { stream } }: Known): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve()
  const message = Buffer.alloc(16)
  for (const [index, value] of [message.length, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(value, 4 * index)
  // The server itself, and not another one of the same name.
  const { remoteAddress, remotePort } = stream
  const socket =
    remoteAddress === undefined || remotePort === undefined
      ? connect({ path: `${host}/.s.PGSQL.${port}` })
      : connect({ host: remoteAddress, port: remotePort })
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      socket.destroy()
      stream.destroy()
    }, CLOSE_TIMEOUT)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    // The server answers by closing.
    socket.resume()
    socket.write(message)
  })
}
