import type { DateValue } from '../../../model/kinds/date.ts'
import type { ImageRef } from '../../../model/kinds/image.ts'
import type { Reason } from '../../../model/kinds/kind.ts'
import type { Status } from '../../../model/status.ts'
import type { LinkedColumns } from '../../../storage/schema.ts'

/** The resources that events are linked to as places and people. */
export type LinkedKey = 'venue' | 'organizer'

/** What people write about every linked item. A module's own content adds its columns. */
export type LinkedContent = Pick<LinkedColumns, 'name' | 'description' | 'phone' | 'website'>

/** The columns of a linked item that are not its content. */
export type LinkedFrame = Omit<LinkedColumns, keyof LinkedContent>

/** A row of a module with this content. */
export type LinkedRow<Content extends LinkedContent = LinkedContent> = LinkedFrame & Content

/** A row to be added: the ID, the revision and the folded name are found for it; a slug of '' is made from the name. */
export type NewLinked<Content extends LinkedContent> = Omit<LinkedFrame, 'id' | 'revision' | 'name_folded'> & Content

/** The sent values that linked items and events treat alike; each is absent when it was not sent. */
export interface EntryValues {
  readonly author?: number
  readonly date?: DateValue
  readonly date_utc?: DateValue
  readonly status?: Status
  readonly image?: ImageRef
  /** Only of requests that may name it. */
  readonly slug?: string
  /** Clean HTML; only of requests that may name it. */
  readonly excerpt?: string
}

/** What was sent for a linked item, as columns where it is content. */
export interface LinkedDraft<Content extends LinkedContent> {
  readonly entry: EntryValues
  /** Only the columns that were sent. */
  readonly content: Partial<Content>
}

/** A field that was sent and does not fit to the others. */
export interface ConflictingField {
  readonly name: string
  readonly reason: Reason
  /** The other field: when that one was refused, this one is not to blame. */
  readonly detail: string
}
