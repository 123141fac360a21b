import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey } from '../request/client-key.ts'
import type { Networks } from '../request/client-of.ts'
import { endConnection } from './broken-request.ts'
import { Counter } from './counter.ts'

/** How many connections a server takes. */
export interface ConnectionBounds {
  readonly connections: number
  /** Of one client; proxies that are believed may have as many as there are. */
  readonly clientConnections: number
  readonly proxies: Networks
}

/** Connections that are told why they are not taken; whoever comes besides is cut off. */
const TURNED_AWAY = 200

/** Time to take that answer, in milliseconds. */
const LINGER = 2000

/** Idle connections end when so many of all are taken. */
const CROWDED = 0.9

/** Time between looks for idle connections, in milliseconds. */
const PAUSE = 500

/**
 * Bounds the connections of a server. What is not taken is answered 503 as soon as it asks for anything. Returns
 * how many were not taken so far.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): () => number {
  const { connections, clientConnections, proxies } = bounds
  const accepting = server.listeners('connection')
  const open = new Counter()
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
