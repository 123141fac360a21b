import { AsyncLocalStorage } from 'node:async_hooks'

/** The client for which something is read. */
export interface Requester {
  /** The client that the read is attributed to; see `clientKey`. */
  readonly client: string
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
