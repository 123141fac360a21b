/** Imports a whole site that speaks the same interface, by its address (moving: From a site). */

import { join } from 'node:path'
import { fail } from '../../../base/errors.ts'
import { addressGate } from '../../../base/outgoing/addresses.ts'
import { mayGoTo } from '../../../base/outgoing/credentials.ts'
import { utcFromMillis } from '../../../base/time/zones.ts'
import { leaveRoom } from '../../../storage/identifiers.ts'
import { type Access, findAccess } from '../readers/site/access.ts'
import { discover, type SiteApi } from '../readers/site/discover.ts'
import { type EnteredSite, enteredSite } from '../readers/site/entered.ts'
import { shownNotes } from '../readers/site/shown-images.ts'
import { openSiteClient, type SiteClient } from '../readers/site/site-client.ts'
import { readSite, type Stage } from '../readers/site/stage.ts'
import type { SiteImport, SiteImportInput, SiteReport } from '../readers/site/types.ts'
import type { Skipped } from '../types.ts'
import { type Authors, findAuthors, keepAuthors } from './authors.ts'
import { comparedAccess } from './compared-access.ts'
import { type ImportDeps, importItems, ownerOf } from './import-items.ts'
import { type ImportResult, importStage } from './import-stage.ts'
import type { OriginContext } from './outcome.ts'
import { type KeepRedirects, keepOldPaths, type OldPaths } from './redirects.ts'
import { type AdoptImage, fetchImages, type SiteImages } from './site-images.ts'
import { keepMade, provenanceOf, putProvenance, storeProvenance } from './store-items.ts'
import { idsOfKind } from './store-origins.ts'
import { findVanished } from './vanished-at-site.ts'

/** What the import of a site works with. */
export interface SiteImportDeps extends ImportDeps {
  readonly adoptImage: AdoptImage
  /** Most bytes of an image. */
  readonly imageLimit: number
  /** Has paths of the site lead to its images here. */
  readonly keepRedirects: KeepRedirects
  /** Data folder. */
  readonly folder: string
  /** Private addresses and networks that may be asked. */
  readonly fetchAllow: readonly string[]
}

/** Milliseconds: the first pause after a failure, and the time of the first try. */
const BACKOFF = 250
const PATIENCE = 15_000

/** Opens the import of sites; one at a time runs in a process. */
export function openSiteImport(deps: SiteImportDeps): SiteImport {
  let isRunning = false
  return async (input, onProgress) => {
    if (isRunning) throw fail('import_running')
    const entered = enteredSite(input)
    isRunning = true
    const { rate, concurrency, backoff = BACKOFF } = input
    const gate = addressGate([...deps.fetchAllow, ...input.allow])
    const { address: home } = entered
    const client = openSiteClient({ gate, rate, concurrency, now: deps.now, backoff, patience: PATIENCE, home })
    const folder = join(deps.folder, 'site-import')
    try {
      return await importSite(deps, { input, entered, client, folder, onProgress })
    } finally {
      isRunning = false
      client.close()
    }
  }
}

interface Running {
  readonly input: SiteImportInput
  readonly entered: EnteredSite
  readonly client: SiteClient
  readonly folder: string
  readonly onProgress: Parameters<SiteImport>[1]
}

/** What is known once the site was found. */
interface Found extends Running {
  readonly owner: number
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly access: Access
  readonly progress: Steps
}

async function importSite(deps: SiteImportDeps, running: Running): Promise<SiteReport> {
  const { input, entered, client } = running
  const owner = await ownerOf(deps, input.author)
  const api = await discover(client, entered)
  const shown = await findAccess(client, api, entered)
  const authorization = mayGoTo(api.root, entered.address) ? entered.authorization : undefined
  const access = await comparedAccess(deps.storage, { api, access: shown, input })
  const progress = new Steps(running.onProgress)
  const found: Found = { ...running, owner, api, authorization, access, progress }
  const onItems = (known: number, total: number): void => progress.reading(known, total)
  const stage = await readSite({ ...found, concurrency: input.concurrency, onItems })
  try {
    return await importAll(deps, found, stage)
  } finally {
    await stage.close()
  }
}

/** IDs behind the highest one of a site that nothing here takes: what the site makes until the next import keeps its own. */
const ROOM = 10_000

async function importAll(deps: SiteImportDeps, found: Found, stage: Stage): Promise<SiteReport> {
  const { input, api, access, progress } = found
  const { spools, events } = stage
  const { storage, lookups } = deps
  const items =
    events.size + [spools.category, spools.tag, spools.venue, spools.organizer].reduce((sum, { size }) => sum + size, 0)
  progress.importing(items + stage.pictures.size + stage.shown.own.size)
  const highest = [stage.highestId, stage.highestId + ROOM]
  if (!input.dryRun) await storage.write((tx) => leaveRoom(tx, 'entry', highest))
  const authors = await authorsOf(deps, found, stage)
  const pictures = await imagesOf(deps, found, { wanted: stage.pictures })
  const shown = await shownOf(deps, found, stage)
  const paths = await oldPathsOf(deps, found, { stage, pictures: [pictures, shown] })
  const imported = await importStaged(deps, found, { stage, authors, pictures })
  // What could not be read may be theirs.
  const isDone = stage.incomplete.size === 0
  if (!input.dryRun) await keepAuthors(storage, authors, { origin: api.root, isDone })
  const holding = { now: deps.now(), recurrenceYears: deps.recurrenceYears }
  const cause = { actor: found.owner, at: utcFromMillis(deps.now()) }
  const vanished = await findVanished({ ...found, storage, lookups, stage, holding, cause })
  progress.end()
  const notes = [
    ...(access.problem === '' ? [] : [{ what: api.root, why: access.problem }]),
    ...shownNotes(stage.shown, api),
  ]
  const skipped = [
    ...notes,
    ...stage.skipped,
    ...authors.skipped,
    ...pictures.skipped,
    ...shown.skipped,
    ...paths.skipped,
    ...imported.skipped,
    ...vanished.skipped,
  ]
  return reportOf(found, stage, { authors, pictures, shown, paths, imported, vanished: vanished.items, skipped })
}

interface Outcome {
  readonly authors: Authors
  readonly pictures: SiteImages
  readonly shown: SiteImages
  readonly paths: OldPaths
  readonly imported: ImportResult
  readonly vanished: readonly string[]
  readonly skipped: readonly Skipped[]
}

function reportOf(
  { api, input, client }: Found,
  stage: Stage,
  { authors, pictures, shown, paths, imported, vanished, skipped }: Outcome,
): SiteReport {
  return {
    api: api.root,
    complete: stage.incomplete.size === 0,
    dryRun: input.dryRun,
    counts: imported.counts,
    pictures: { found: stage.pictures.size, ...countsOf(pictures) },
    shown: { found: stage.shown.own.size, ...countsOf(shown) },
    redirects: paths.added,
    users: { found: authors.found, created: authors.created, made: authors.made },
    vanished,
    skipped,
    requests: client.sent(),
  }
}

function countsOf({ fetched, shared, known }: SiteImages): Pick<SiteImages, 'fetched' | 'shared' | 'known'> {
  return { fetched, shared, known }
}

async function authorsOf(
  deps: SiteImportDeps,
  { api, client, authorization, input }: Found,
  stage: Stage,
): Promise<Authors> {
  const { storage } = deps
  const provenance = await provenanceOf(storage, api.root, 'user')
  const book = { storage, now: deps.now, secret: deps.secret }
  const asked = { book, client, api, authorization, wanted: stage.authors, provenance, isDryRun: input.dryRun }
  const authors = await findAuthors(asked)
  if (!input.dryRun) await keepAuthors(storage, authors, { origin: api.root, isDone: false })
  return authors
}

async function imagesOf(
  deps: SiteImportDeps,
  found: Found,
  { wanted, alts = new Map() }: { readonly wanted: Stage['pictures']; readonly alts?: Stage['shown']['own'] },
): Promise<SiteImages> {
  const { storage } = deps
  const { api, client, authorization, input, owner, progress } = found
  const origin = api.root
  const provenance = await provenanceOf(storage, origin, 'picture')
  return fetchImages(wanted, {
    adopt: deps.adoptImage,
    client,
    api,
    authorization,
    concurrency: input.concurrency,
    limit: deps.imageLimit,
    owner,
    provenance,
    isHere: (ids) => idsOfKind(storage, 'media', ids),
    note: (tx, key, { item_id, digest }) => putProvenance(tx, { origin, kind: 'picture', key, item_id, digest }),
    keep: (key, { item_id, digest }) => storeProvenance(storage, [{ origin, kind: 'picture', key, item_id, digest }]),
    alts,
    isDryRun: input.dryRun,
    onImage: () => progress.imported(1),
  })
}

/** Fetches what descriptions show; what is fetched for items already is not again. */
async function shownOf(deps: SiteImportDeps, found: Found, { shown }: Stage): Promise<SiteImages> {
  const wanted = new Map([...shown.own.keys()].map((address) => [address, undefined]))
  return imagesOf(deps, found, { wanted, alts: shown.own })
}

async function oldPathsOf(
  { storage, keepRedirects }: SiteImportDeps,
  { api, input }: Found,
  { stage, pictures }: { readonly stage: Stage; readonly pictures: readonly SiteImages[] },
): Promise<OldPaths> {
  if (input.dryRun) return { added: 0, skipped: [] }
  return keepOldPaths({ reader: storage, api, keepRedirects, sizes: stage.sizes }, pictures)
}

interface Staged {
  readonly stage: Stage
  readonly authors: Authors
  readonly pictures: SiteImages
}

async function importStaged(
  deps: SiteImportDeps,
  found: Found,
  { stage, authors, pictures }: Staged,
): Promise<ImportResult> {
  const { storage, site } = deps
  const { api, input, owner, progress } = found
  const host = new URL(api.root).hostname
  const terms = {
    category: await provenanceOf(storage, api.root, 'category'),
    tag: await provenanceOf(storage, api.root, 'tag'),
  }
  const back = new Set<string>()
  const ownerOnly = new Set<string>()
  const origin: OriginContext = {
    isBack: (globalId) => back.has(globalId),
    isOwnerOnly: (globalId) => ownerOnly.has(globalId),
    authors: authors.ids,
    freshAuthors: authors.fresh,
    pictures: pictures.ids,
    termOf: (kind, idThere) => terms[kind].get(String(idThere))?.item_id,
    keepMade: (tx, made) => keepMade(tx, { origin: api.root, ...made }),
  }
  return importStage({
    storage,
    stage,
    facts: { zone: api.zone ?? site.zone },
    origin: api.root,
    host,
    pictures: pictures.ids,
    freshAuthors: authors.fresh,
    importItems: (items, known) => importItems(deps, { items, known, owner, origin }),
    isHere: (kind, ids) => idsOfKind(storage, kind, ids),
    isDryRun: input.dryRun,
    onItems: (count) => progress.imported(count),
    onBack: (globalId) => void back.add(globalId),
    onOwnerOnly: (name) => void ownerOnly.add(name),
  })
}

/** How far an import is: items that were read, then items and images that were imported. */
class Steps {
  readonly #tell: Running['onProgress']
  #done = 0
  #total = 0

  constructor(tell: Running['onProgress']) {
    this.#tell = tell
  }

  reading(known: number, total: number): void {
    this.#tell({ done: Math.min(known, Math.max(total - 1, 0)), total })
  }

  importing(total: number): void {
    this.#done = 0
    this.#total = total
  }

  imported(count: number): void {
    this.#done += count
    if (this.#done < this.#total) this.#tell({ done: this.#done, total: this.#total })
  }

  end(): void {
    if (this.#total > 0) this.#tell({ done: this.#total, total: this.#total })
  }
}
