import type { RequestGate } from './request-gate.ts'
import type { ServerRequest } from './server-request.ts'

/** Requests that are started in one turn of the event loop unless told. */
const PER_TURN = 4

/** How requests are let in, and wait for their turn. */
export interface Admission {
  /** Runs a step when the request has been admitted and its turn has come. */
  admit(request: ServerRequest, step: (request: ServerRequest) => void): void
  /** Runs a step of an admitted request when its turn has come again. */
  queue(request: ServerRequest, step: () => void): void
}

/** Lets requests in through a gate, and has clients take turns. */
export function openAdmission(gate: RequestGate): Admission {
  const line = openAdmissionQueue()
  return {
    admit: (request, step) => {
      if (gate.enter(request)) line(() => step(request), request.client.key)
    },
    queue: (request, step) => line(step, request.client.key),
  }
}

/** Queues a request of a client, see `clientKey`, until its turn comes. */
export type AdmissionQueue = (begin: () => void, client: string) => void

/**
 * A queue from which a few requests are started in each turn of the event loop. Node accepts one connection a turn,
 * cached responses are sent in between, and writes are committed once a turn: if a turn lasted until all requests were
 * served, the last of 64 new connections would wait 64 times as long. Clients take turns, each with its requests in
 * order, so that nobody waits behind everything that another client sends at once.
 */
export function openAdmissionQueue(perTurn = PER_TURN): AdmissionQueue {
  /** By client; the next one first. */
  const waiting = new Map<string, (() => void)[]>()
  let isTurning = false
  const turn = (): void => {
    isTurning = waiting.size > 0
    if (!isTurning) return
    // First, and one at a time: the others are started even if one throws.
    setImmediate(turn)
    for (let started = 0; started < perTurn && waiting.size > 0; started += 1) takeNext(waiting)?.()
  }
  return (begin, client) => {
    const own = waiting.get(client)
    if (own === undefined) waiting.set(client, [begin])
    else own.push(begin)
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
}

/** Takes the next request and moves its client behind the others; undefined when none is waiting. */
function takeNext(waiting: Map<string, (() => void)[]>): (() => void) | undefined {
  for (const [client, own] of waiting) {
    const begin = own.shift()
    waiting.delete(client)
    if (own.length > 0) waiting.set(client, own)
    return begin
  }
  return undefined
}
