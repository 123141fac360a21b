/** What happened to an item. `delete` is for good; `trash` and `restore` are changes of status with their own name. */
export type JournalAction = 'create' | 'update' | 'trash' | 'restore' | 'delete'

/** What a change of an event means to what was made of others. */
export interface ChangeEffect {
  /** Items whose count of events it has altered, and terms without a published event that it has taken up or left. */
  readonly recounted: readonly { readonly resource: string; readonly id: number }[]
  /** Whether lists that everybody sees may hold other events now, or in another order. */
  readonly isRelisted: boolean
}

/** One change as a room reports it; what it means is told to listeners and not kept, and absent where it may mean anything. */
export interface Change extends Partial<ChangeEffect> {
  /** User who caused it; null for the program itself, such as scheduled publication. */
  readonly actor: number | null
  /** `event`, `venue`, `organizer`, `category`, `tag`, `media`, `user`. */
  readonly resource: string
  readonly id: number
  /** The item's revision after the change: 1 when it was created, then one more each time. */
  readonly revision: number
  readonly action: JournalAction
  /** Moment of the change, UTC text `YYYY-MM-DD HH:MM:SS`. */
  readonly at: string
  /** The row after the change, without secrets; null after `delete`. Kept as JSON. */
  readonly snapshot: object | null
}

/** One change as the journal keeps it. */
export interface JournalEntry extends Change {
  /** 1, 2, 3 ... in commit order, without gaps. */
  readonly seq: number
  /** Present where another process has made the change: then nobody has told what it means. */
  readonly elsewhere?: true
}
