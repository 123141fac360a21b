import { fail } from '../../base/errors.ts'

/** How much a queue takes. */
export interface QueueLimits {
  /** Steps that run at the same time. */
  readonly places: number
  /** Most steps that wait. */
  readonly waiting: number
  /** Most that all waiting steps weigh together, such as bytes that they hold; the first one may weigh more. */
  readonly weight: number
  /** Longest time that a step waits, in milliseconds. */
  readonly patience: number
}

/** Runs a step of some weight when it is its turn. @throws rest_unavailable when too much waits, or for too long */
export type BoundedQueue = <T>(weight: number, step: () => Promise<T>) => Promise<T>

interface Waiting {
  readonly weight: number
  admit(): void
}

/** A queue that turns away what it cannot do soon, instead of holding it in memory. */
export function boundedQueue({ places, waiting: most, weight: heaviest, patience }: QueueLimits): BoundedQueue {
  let free = places
  let held = 0
  const waiting = new Set<Waiting>()

  function wait(weight: number): Promise<void> {
    if (waiting.size >= most || (waiting.size > 0 && held + weight > heaviest)) throw fail('rest_unavailable')
    held += weight
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer)
        waiting.delete(one)
        held -= weight
      }
      const one: Waiting = {
        weight,
        admit: () => {
          leave()
          resolve()
        },
      }
      const timer = setTimeout(() => {
        leave()
        reject(fail('rest_unavailable'))
      }, patience)
      waiting.add(one)
    })
  }

  return async (weight, step) => {
    if (free > 0) free -= 1
    else await wait(weight)
    try {
      return await step()
    } finally {
      const [next] = waiting
      if (next === undefined) free += 1
      else next.admit()
    }
  }
}
