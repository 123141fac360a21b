/** Why the server stops; `parent` is the end of the npm or older Node that started it. */
export type StopCause = 'SIGINT' | 'SIGTERM' | 'parent'

/** How a request to stop is detected. */
export interface Stopping {
  /** Resolves with the first cause. */
  readonly asked: Promise<StopCause>
  /** Gives the signals back to the process. */
  release(): void
}

/** What the watch needs. */
export interface StoppingOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: within this time, ms, it is one and the same. */
const SAME_KEYSTROKE = 500

/** How often to check whether npm is still running, ms. */
const PARENT_INTERVAL = 500

/** Has the ID of the process with an older Node that has started this one and only waits for it: see `bin/kalends.js`. */
const WRAPPER = 'KALENDS_WRAPPER'

/**
 * Watches for requests to stop: SIGINT, SIGTERM, or the end of the npm or older Node that started this process, because
 * that may die of a signal without passing it on. The first one stops gracefully; a later signal ends the process at once.
 */
export function watchStopping({ env, now }: StoppingOptions): Stopping {
  const { promise: asked, resolve } = Promise.withResolvers<StopCause>()
  let firstAt: number | undefined
  const ask = (cause: StopCause) => {
    if (firstAt !== undefined && cause.startsWith('SIG') && now() - firstAt > SAME_KEYSTROKE) process.exit(1)
    firstAt ??= now()
    resolve(cause)
  }
  process.on('SIGINT', ask)
  process.on('SIGTERM', ask)
  const parent = parentToEndWith(env)
  const timer = parent === undefined ? undefined : watchParent(parent, () => ask('parent'))
  return {
    asked,
    release: () => {
      process.off('SIGINT', ask)
      process.off('SIGTERM', ask)
      clearInterval(timer)
    },
  }
}

/** ID of the process without which this one ends; undefined where it outlives every other. */
function parentToEndWith(env: StoppingOptions['env']): number | undefined {
  const wrapper = env[WRAPPER]
  if (wrapper !== undefined) return Number(wrapper)
  return env['npm_lifecycle_event'] === undefined ? undefined : process.ppid
}

function watchParent(parent: number, gone: () => void): NodeJS.Timeout {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, PARENT_INTERVAL)
  return timer.unref()
}
