import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Networks } from '../request/client-of.ts'
import { clientKey } from '../request/client-of.ts'
import { endConnection } from './broken-request.ts'
import { ClientCounts } from './client-counts.ts'

/** How many connections a server takes. */
export interface ConnectionBounds {
  readonly connections: number
  /** Of one client; proxies that are believed may have as many as there are. */
  readonly clientConnections: number
  readonly proxies: Networks
}

/** Rejected connections that get a response; further ones are closed without. */
const TURNED_AWAY = 200

/** Time to read that response, in milliseconds. */
const LINGER = 2000

/** Idle connections are closed above this share of the limit. */
const CROWDED = 0.9

/** Time between checks for idle connections, in milliseconds. */
const PAUSE = 500

/**
 * Bounds the connections of a server. A connection beyond the bound gets 503 on its first request. Returns how many
 * were rejected so far.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): () => number {
  const { connections, clientConnections, proxies } = bounds
  const accepting = server.listeners('connection')
  const open = new ClientCounts()
  let turnedAway = 0
  let refused = 0
  let isPausing = false
  const endIdle = (): void => {
    if (isPausing) return
    isPausing = true
    setTimeout(() => {
      isPausing = false
    }, PAUSE).unref()
    server.closeIdleConnections()
  }
  const accept = (socket: Socket, client: string): void => {
    open.add(client, 1)
    socket.once('close', () => open.add(client, -1))
    if (open.total > connections * CROWDED) endIdle()
    for (const listener of accepting) listener.call(server, socket)
  }
  const refuse = (socket: Socket): void => {
    turnedAway += 1
    refused += 1
    socket.once('close', () => {
      turnedAway -= 1
    })
    if (turnedAway > TURNED_AWAY) socket.destroy()
    else turnAway(socket)
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    const client = clientKey(address)
    const isTooMany = open.of(client) >= clientConnections && !proxies.has(address)
    if (open.total >= connections || isTooMany) refuse(socket)
    else accept(socket, client)
  })
  return () => refused
}

function turnAway(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.setTimeout(LINGER, () => socket.destroy())
  socket.once('end', () => socket.end())
  socket.once('data', () => endConnection(socket, 'rest_unavailable'))
}
