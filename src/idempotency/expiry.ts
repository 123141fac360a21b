import { setTimeout as sleep } from 'node:timers/promises'
import type { Report, Storage } from '../storage/engine.ts'
import { deleteOldKeys, keptSince } from '../storage/idempotency-keys.ts'

/** Deletes in the background what is no longer kept; does nothing until it is told to begin. */
export interface Expiry {
  /** Deletes now, and again and again. */
  begin(): void
  /** Ends what is under way until it is told to begin again: another process does it. */
  pause(): void
  /** Ends it; resolves when nothing is deleted any more. */
  stop(): Promise<void>
}

/** What it is made of. */
export interface ExpiryParts {
  readonly storage: Storage
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Between two rounds, and between two transactions of one, milliseconds. */
const REST = { round: 600_000, batch: 100 } as const

/** Opens the background work on responses that are kept by their Idempotency-Key. */
export function openExpiry(parts: ExpiryParts): Expiry {
  let current: AbortController | undefined
  let running = Promise.resolve()
  const pause = (): void => {
    current?.abort()
    current = undefined
  }
  return {
    begin: () => {
      pause()
      current = new AbortController()
      const { signal } = current
      running = running.then(() => deleteAgainAndAgain(parts, signal))
    },
    pause,
    stop: () => {
      pause()
      return running
    },
  }
}

async function deleteAgainAndAgain(parts: ExpiryParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deleteExpired(parts, signal).catch((error: unknown) => parts.report(error, 'deleting old idempotency keys'))
    await rest(REST.round, signal)
  }
}

/** One round: everything that is no longer kept, some rows in each transaction. */
async function deleteExpired({ storage, now }: Omit<ExpiryParts, 'report'>, signal: AbortSignal): Promise<void> {
  const until = keptSince(now())
  while (!signal.aborted && (await storage.write((tx) => deleteOldKeys(tx, until)))) await rest(REST.batch, signal)
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
