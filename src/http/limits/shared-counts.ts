import type { RateLimiterCluster as Limiter } from 'rate-limiter-flexible'
import type { Policy, SharedCounts } from './budget.ts'

/** Longest wait for the process with the counts, milliseconds: then it is being replaced, or overloaded. */
const PATIENCE = 1000

/** Keeps the counts of the workers of this process. Called once, before the first of them is started. */
export async function keepSharedCounts(): Promise<void> {
  const { RateLimiterClusterMaster } = await import('rate-limiter-flexible')
  new RateLimiterClusterMaster()
}

/**
 * Opens counts in the supervisor of this worker, one per policy. Loaded only here: the library takes 10 MB, and a
 * single process counts for itself.
 */
export async function openSharedCounts(): Promise<(policy: Policy) => SharedCounts> {
  const { RateLimiterCluster } = await import('rate-limiter-flexible')
  // One for all limits that count alike: none of them ever stops listening to the supervisor.
  const limiters = new Map<string, Limiter>()
  return ({ name, count, seconds }) => {
    // A limit may change while the server runs: the supervisor keeps what it counts for as long as it was first told.
    const keyPrefix = `${name}/${seconds}`
    const made = { keyPrefix, points: count, duration: seconds, timeoutMs: PATIENCE }
    const limiter = limiters.get(keyPrefix) ?? new RateLimiterCluster(made)
    limiters.set(keyPrefix, limiter)
    return { add: (key, points) => add(limiter, key, points), forget: (key) => forget(limiter, key) }
  }
}

async function add(limiter: Limiter, key: string, points: number): Promise<number> {
  // Without a receiver, sending fails late or never.
  if (!process.connected) throw new Error('there is no supervisor')
  return (await limiter.penalty(key, points)).consumedPoints
}

function forget(limiter: Limiter, key: string): void {
  // What is not forgotten now is so when its time is over.
  if (process.connected) limiter.delete(key).catch(() => undefined)
}
