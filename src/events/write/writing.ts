import type { Caller } from '../../auth/caller.ts'
import { hashEntryPassword } from '../../auth/entry-password.ts'
import type { FetchedPictures } from '../../entries/image.ts'
import type { LinkedDraft } from '../../entries/linked/row.ts'
import type { ImageRef } from '../../fields/image.ts'
import { REASONS } from '../../fields/kind.ts'
import { refusedFailure } from '../../http/params.ts'
import type { Refusal } from '../../http/route.ts'
import type { EventValues } from '../../model/event.ts'
import type { Site } from '../../model/site.ts'
import type { OrganizerContent } from '../../organizers/index.ts'
import type { VenueContent } from '../../venues/index.ts'
import type { Lookups } from '../show/load.ts'
import type { EventTimes } from './rules.ts'

/** A venue or organizer to link: one that exists, or the draft of a new one with its picture. */
export type LinkTarget<Draft> =
  | { readonly by: 'id'; readonly id: number }
  | { readonly by: 'data'; readonly draft: Draft; readonly image: ImageRef | undefined }

/** A write of an event with everything resolved that does not need the transaction. */
export interface EventChange {
  readonly values: EventValues
  /** Links to store; undefined where none were sent. */
  readonly venue: readonly LinkTarget<LinkedDraft<VenueContent>>[] | undefined
  readonly organizer: readonly LinkTarget<LinkedDraft<OrganizerContent>>[] | undefined
  /** When the event takes place, as long as what is stored of that stays as it was; undefined when it was refused. */
  readonly times: { readonly over: EventTimes | undefined; readonly times: EventTimes } | undefined
}

/**
 * Hash of the password to set, null to clear it, undefined to leave it. Made outside the transaction, because it takes
 * long, and only for those who may write.
 */
export type PasswordChange = string | null | undefined

/** What the values of a write say of the password; `salt` is that of the site, see `entryPasswordSalt`. */
export async function passwordChangeOf(values: EventValues, salt: Buffer): Promise<PasswordChange> {
  if (values.password === undefined) return undefined
  return values.password === '' ? null : hashEntryPassword(values.password, salt)
}

/** Who writes, when and where. */
export interface Writing {
  readonly caller: Caller
  readonly now: number
  readonly site: Site
  readonly lookups: Lookups
  readonly password: PasswordChange
  readonly brought: FetchedPictures
}

/** A parameter that was in order when the request was read and no longer is: another write came first. */
export function overtaken(name: string, reason: Refusal['reason']): Error {
  return refusedFailure([{ name, code: 'rest_invalid_param', reason }], [name], (key) => REASONS[key])
}
