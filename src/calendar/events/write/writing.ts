import type { Caller } from '../../../http/auth/rights.ts'
import { refusedFailure } from '../../../http/params.ts'
import type { InvalidParam } from '../../../http/route.ts'
import type { EventValues } from '../../../model/event.ts'
import type { ImageRef } from '../../../model/kinds/image.ts'
import type { TermRef } from '../../../model/kinds/term-list.ts'
import type { Site } from '../../../model/site.ts'
import type { OrganizerContent } from '../../organizers/index.ts'
import type { FetchedImages } from '../../shared/image.ts'
import type { LinkedDraft } from '../../shared/linked/row.ts'
import type { VenueContent } from '../../venues/index.ts'
import type { Lookups } from '../show/load.ts'
import type { EventTimes } from './rules.ts'

/** A venue or organizer to link: one that exists, or the draft of a new one with its image. */
export type LinkTarget<Draft> =
  | { readonly by: 'id'; readonly id: number }
  | { readonly by: 'data'; readonly draft: Draft; readonly image: ImageRef | undefined }

/** A write of an event with everything resolved that does not need the transaction. */
export interface EventChange {
  readonly values: EventValues
  /** Links to store; undefined where none were sent. */
  readonly venue: readonly LinkTarget<LinkedDraft<VenueContent>>[] | undefined
  readonly organizer: readonly LinkTarget<LinkedDraft<OrganizerContent>>[] | undefined
  /** By text are only names of terms that do not exist yet. */
  readonly category: readonly TermRef[] | undefined
  readonly tag: readonly TermRef[] | undefined
  /** The times of the event, provided that the stored ones are still the same; undefined when they were refused. */
  readonly times: { readonly over: EventTimes | undefined; readonly times: EventTimes } | undefined
}

/**
 * Hash of the password to set, null to clear it, undefined to leave it. Computed outside the transaction, because that
 * takes long, and only for those who may write.
 */
export type PasswordChange = string | null | undefined

/** Who writes, when and where. */
export interface Writing {
  readonly caller: Caller
  /** The present moment, Unix milliseconds, and the same as UTC text. */
  readonly now: number
  readonly at: string
  /** Years for which the dates of rules without end are held. */
  readonly recurrenceYears: number
  readonly site: Site
  readonly lookups: Lookups
  readonly password: PasswordChange
  readonly fetched: FetchedImages
}

/** A parameter that was valid when the request was read and no longer is: another write came first. */
export function staleParameter(name: string, reason: InvalidParam['reason']): Error {
  return refusedFailure([{ name, code: 'rest_invalid_param', reason }], [name], 'en')
}
