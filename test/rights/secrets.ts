import type { Role } from '../../src/http/auth/rights.ts'
import type { Status } from '../../src/model/status.ts'

/** An event, venue or organizer of the calendar, as rights see it. */
export interface Entry {
  readonly kind: 'event' | 'venue' | 'organizer'
  readonly id: number
  readonly slug: string
  readonly owner: Role
  readonly status: Status
  /** Whether something published shows less: to nobody without its password, or on no list. */
  readonly veil?: 'password' | 'hidden' | undefined
}

/** What a word stands in: a part of an entry, or something that only some roles read. */
export type Secret =
  | { readonly part: EntryPart; readonly entry: Entry }
  | { readonly part: 'image' | 'sender' | 'account' | 'webhook' | 'subscription' }

/** The title, everything that a password protects, categories and tags, or texts that were replaced before it was published. */
export type EntryPart = 'name' | 'text' | 'term' | 'past'

/** Words that stand in one place of the calendar each and nowhere else, by what they are. */
export class SecretWords {
  readonly #secrets = new Map<string, Secret>()
  #count = 0

  /**
   * A new word, for what is told of it later: an entry has its ID when it is made. No word is so like another one that a
   * search would correct it.
   */
  next(): string {
    this.#count += 1
    return wordOf(this.#count)
  }

  /** Says what a word is. */
  tell(word: string, secret: Secret): void {
    this.#secrets.set(word, secret)
  }

  /** The words in a text, each once. */
  in(text: string): (readonly [word: string, secret: Secret])[] {
    const found = new Set(text.match(/zq[a-z]{8}xv/gi)?.map((word) => word.toLowerCase()))
    return [...found].flatMap((word) => {
      const secret = this.#secrets.get(word)
      return secret === undefined ? [] : [[word, secret] as const]
    })
  }

  all(): (readonly [word: string, secret: Secret])[] {
    return [...this.#secrets]
  }
}

/** The word of a number: eight letters that say nothing, between two pairs by which words are found. */
export function wordOf(number: number): string {
  const letters = Array.from(
    { length: 8 },
    (_none, place) => (Math.imul(number + 7 * place, 0x9e3779b1 + 2 * place) >>> 8) % 26,
  )
  return `zq${letters.map((letter) => String.fromCharCode(97 + letter)).join('')}xv`
}
