import { AsyncLocalStorage } from 'node:async_hooks'

/** Somebody outside for whom something is read. */
export interface Requester {
  /** Whose share of the reads it takes; see `clientKey`. */
  readonly client: string
  /** Whether nobody waits for the response any more. */
  readonly isGone: boolean
  /** Calls the listener once when the requester goes; what it returns ends that. */
  onGone(listener: () => void): () => void
}

const scope = new AsyncLocalStorage<Requester | 'calendar'>()

/**
 * Runs a step, and all that it begins, on behalf of a requester. Storage asks for it where reads wait for their turn, so
 * that it need not be handed through every room.
 */
export function onBehalfOf<T>(requester: Requester, step: () => T): T {
  return scope.run(requester, step)
}

/** Runs a step on behalf of the calendar itself: its reads have no deadline, and no client's share or departure ends them. */
export function forTheCalendar<T>(step: () => T): T {
  return scope.run('calendar', step)
}

/** For whom is being read; undefined where nobody has said so, which counts as a client of its own. */
export function requester(): Requester | 'calendar' | undefined {
  return scope.getStore()
}
