import { setTimeout as wait } from 'node:timers/promises'
import type { Rate } from '../config/kinds.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { Budget, type Policy, type SharedCounts } from './budget.ts'
import { FailureLog } from './failure-log.ts'
import { Guesses } from './guesses.ts'
import { LogIns } from './log-ins.ts'

/** Budgets of clients; undefined where there is no limit. */
export interface Limits {
  readonly reads: Budget | undefined
  /** Those of expensive reads. */
  readonly costlyReads: Budget | undefined
  readonly writes: Budget | undefined
  readonly logIns: LogIns | undefined
  readonly guesses: Guesses | undefined
  /** Those of events that visitors submit. */
  readonly submissions: Budget | undefined
  /** Those of forms for that, also of the wrong and incomplete ones. */
  readonly forms: Budget | undefined
  /** Told of failed log-ins whether they are limited or not. */
  readonly failures: FailureLog
}

/** What limits are opened with. */
export interface LimitParts {
  readonly config: Pick<
    Config,
    'limitReads' | 'limitCostlyReads' | 'limitWrites' | 'limitLogIns' | 'limitGuesses' | 'limitSubmissions'
  >
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Logger
  /** Whether this process is one of the workers of a supervisor, which share what they count. */
  readonly isShared: boolean
  /** Default: that of Node. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>
}

/** Forms that a client may send for each event: what is wrong in one can be mended. */
const FORMS = 6

/** Opens the budgets as they are configured. */
export async function openLimits({ config, now, log, isShared, sleep = pause }: LimitParts): Promise<Limits> {
  // The library is large, and a process that is alone needs none.
  const countsFor = isShared ? await (await import('./shared-counts.ts')).openSharedCounts() : noCounts
  const budget = (name: string, rate: Rate): Budget | undefined => {
    const policy: Policy = { name, ...rate }
    return rate.count === 0 ? undefined : new Budget({ policy, now, counts: countsFor(policy) })
  }
  const byAddress = budget('log-ins', config.limitLogIns)
  const byName = budget('log-ins by name', config.limitLogIns)
  const { limitSubmissions: submissions } = config
  const guessed = budget('event-passwords', config.limitGuesses)
  return {
    reads: budget('reads', config.limitReads),
    costlyReads: budget('costly-reads', config.limitCostlyReads),
    writes: budget('writes', config.limitWrites),
    logIns: byAddress && byName && new LogIns({ byAddress, byName, now, sleep }),
    guesses: guessed && new Guesses(guessed, now),
    submissions: budget('submissions', submissions),
    forms: budget('submitted-forms', { ...submissions, count: submissions.count * FORMS }),
    failures: new FailureLog({ log, now, sleep }),
  }
}

function noCounts(_policy: Policy): SharedCounts | undefined {
  return undefined
}

function pause(milliseconds: number): Promise<unknown> {
  return wait(milliseconds, undefined, { ref: false })
}
