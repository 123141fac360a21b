import { createHash } from 'node:crypto'
import { BoundedKeys } from './bounded-keys.ts'
import type { Budget, Draw } from './budget.ts'

/** Tries of event passwords by one client. */
export interface PasswordTries {
  /** Starts to try a password on an event; undefined when the client has tried too many others on it. */
  begin(eventId: number, password: string): PasswordTry | undefined
  /** The error of a try that was not started; undefined when all were. */
  refusal(): Error | undefined
}

/** A password that is being tried. */
export interface PasswordTry {
  /** Reports whether it was right. */
  end(isRight: boolean): void
}

/** A password that a client tries on an event. */
interface Guess {
  readonly client: string
  readonly eventId: number
  readonly password: string
}

/**
 * Bounds the passwords that a client may try on an event. Each is counted once: programs repeat the same wrong one with
 * every list, and learn nothing by it. One that was right is free, also when too many others were tried since.
 */
export class Guesses {
  readonly #budget: Budget
  readonly #tried: BoundedKeys

  constructor(budget: Budget, now: () => number) {
    this.#budget = budget
    this.#tried = new BoundedKeys({ now, keepFor: budget.policy.seconds * 1000 })
  }

  /** Starts a try. `drawn` gets what was drawn for it. */
  begin(guess: Guess, drawn: (draw: Draw) => void): PasswordTry | undefined {
    if (this.#tried.has(nameOf(guess))) return { end: () => undefined }
    const draw = this.#budget.draw(keyOf(guess))
    drawn(draw)
    if (draw.isRefused) return undefined
    return {
      end: (isRight) => {
        this.#tried.add(nameOf(guess))
        if (isRight) this.#budget.giveBack(keyOf(guess))
      },
    }
  }
}

/** The budget that a guess is drawn from. */
function keyOf({ client, eventId }: Guess): string {
  return `${client} ${eventId}`
}

function nameOf(guess: Guess): string {
  return `${keyOf(guess)} ${createHash('sha256').update(guess.password).digest('base64url')}`
}
