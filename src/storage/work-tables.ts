/** Something that takes long and continues while nobody waits for it, and its report afterwards. */
export interface LongWorkTable {
  id: number
  /** What is done: `file-import`, `site-import`, `backup` or `bulk`. */
  kind: string
  /** Of the work with the same text here only one continues at a time. */
  lane: string
  /** `running`, `done`, `stopped` by someone, `failed`, or `lost` with the process that did it. */
  state: string
  /** The user who started it; 0 and '' for nobody. */
  by_id: number
  by_name: string
  /** What was asked for: JSON, its shape depends on `kind`. */
  about: string
  /** What was dealt with, and all of it; 0 and 0 while that is unknown. */
  done: number
  total: number
  started_at: string
  /** When its process last renewed it. */
  seen_at: string
  /** UTC; null while it is running, and where nobody knows. */
  ended_at: string | null
  /** 1 when someone wants it to stop. */
  is_stopping: number
  /** The work that this one continues or takes back; 0 for none. */
  follows: number
  /** What came of it: JSON, its shape depends on `kind`; null before the end. */
  outcome: string | null
  /** Why it failed: JSON with `code` and `slots`; null where it did not. */
  problem: string | null
}

/** An item that a bulk change is about. */
export interface LongWorkItemTable {
  work_id: number
  /** 0, 1, 2 ... in the order in which they are changed. */
  position: number
  item_id: number
  /** Status when it was chosen. */
  status: string
  /** Which dates of a series are meant: `this`, `all`, or ''. */
  scope: string
  /** '' while it waits, `done`, `same` where nothing had to be changed, or `refused`. */
  state: string
  /** Plain text, of refused values; '' otherwise. */
  title: string
  /** Why it was refused: JSON with `code` and `slots`; null where it was not. */
  problem: string | null
}
