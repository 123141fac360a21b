import type { Urls } from '../../http/address.ts'
import type { Caller } from '../../http/auth/rights.ts'
import type { PasswordTries } from '../../http/limits/guesses.ts'
import type { Site } from '../../model/site.ts'

/** For whom and where a representation is made. */
export interface Viewer {
  readonly caller: Caller
  readonly urls: Urls
  readonly site: Site
  /** Language of texts in words; English if absent. */
  readonly language?: string
  /** Counts the passwords that are tried on events. */
  readonly tries?: PasswordTries | undefined
}
