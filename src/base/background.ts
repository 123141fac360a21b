import { setTimeout as sleep } from 'node:timers/promises'

/** Work in the background that does nothing until it is started; one process of a calendar does it at a time. */
export interface BackgroundWork {
  /** Runs a round now, and again and again. */
  begin(): void
  /** Ends the current round until it is started again: another process does it. */
  pause(): void
  /** There is something to do: the next round comes as soon as the one under way is done. */
  wake(): void
  /** Ends it permanently; resolves when nothing is touched any more. */
  stop(): Promise<void>
}

/** What is done in the background. */
export interface BackgroundRounds {
  /** One round; it ends early when the signal says so. */
  round(signal: AbortSignal): Promise<void>
  /** Milliseconds between two rounds. */
  readonly every: number
  /** Takes what a round throws; the next one comes all the same. */
  failed(error: unknown): void
}

/** Prepares work in the background. */
export function backgroundWork({ round, every, failed }: BackgroundRounds): BackgroundWork {
  let current: AbortController | undefined
  /** Ends the pause between two rounds; a wake during a round ends the one after it. */
  let endPause: () => void = () => undefined
  let running = Promise.resolve()
  let isStopped = false
  const repeat = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        endPause = resolve
      })
      await round(signal).catch((error: unknown) => (signal.aborted ? undefined : failed(error)))
      await pauseFor(every, { signal, woken })
    }
  }
  const pause = (): void => {
    current?.abort()
    current = undefined
  }
  return {
    begin: () => {
      if (isStopped || current !== undefined) return
      const begun = new AbortController()
      current = begun
      running = running.then(() => repeat(begun.signal))
    },
    pause,
    wake: () => endPause(),
    stop: () => {
      isStopped = true
      pause()
      return running
    },
  }
}

/** Waits some milliseconds, or until the signal or the promise. Whoever writes wakes: an exception each time takes longer. */
function pauseFor(
  milliseconds: number,
  { signal, woken }: { readonly signal: AbortSignal; readonly woken: Promise<void> },
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds).unref()
    signal.addEventListener('abort', end, { once: true })
    void woken.then(end)
    if (signal.aborted) end()
  })
}

/** Waits some milliseconds, or until the signal; keeps no process alive. */
export async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}

/** Resolves when the event loop has had some turns, one unless it says otherwise: whatever was waiting has gone on. */
export async function nextTurn(turns = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
