import type { ImportCounts, ImportedKind, Skipped } from '../../types.ts'

/** How a site is to be imported. */
export interface SiteImportInput {
  /** Address of a page of the site, or of its API; credentials may stand in it. */
  readonly address: string
  /** Address of its API, which is asked for instead of what the page names. */
  readonly api?: string | undefined
  /** Name of a user of the site, with an application password; anonymous if absent. */
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** User here who owns what no other user does; the first administrator if absent. */
  readonly author?: string | undefined
  /** Most requests a second; 0 for no limit. */
  readonly rate: number
  /** Most requests at the same time. */
  readonly concurrency: number
  /** Milliseconds of the first pause after a failure, the next ones being longer; 250 if absent. */
  readonly backoff?: number | undefined
  /** What becomes of items that the site has no more; categories and tags, which have no trash, are deleted. */
  readonly vanished: 'keep' | 'trash'
  /** Only says what would be done. */
  readonly dryRun: boolean
  /** Private addresses and networks that may be asked. */
  readonly allow: readonly string[]
}

/** A user whom an import created, who cannot sign in before someone enables it. */
export interface MadeUser {
  readonly id: number
  readonly name: string
  readonly role: string
}

/** What became of the items of a kind. */
export interface KindCount extends ImportCounts {
  /** On the site; dates that share an event count once. */
  readonly found: number
}

/** What became of images. */
export interface ImageCounts {
  readonly found: number
  readonly fetched: number
  readonly shared: number
  readonly known: number
}

/** What an import of a site did, or would do. */
export interface SiteReport {
  /** Address of the API that was read. */
  readonly api: string
  /** Whether everything that the site claims to have was read. */
  readonly complete: boolean
  readonly dryRun: boolean
  readonly counts: Readonly<Record<ImportedKind, KindCount>>
  readonly pictures: ImageCounts
  /** Images inside descriptions that lie at the site, which descriptions continue naming as before. */
  readonly shown: ImageCounts
  /** Redirects from the paths that images had at the site to those here, beside those that were here. */
  readonly redirects: number
  readonly users: { readonly found: number; readonly created: number; readonly made: readonly MadeUser[] }
  /** Items that the site has no more, as `event 12`; `[]` when none. */
  readonly vanished: readonly string[]
  /** Items that were left out, and why; `[]` for none. */
  readonly skipped: readonly Skipped[]
  /** What was changed on the way, or left out of an item; `[]` for nothing. */
  readonly notes: readonly Skipped[]
  readonly requests: number
}

/** Imports a site. @throws site_not_found, site_refuses, no_such_user, no_administrator, import_running */
export type SiteImport = (
  input: SiteImportInput,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void,
) => Promise<SiteReport>
