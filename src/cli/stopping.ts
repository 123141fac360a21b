/** Why the server stops; `parent` is the end of the npm that started it, `supervisor` the wish of that of a worker. */
export type StopCause = 'SIGINT' | 'SIGTERM' | 'parent' | 'supervisor'

/** How it becomes known that the server is to stop. */
export interface Stopping {
  /** Resolves with the first cause; rejects when the server cannot go on. */
  readonly asked: Promise<StopCause>
  /** Says that the server cannot go on. */
  fail(error: unknown): void
  /** Gives the signals back to the process. */
  release(): void
}

/** What the watch depends on. */
export interface StoppingOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Unix milliseconds. */
  readonly now: () => number
}

/** What a supervisor tells a worker that is to stop. */
export const STOP = 'stop'

/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: within this time, ms, it is one and the same. */
const SAME_KEYSTROKE = 500

/** How often to look whether npm is still there, ms. */
const PARENT_INTERVAL = 500

/**
 * Watches for the wish to stop: SIGINT, SIGTERM, or the end of the npm that started this process, because npm may die
 * of a signal without passing it on. The first wish is for a graceful stop; a later signal ends the process at once.
 */
export function watchStopping({ env, now }: StoppingOptions): Stopping {
  const { promise: asked, resolve, reject } = Promise.withResolvers<StopCause>()
  let firstAt: number | undefined
  const ask = (cause: StopCause) => {
    if (firstAt !== undefined && cause.startsWith('SIG') && now() - firstAt > SAME_KEYSTROKE) process.exit(1)
    firstAt ??= now()
    resolve(cause)
  }
  process.on('SIGINT', ask)
  process.on('SIGTERM', ask)
  const listen = (message: unknown) => message === STOP && ask('supervisor')
  process.on('message', listen)
  const timer = env['npm_lifecycle_event'] === undefined ? undefined : watchParent(() => ask('parent'))
  return {
    asked,
    fail: reject,
    release: () => {
      process.off('message', listen)
      process.off('SIGINT', ask)
      process.off('SIGTERM', ask)
      clearInterval(timer)
    },
  }
}

function watchParent(gone: () => void): NodeJS.Timeout {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, PARENT_INTERVAL)
  return timer.unref()
}
