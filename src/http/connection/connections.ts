import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { noteAccepted, openAdmissionQueue } from '../request/admission-queue.ts'
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

/** Open connections of a client up to which a new one is read at once. */
const FEW = 16

/** Connections that begin to be read in one turn of the event loop, and turns that accept as many as there are first. */
const READING = { perTurn: 1, acceptingTurns: 64 } as const

/**
 * Bounds the connections of a server. A connection beyond the bound gets 503 on its first request. Clients that have
 * many take turns with new ones, but for proxies that are believed: nobody waits until hundreds of somebody else have
 * been read for the first time. Returns how many were rejected so far.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): () => number {
  const { connections, clientConnections, proxies } = bounds
  const begin = readInTurns(server)
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
  const accept = (socket: Socket, client: string, takesTurns: boolean): void => {
    open.add(client, 1)
    socket.once('close', () => open.add(client, -1))
    if (open.total > connections * CROWDED) endIdle()
    begin(socket, takesTurns ? client : undefined)
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
  server.on('connection', (socket: Socket) => {
    noteAccepted()
    const address = socket.remoteAddress
    const client = clientKey(address)
    const hasAlready = (count: number): boolean => open.of(client) >= count && !proxies.has(address)
    if (open.total >= connections || hasAlready(clientConnections)) refuse(socket)
    else accept(socket, client, hasAlready(FEW))
  })
  return () => refused
}

/**
 * Has connections accepted without being read; returns how one begins to be read, at once or when it is the turn of a
 * client, given by the key that names it.
 */
function readInTurns(server: Server): (socket: Socket, client: string | undefined) => void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  // An option of `net.createServer` that `http.createServer` does not hand on.
  Object.assign(server, { pauseOnConnect: true })
  const line = openAdmissionQueue(READING)
  const begin = (socket: Socket): void => {
    if (socket.destroyed) return
    for (const listener of listeners) listener.call(server, socket)
    socket.resume()
  }
  return (socket, client) => {
    if (client === undefined) begin(socket)
    else line(() => begin(socket), client)
  }
}

function turnAway(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.setTimeout(LINGER, () => socket.destroy())
  socket.once('end', () => socket.end())
  socket.once('data', () => endConnection(socket, 'rest_unavailable'))
  socket.resume()
}
