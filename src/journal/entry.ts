/** What happened to an item. `delete` is for good; `trash` and `restore` are changes of status with their own name. */
export type JournalAction = 'create' | 'update' | 'trash' | 'restore' | 'delete'

/** One change as a room reports it. */
export interface Change {
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
  /** Items whose count of events the change has altered; told to listeners and not kept. */
  readonly recounted?: readonly { readonly resource: string; readonly id: number }[]
}

/** One change as the journal keeps it. */
export interface JournalEntry extends Change {
  /** 1, 2, 3 ... in commit order, without gaps. */
  readonly seq: number
}
