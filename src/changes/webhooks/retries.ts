import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { retryAfter } from '../../base/outgoing/retry-after.ts'

const HOUR = 3_600_000

/** Milliseconds after which a message is given up. */
export const PATIENCE = 72 * HOUR

/** Milliseconds after the first failed attempt, how they grow, and the most. */
const PAUSE = { first: 5_000, growth: 3, most: 6 * HOUR } as const

/** Most milliseconds that a receiver may ask for with Retry-After. */
const LONGEST_WAIT = 24 * HOUR

/** Part of a pause by which it may be shorter or longer, so that messages which failed together do not come together again. */
const JITTER = 0.2

/** Milliseconds until the next attempt after so many that failed. */
export function pauseAfter(attempts: number, message: string): number {
  const usual = Math.min(PAUSE.first * PAUSE.growth ** Math.min(attempts - 1, 20), PAUSE.most)
  const drawn = createHash('sha256').update(`${message} ${attempts}`).digest().readUInt32BE() / 2 ** 32
  return Math.round(usual * (1 - JITTER + 2 * JITTER * drawn))
}

/** The milliseconds that a receiver asks to be left alone, bounded; 0 where it does not. */
export function askedPause(headers: IncomingHttpHeaders, now: number): number {
  return Math.min(retryAfter(headers, now) ?? 0, LONGEST_WAIT)
}
