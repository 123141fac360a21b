import { lasting, onBehalfOf } from '../../base/requester.ts'
import type { Caller } from '../../http/auth/rights.ts'
import { namesOffered } from '../event-parts.ts'
import type { KnownNames } from '../form-values.ts'
import type { PageRequest } from '../page-request.ts'

/** Everybody: unpublished items are offered to nobody, whoever asks. */
const EVERYBODY: Caller = { id: 0, role: 'anonymous', name: '' }

/** All who ask, as one client that waits for its reads like others and never leaves: the names are shared. */
const READER = lasting('the form of visitors')

/** The fields that the form of visitors offers names for. */
const FIELDS = ['venue', 'organizer', 'categories'] as const

/** Milliseconds for which names may be shown that have changed meanwhile: reading them takes some tens of milliseconds. */
const KEPT = 10_000

interface Read {
  readonly version: number
  readonly at: number
  readonly names: Promise<KnownNames>
}

/** The names that the form of visitors offers, read once for all who ask. */
export class Offers {
  #last: Read | undefined

  /** Those of the last seconds, for a form that is shown; undefined where they cannot be read. */
  async recent(request: PageRequest): Promise<KnownNames | undefined> {
    const { now } = request.incoming
    const last = this.#last
    const isRecent = last !== undefined && now >= last.at && now - last.at < KEPT
    return (isRecent ? last.names : this.current(request)).catch(() => undefined)
  }

  /** Those of now, for a form that was sent. @throws what reading them does */
  async current(request: PageRequest): Promise<KnownNames> {
    const { deps, incoming } = request
    // Asked first: what changes while they are read is read again.
    const version = deps.storage.dataVersion()
    if (this.#last?.version === version) return this.#last.names
    const everybody = { ...request, incoming: { ...incoming, caller: EVERYBODY } }
    const names = onBehalfOf(READER, () => namesOffered(everybody, FIELDS))
    const read: Read = { version, at: incoming.now, names }
    this.#last = read
    try {
      return await names
    } catch (error) {
      if (this.#last === read) this.#last = undefined
      throw error
    }
  }
}
