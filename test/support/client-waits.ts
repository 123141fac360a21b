import type { TestContext } from 'node:test'

/** How long a stream of changes may be silent, milliseconds: no wait, but a bound. */
const SILENCE = 60_000

/**
 * Waits of the client take no time, except for the silence of a stream; their lengths in milliseconds, in order. Others in
 * this process go on as they are.
 */
export function recordWaits(t: TestContext): number[] {
  const waits: number[] = []
  const { setTimeout: later } = globalThis
  t.mock.method(globalThis, 'setTimeout', ((done: () => void, milliseconds: number) => {
    const isClient = new Error('who waits').stack?.includes('/clients/typescript/')
    if (!isClient || milliseconds === SILENCE) return later(done, milliseconds)
    waits.push(milliseconds)
    return setImmediate(done)
  }) as unknown as typeof setTimeout)
  return waits
}
