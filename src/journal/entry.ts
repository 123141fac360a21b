/** What happened to an item. `delete` is for good; `trash` and `restore` are changes of status with their own name. */
export type JournalAction = 'create' | 'update' | 'trash' | 'restore' | 'delete'

/** Where the lists that everybody sees have an event. */
export interface Place {
  /** Begin and end on its own clock, `YYYY-MM-DD HH:MM:SS`. */
  readonly start: string
  readonly end: string
  /** Publication, UTC text: it decides the order of events that begin together. */
  readonly published: string
  /** All that has it on its list, as `kind:id`, each once. */
  readonly targets: readonly string[]
}

/** Where lists had an event and where they have it now; undefined where no list has it that everybody sees. */
export interface Move {
  readonly before: Place | undefined
  readonly after: Place | undefined
}

/** What a change of an event means to what was made of others. */
export interface Meaning {
  /** Items whose count of events it has altered, and terms without a published event that it has taken up or left. */
  readonly recounted: readonly { readonly resource: string; readonly id: number }[]
  readonly move: Move
}

/** One change as a room reports it; what it means is told to listeners and not kept, and absent where it may mean anything. */
export interface Change extends Partial<Meaning> {
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
