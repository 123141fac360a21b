/**
 * What happened to an item. `trash` and `restore` are changes of status with their own name. `delete` is permanent, but a
 * category or tag may be taken back soon after, which is `restore`, too. `extend` is no change by anyone: a series has got
 * further dates because time has passed, and its revision stays.
 */
export type JournalAction = 'create' | 'update' | 'trash' | 'restore' | 'delete' | 'extend'

/** The effect of an event change on responses about other items. */
export interface ChangeEffect {
  /** Items whose event count it has changed, and terms without a published event that it has gained or lost. */
  readonly recounted: readonly { readonly resource: string; readonly id: number }[]
  /** Whether public lists may have gained, lost or reordered events. */
  readonly isRelisted: boolean
}

/**
 * One change as whoever makes it reports it; its effect is passed to listeners but not stored, and absent where it is
 * unknown.
 */
export interface Change extends Partial<ChangeEffect> {
  /** User who caused it; null for the program itself, such as scheduled publication. */
  readonly actor: number | null
  /** `event`, `venue`, `organizer`, `category`, `tag`, `media`, `user`. */
  readonly resource: string
  readonly id: number
  /** The item's revision after the change: 1 when it was created, then one more each time but for `extend`. */
  readonly revision: number
  readonly action: JournalAction
  /** Moment of the change, UTC text `YYYY-MM-DD HH:MM:SS`. */
  readonly at: string
  /** The row after the change, without secrets; null after `delete`. Kept as JSON. */
  readonly snapshot: object | null
}

/** One change as stored in the journal. */
export interface JournalEntry extends Change {
  /** 1, 2, 3 ... in commit order, without gaps. */
  readonly seq: number
  /** See `JournalTable.agent`; absent where nobody asks for it. */
  readonly agent?: string | null
  /** Present if another process made the change: then its effect is unknown. */
  readonly elsewhere?: true
}
