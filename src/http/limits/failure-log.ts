import type { Logger } from '../../base/log.ts'

/** Lines of failed sign-ins that are signed in a minute; further ones are counted. */
export const FAILURE_LINES = 30
const MINUTE = 60_000

/** Longest part of a name that is logged, in characters. */
const NAME_SHOWN = 60

/** The last ones that are kept in memory. */
const KEPT = 50

/** What a log of failed sign-ins needs. */
export interface FailureLogDeps {
  readonly log: Logger
  /** Unix milliseconds. */
  readonly now: () => number
  /** Resolves after so many milliseconds, and keeps no process alive. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/** A sign-in that failed. */
export interface FailedLogIn {
  /** Where it came from. */
  readonly address: string
  /** The name as it was typed. */
  readonly login: string
  readonly requestId: string
}

/** A sign-in that failed, as administrators see it. */
export interface SeenFailure {
  /** Unix milliseconds. */
  readonly at: number
  readonly address: string
  /** The start of the name as it was typed, without control characters. */
  readonly login: string
}

/** Tells the log of failed sign-ins, a bounded number of lines a minute, and keeps the last ones. */
export class FailureLog {
  readonly #deps: FailureLogDeps
  #recent: readonly SeenFailure[] = []
  #written = 0
  #leftOut = 0
  #isCounting = false

  constructor(deps: FailureLogDeps) {
    this.#deps = deps
  }

  /** Logs one; only the start of its name is shown, without control characters. */
  note({ address, login, requestId }: FailedLogIn): void {
    const seen = { at: this.#deps.now(), address, login: shown(login) }
    this.#recent = [seen, ...this.#recent].slice(0, KEPT)
    if (!this.#isCounting) this.#countAMinute()
    if (this.#written >= FAILURE_LINES) {
      this.#leftOut += 1
      return
    }
    this.#written += 1
    this.#deps.log.warn({ requestId, address, name: shown(login) }, 'a sign-in failed')
  }

  /** The last ones of this process, newest first; `[]` for none. */
  get recent(): readonly SeenFailure[] {
    return this.#recent
  }

  #countAMinute(): void {
    this.#isCounting = true
    void this.#deps.sleep(MINUTE).then(() => {
      if (this.#leftOut > 0) this.#deps.log.warn({ count: this.#leftOut }, 'more sign-ins failed in the last minute')
      this.#written = 0
      this.#leftOut = 0
      this.#isCounting = false
    })
  }
}

/** A token that was sent as a name, or typed as one: what follows its ID is secret. */
const TOKEN = /(^\W*kal_[0-9a-z]{0,8}|kal_[0-9a-z]{8}(?=_)).*$/is

function shown(login: string): string {
  const name = login.replace(TOKEN, '$1')
  const clean = name.slice(0, NAME_SHOWN).replace(/[\p{C}\p{Z}]/gu, (letter) => (letter === ' ' ? ' ' : '?'))
  return name.length > NAME_SHOWN ? `${clean}...` : clean
}
