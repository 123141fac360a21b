/** A file to import, read already: the server that imports it may not be allowed to read it. */
export interface JsonFile {
  /** For messages. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** An item that was left out, or a note on one that was not. */
export interface Skipped {
  /** Names it by its place: `june.json: events[3].tags[0]`. */
  readonly what: string
  /** The reason in a few words. */
  readonly why: string
  /** Title of the item; absent where the place says enough. */
  readonly title?: string
  /** Whether the same import may add it later, although its input has not changed; absent if not. */
  readonly isForNow?: true
  /** Whether the item is imported all the same, without a value or with another one; absent where it is left out. */
  readonly isNote?: true
}

/** Kinds of items that an import counts. */
export type ImportedKind = 'category' | 'tag' | 'venue' | 'organizer' | 'event'

const KINDS: readonly ImportedKind[] = ['category', 'tag', 'venue', 'organizer', 'event']

/** A value for each kind of items. */
export function eachKind<Value>(of: (kind: ImportedKind) => Value): Record<ImportedKind, Value> {
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<ImportedKind, Value>
}

/** What became of items, each once. */
export interface ImportCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

/** What an import did; the numbers count items of all kinds together, `counts` those of each kind. */
export interface ImportReport extends ImportCounts {
  readonly counts: Readonly<Record<ImportedKind, ImportCounts>>
  /** Items that were left out; `[]` for none. */
  readonly skipped: readonly Skipped[]
  /** What was read differently, left out of an item, or stays because it was changed here; `[]` for nothing. */
  readonly notes: readonly Skipped[]
}

/** What a report says of items that were left out, and of values: no one else reads which is which. */
export function reported(all: readonly Skipped[]): Pick<ImportReport, 'skipped' | 'notes'> {
  const [skipped, notes]: [Skipped[], Skipped[]] = [[], []]
  for (const { isNote, ...one } of all) (isNote === true ? notes : skipped).push(one)
  return { skipped, notes }
}

/** How an import is to be done. */
export interface ImportOptions {
  /** Name of the user who gets the items; the first administrator when undefined. */
  readonly author: string | undefined
  /** Called after every step with the number of items dealt with and of all items. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

/**
 * Imports recorded files: all of them, or nothing when one of them is broken.
 * @throws no_such_user, no_administrator, recorded_not_json, recorded_not_usable
 */
export type JsonImport = (files: readonly JsonFile[], options: ImportOptions) => Promise<ImportReport>
