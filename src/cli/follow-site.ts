import { setTimeout as wait } from 'node:timers/promises'
import { Failure, fail } from '../base/errors.ts'
import type { Invocation } from './command.ts'
import { secondsOf } from './seconds.ts'
import { watchStopping } from './stopping.ts'
import type { SiteImportInput, SiteReport } from './types.ts'

/** Options of `kalends import` that are about following a site. */
export const FOLLOW_OPTIONS: Readonly<Record<string, string>> = {
  '--follow': 'goes on and keeps the copy current, until it is stopped; implies --vanished trash unless that is said',
  '--every <TIME>': 'with --follow: time between two looks, such as 30s, 5m; 15s if the site is a Kalends, else 15m',
}

/** Milliseconds between two looks: at sites that tell whether anything has changed, at others, and the most after failures. */
const EVERY = { told: 15_000, untold: 900_000, failed: 900_000 } as const

/**
 * Imports a site again and again until the process is asked to stop: what is under way then is ended. A look that fails
 * is made again after growing pauses; only the first one ends the command.
 * @throws what the first import throws, wrong_usage
 */
export async function followSite(
  called: Invocation,
  input: SiteImportInput,
  show: (report: SiteReport) => void,
): Promise<void> {
  const { world } = called
  const every = everyOf(called)
  const stopping = watchStopping({ env: world.env, now: world.now })
  const stop = new AbortController()
  const asked = stopping.asked.finally(() => stop.abort())
  asked.catch(() => undefined)
  try {
    let isFirst = true
    let failures = 0
    while (!stop.signal.aborted) {
      let isServed = false
      const report = await called.operate('importSite', input, { inTurns: true }).catch((error: unknown) => {
        // A server has started meanwhile, which goes on with it.
        isServed = error instanceof Failure && error.code === 'writer_came'
        if (isServed) return
        if (isFirst || !(error instanceof Failure)) throw error
        world.stderr.write(`${error.message}\n`)
      })
      if (isServed) continue
      failures = report === undefined ? failures + 1 : 0
      if (report !== undefined && (report.changed || isFirst)) show(report)
      isFirst = false
      const usual = every ?? (report === undefined || report.told ? EVERY.told : EVERY.untold)
      const pause =
        failures === 0 ? usual : Math.max(usual, Math.min(usual * 2 ** Math.min(failures, 10), EVERY.failed))
      await wait(pause, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  } finally {
    stopping.release()
  }
}

/** Milliseconds; undefined when it is not said. @throws wrong_usage */
function everyOf(called: Invocation): number | undefined {
  const text = called.option('every')
  if (text === undefined) return undefined
  const seconds = secondsOf(text)
  if (seconds < 1 || seconds > 86_400) throw fail('wrong_usage', { reason: '--every is a time from 1s to 1d' })
  return seconds * 1000
}
