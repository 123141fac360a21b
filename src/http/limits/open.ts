import { setTimeout as wait } from 'node:timers/promises'
import type { Rate } from '../../base/config/kinds.ts'
import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { Budget } from './budget.ts'
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
  /** Those of forgotten passwords, which are not configured. */
  readonly resets: Budget
  /** Those of calls of tools, and of resources that are read. */
  readonly mcp: Budget | undefined
  /** Those of calls that change something. */
  readonly mcpWrites: Budget | undefined
  /** Told of failed sign-ins whether they are limited or not. */
  readonly failures: FailureLog
}

/** What limits are opened with. */
export interface LimitDeps {
  /** It may change: a limit that does is that of all further requests, and what was counted is forgotten with the old one. */
  readonly config: Pick<
    Config,
    | 'limitReads'
    | 'limitCostlyReads'
    | 'limitWrites'
    | 'limitLogIns'
    | 'limitGuesses'
    | 'limitSubmissions'
    | 'limitMcp'
    | 'limitMcpWrites'
  >
  /** Has a listener called whenever the configuration has changed; absent where it never does. */
  onChange?(listener: () => void): void
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Logger
  /** Default: that of Node. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>
}

/** How often a client may have forgotten a password. */
const RESETS = { name: 'password-resets', count: 10, seconds: 3600 } as const

/** Forms that a client may send for each event: what is wrong in one can be fixed. */
const FORMS = 6

/** Opens the budgets as they are configured. */
export function openLimits({ config, onChange, now, log, sleep = pause }: LimitDeps): Limits {
  const budget = (name: string, rate: Rate): Budget | undefined =>
    rate.count === 0 ? undefined : new Budget({ policy: { name, ...rate }, now })
  const makers: LimitMakers = {
    reads: renewed((rate) => budget('reads', rate)),
    costlyReads: renewed((rate) => budget('costly-reads', rate)),
    writes: renewed((rate) => budget('writes', rate)),
    logIns: renewed((rate) => {
      const [byAddress, byName] = [budget('log-ins', rate), budget('log-ins by name', rate)]
      return byAddress && byName && new LogIns({ byAddress, byName, now, sleep })
    }),
    guesses: renewed((rate) => {
      const guessed = budget('event-passwords', rate)
      return guessed && new Guesses(guessed, now)
    }),
    submissions: renewed((rate) => budget('submissions', rate)),
    forms: renewed((rate) => budget('submitted-forms', { ...rate, count: rate.count * FORMS })),
    mcp: renewed((rate) => budget('mcp', rate)),
    mcpWrites: renewed((rate) => budget('mcp-writes', rate)),
  }
  const fixed = { resets: new Budget({ policy: RESETS, now }), failures: new FailureLog({ log, now, sleep }) }
  const limits = { ...limitsOf(makers, config), ...fixed }
  onChange?.(() => Object.assign(limits, limitsOf(makers, config)))
  return limits
}

/** The limits that are configured. */
type Configured = Omit<Limits, 'failures' | 'resets'>

/** What makes each of them of a rate. */
type LimitMakers = { readonly [Name in keyof Configured]: (rate: Rate) => Configured[Name] }

/** The limits as they are configured now. */
function limitsOf(makers: LimitMakers, config: LimitDeps['config']): Configured {
  return {
    reads: makers.reads(config.limitReads),
    costlyReads: makers.costlyReads(config.limitCostlyReads),
    writes: makers.writes(config.limitWrites),
    logIns: makers.logIns(config.limitLogIns),
    guesses: makers.guesses(config.limitGuesses),
    submissions: makers.submissions(config.limitSubmissions),
    forms: makers.forms(config.limitSubmissions),
    mcp: makers.mcp(config.limitMcp),
    mcpWrites: makers.mcpWrites(config.limitMcpWrites),
  }
}

/** What is made of a rate, and rebuilt only when the rate is another one. */
function renewed<Made>(make: (rate: Rate) => Made): (rate: Rate) => Made {
  let last: { readonly rate: Rate; readonly made: Made } | undefined
  return (rate) => {
    if (last === undefined || last.rate.count !== rate.count || last.rate.seconds !== rate.seconds)
      last = { rate, made: make(rate) }
    return last.made
  }
}

function pause(milliseconds: number): Promise<unknown> {
  return wait(milliseconds, undefined, { ref: false })
}
