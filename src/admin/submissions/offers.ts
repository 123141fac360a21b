import type { Caller } from '../../auth/caller.ts'
import { forTheCalendar } from '../../requester.ts'
import type { Asking } from '../asking.ts'
import { namesOffered } from '../event-parts.ts'
import type { KnownNames } from '../form-values.ts'

/** Everybody: what is not public is offered to nobody, whoever asks. */
const EVERYBODY: Caller = { id: 0, role: 'anonymous', name: '' }

/** The fields that the form of visitors offers names for. */
const FIELDS = ['venue', 'organizer', 'categories'] as const

/** Milliseconds for which names may be shown that have changed meanwhile: reading them takes some tens of milliseconds. */
const KEPT = 10_000

interface Read {
  readonly version: number
  readonly at: number
  readonly names: Promise<KnownNames>
}

/** The names that the form of visitors offers, read once for all who ask; none where they cannot be read. */
export class Offers {
  #last: Read | undefined

  /** Those of the last seconds, for a form that is shown. */
  async recent(asking: Asking): Promise<KnownNames> {
    const { now } = asking.incoming
    const last = this.#last
    return last !== undefined && now >= last.at && now - last.at < KEPT ? last.names : this.current(asking)
  }

  /** Those of now, for a form that was sent. */
  async current(asking: Asking): Promise<KnownNames> {
    const { parts, incoming } = asking
    // Asked first: what changes while they are read is read again.
    const version = parts.storage.dataVersion()
    if (this.#last?.version === version) return this.#last.names
    const everybody = { ...asking, incoming: { ...incoming, caller: EVERYBODY } }
    // All who come share it: that the first of them leaves must not end it.
    const names = forTheCalendar(() => namesOffered(everybody, FIELDS))
    const read: Read = {
      version,
      at: incoming.now,
      names: names.catch(() => {
        if (this.#last === read) this.#last = undefined
        return {}
      }),
    }
    this.#last = read
    return read.names
  }
}
