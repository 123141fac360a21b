import { setTimeout as sleep } from 'node:timers/promises'

/** Lets requests go one after the other, so many at once and so many a second, and all of them pause on demand. */
export interface RequestPace {
  /** Runs a request when its turn has come. */
  inTurn<T>(send: () => Promise<T>): Promise<T>
  /** Nothing is sent for so many milliseconds from now on. */
  pause(milliseconds: number): void
}

/** Opens a pace; a rate of 0 has no limit. */
export function openPace({ rate, concurrency, signal }: PaceDeps): RequestPace {
  const interval = rate > 0 ? 1000 / rate : 0
  let open = 0
  const waiting: (() => void)[] = []
  let gap: Promise<unknown> = Promise.resolve()
  let paused: Promise<unknown> = Promise.resolve()
  /** Waits for all pauses, also for those that start meanwhile. */
  const passed = async (): Promise<void> => {
    for (let seen: unknown; seen !== paused; ) {
      seen = paused
      await paused
    }
  }
  const enter = async (): Promise<void> => {
    if (open >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else open += 1
    await passed()
    if (interval === 0) return
    const mine = gap
    gap = mine.then(() => wait(interval, signal))
    await mine
    await passed()
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) open -= 1
    else next()
  }
  return {
    inTurn: async (send) => {
      await enter()
      try {
        return await send()
      } finally {
        leave()
      }
    },
    pause: (milliseconds) => {
      // A timer may fire a little early.
      paused = Promise.all([paused, wait(milliseconds + 50, signal)])
    },
  }
}

interface PaceDeps {
  readonly rate: number
  readonly concurrency: number
  readonly signal: AbortSignal
}

/** Does something for each element, so many at the same time; ends with the first error. */
export async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  places: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: places }, worker))
}

/** Waits some milliseconds, or until the signal. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
}
