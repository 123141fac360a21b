import { AsyncLocalStorage } from 'node:async_hooks'

/** The client for which something is read. */
export interface Requester {
  /** The client that the read is attributed to; see `clientKey`. */
  readonly client: string
  /** What the program of an agent is called that it works through; absent without one. */
  readonly agent?: string
  /** Whether the client has disconnected. */
  readonly isGone: boolean
  /** Calls the listener once when the requester disconnects; the returned function unsubscribes. */
  onGone(listener: () => void): () => void
}

/** A requester of this client that never disconnects: what is read is for others, too. */
export function lasting(client: string): Requester {
  return { client, isGone: false, onGone: () => () => undefined }
}

const scope = new AsyncLocalStorage<Requester | 'calendar'>()

/**
 * Runs a step, and everything it starts, on behalf of a requester. Storage needs it where reads wait for their turn, so
 * that it need not be passed through every module.
 */
export function onBehalfOf<T>(requester: Requester, step: () => T): T {
  return scope.run(requester, step)
}

/** Runs a step on behalf of the calendar itself: its reads have no deadline, and no client's share or departure ends them. */
export function forTheCalendar<T>(step: () => T): T {
  return scope.run('calendar', step)
}

/** The requester of the present read; undefined where none was set, which counts as one client. */
export function requester(): Requester | 'calendar' | undefined {
  return scope.getStore()
}

/** A queue of the steps that requests consist of, taken in turns by their clients. */
export interface Turns {
  /** Has a step of a client, see `clientKey`, taken when its turn comes. */
  take(step: () => void, client: string): void
  /**
   * Resolves when the turn of a client has come to go on with what it has begun: before its steps that are not begun, but
   * for one of those after every fourth, so that a quick request is not kept until long ones have ended.
   */
  goOn(client: string): Promise<void>
  /** Notes that a connection was accepted: more may wait behind it. */
  noteConnection(): void
}

/** How steps are taken. */
export interface TurnOptions {
  /** Steps in a turn of the event loop, as long as they are quick. */
  readonly perTurn?: number
  /** Processor time that was used so far, in milliseconds. */
  readonly used?: () => number
}

/** Steps that a client goes on with before it begins one more. */
const BEGUN_FIRST = 4

/** What one client waits for, each list in its order. */
interface ClientSteps {
  readonly begun: (() => void)[]
  readonly fresh: (() => void)[]
  /** Steps of `begun` that were taken since the last one of `fresh`. */
  goneOn: number
}

/** Processor time in milliseconds from which on steps no longer share a turn. */
const SLOW = 5

/**
 * A queue from which a few steps are taken in each turn of the event loop. Node accepts one connection a turn,
 * cached responses are sent in between, and writes are committed once a turn: if a turn lasted until all requests were
 * served, the last of 64 new connections would wait 64 times as long. Clients take turns, each with its requests in
 * order, so that nobody waits behind everything that another client sends at once. Slow steps are taken one a turn, and
 * leave as much processor time as they took to connections that wait to be accepted.
 */
export function openTurns({ perTurn = 4, used = usedByThread }: TurnOptions = {}): Turns {
  /** By client; the next one first. */
  const waiting = new Map<string, ClientSteps>()
  let isTurning = false
  let hasConnection = false
  /** What was used when the steps of this turn began. */
  let began: number | undefined
  let isSlow = false
  /** Until so much is used, connections precede steps. */
  let until = 0
  const turn = (): void => {
    isTurning = waiting.size > 0
    if (!isTurning) return
    // First, and one at a time: the others are taken even if one throws.
    schedule()
    const isPostponed = hasConnection && used() < until
    hasConnection = false
    if (isPostponed) return
    began = used()
    for (let most = isSlow ? 1 : perTurn; most > 0 && waiting.size > 0; most -= 1) takeNext(waiting)?.()
  }
  const measure = (): void => {
    if (began === undefined) return
    const ended = used()
    const took = ended - began
    began = undefined
    isSlow = took >= SLOW
    until = ended + took
  }
  const schedule = (): void => {
    isTurning = true
    setImmediate(turn)
    // In the same turn of the event loop, after all that the steps have started and that waits for nothing.
    setImmediate(measure)
  }
  const stepsOf = (client: string): ClientSteps => {
    const own = waiting.get(client) ?? { begun: [], fresh: [], goneOn: 0 }
    waiting.set(client, own)
    if (!isTurning) schedule()
    return own
  }
  return {
    take: (step, client) => void stepsOf(client).fresh.push(step),
    goOn: (client) => new Promise((resolve) => void stepsOf(client).begun.push(resolve)),
    noteConnection: () => {
      hasConnection = true
    },
  }
}

function usedByThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Takes the next step and moves its client behind the others; undefined when none is waiting. */
function takeNext(waiting: Map<string, ClientSteps>): (() => void) | undefined {
  for (const [client, own] of waiting) {
    const isFresh = own.begun.length === 0 || (own.fresh.length > 0 && own.goneOn >= BEGUN_FIRST)
    own.goneOn = isFresh ? 0 : own.goneOn + 1
    const step = (isFresh ? own.fresh : own.begun).shift()
    waiting.delete(client)
    if (own.begun.length + own.fresh.length > 0) waiting.set(client, own)
    return step
  }
  return undefined
}

/** The queue of this process: for requests, and for reads that pause. */
export const turns: Turns = openTurns()

/** Resolves when the turn of the present requester has come again: to be awaited every few milliseconds of long work. */
export function ownTurn(): Promise<void> {
  const who = requester()
  return turns.goOn(who === undefined || who === 'calendar' ? '' : who.client)
}
