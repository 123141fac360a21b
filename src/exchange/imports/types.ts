/** A file to import, read already: the server that imports it may not be allowed to read it. */
export interface JsonFile {
  /** For messages. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Something that was left out. */
export interface Skipped {
  /** Names it by its place: `june.json: events[3].tags[0]`. */
  readonly what: string
  /** The reason in a few words. */
  readonly why: string
  /** Title of the item; absent where the place says enough. */
  readonly title?: string
  /** Whether the same import may add it later, although its input has not changed; absent if not. */
  readonly isForNow?: true
}

/** Kinds of items that an import counts. */
export type ImportedKind = 'category' | 'tag' | 'venue' | 'organizer' | 'event'

/** What became of items, each once. */
export interface ImportCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

/** What an import did; the numbers count items of all kinds together, `counts` those of each kind. */
export interface ImportReport extends ImportCounts {
  readonly counts: Readonly<Record<ImportedKind, ImportCounts>>
  /** `[]` when nothing was left out. */
  readonly skipped: readonly Skipped[]
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
