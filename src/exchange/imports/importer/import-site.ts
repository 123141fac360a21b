/** Imports a whole site that speaks the same interface, by its address (moving: From a site). */

import { join } from 'node:path'
import { fail } from '../../../base/errors.ts'
import { addressGate } from '../../../base/outgoing/addresses.ts'
import { mayGoTo } from '../../../base/outgoing/credentials.ts'
import { utcFromMillis } from '../../../base/time/zones.ts'
import { leaveRoom } from '../../../storage/identifiers.ts'
import { type Access, findAccess } from '../readers/site/access.ts'
import { discover, type EnteredSite, enteredSite, type SiteApi } from '../readers/site/discover.ts'
import { shownNotes } from '../readers/site/shown-images.ts'
import { openSiteClient, type SiteClient } from '../readers/site/site-client.ts'
import { readSite, type Stage } from '../readers/site/stage.ts'
import type { SiteImport, SiteImportInput, SiteReport } from '../readers/site/types.ts'
import { reported } from '../types.ts'
import { type Authors, findAuthors, keepAuthors } from './authors.ts'
import type { AdoptImage, ImportedImages } from './images.ts'
import { type ImportDeps, ownerOf } from './import-items.ts'
import { importStage } from './import-stage.ts'
import { type KeepRedirects, keepOldPaths, type OldPaths } from './redirects.ts'
import { fetchSiteImages } from './site-images.ts'
import { provenanceOf } from './store-items.ts'
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
}

async function importSite(deps: SiteImportDeps, running: Running): Promise<SiteReport> {
  const { input, entered, client, onProgress } = running
  const owner = await ownerOf(deps, input.author)
  const api = await discover(client, entered)
  const access = await findAccess(client, api, entered)
  const authorization = mayGoTo(api.root, entered.address) ? entered.authorization : undefined
  const found: Found = { ...running, owner, api, authorization, access }
  const onItems = (known: number, total: number): void =>
    onProgress({ done: Math.min(known, Math.max(total - 1, 0)), total })
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
  const { input, api, access, owner, client } = found
  const { storage } = deps
  const step = stepsOf(found, stage)
  const highest = [stage.highestId, stage.highestId + ROOM]
  if (!input.dryRun) await storage.write((tx) => leaveRoom(tx, 'entry', highest))
  const authors = await authorsOf(deps, found, stage)
  const fetched = (wanted: Stage['pictures'], alts?: Stage['shown']['own']): Promise<ImportedImages> =>
    fetchSiteImages(wanted, {
      ...{ ...found, storage, adoptImage: deps.adoptImage, limit: deps.imageLimit, concurrency: input.concurrency },
      ...{ isDryRun: input.dryRun, onImage: () => step(1), ...(alts && { alts }) },
    })
  const pictures = await fetched(stage.pictures)
  // What is fetched for items already is not again.
  const own = stage.shown.own
  const shown = await fetched(new Map([...own.keys()].map((address) => [address, undefined])), own)
  const paths = await oldPathsOf(deps, found, { stage, pictures: [pictures, shown] })
  const imported = await importStage(deps, {
    ...{ stage, api, owner, authors: authors.ids, pictures: pictures.ids, isDryRun: input.dryRun, onItems: step },
  })
  const holding = { now: deps.now(), recurrenceYears: deps.recurrenceYears }
  const cause = { actor: owner, at: utcFromMillis(deps.now()) }
  const vanished = await findVanished({ ...found, storage, stage, holding, cause })
  const denied = access.problem === '' ? [] : [{ what: api.root, why: access.problem }]
  const { skipped, notes } = reported([
    ...[...shownNotes(stage.shown, api), ...stage.skipped, ...authors.skipped],
    ...[...paths.skipped, ...imported.skipped],
  ])
  return {
    api: api.root,
    complete: stage.incomplete.size === 0,
    dryRun: input.dryRun,
    counts: imported.counts,
    pictures: countsOf(stage.pictures.size, pictures),
    shown: countsOf(own.size, shown),
    redirects: paths.added,
    users: { found: authors.found, created: authors.created, made: authors.made },
    vanished,
    skipped,
    notes: [...denied, ...notes, ...pictures.notes, ...shown.notes],
    requests: client.sent(),
  }
}

/** Tells after each step, so many images or items, how far an import is. */
function stepsOf({ onProgress }: Found, { spools, events, pictures, shown }: Stage): (count: number) => void {
  const linked = [spools.category, spools.tag, spools.venue, spools.organizer]
  const items = events.size + linked.reduce((sum, { size }) => sum + size, 0)
  const total = items + pictures.size + shown.own.size
  let done = 0
  return (count) => {
    done = Math.min(done + count, total)
    onProgress({ done, total })
  }
}

function countsOf(found: number, { fetched, shared, known }: ImportedImages): SiteReport['pictures'] {
  return { found, fetched, shared, known }
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
  if (!input.dryRun) await keepAuthors(storage, authors, api.root)
  return authors
}

async function oldPathsOf(
  { storage, keepRedirects }: SiteImportDeps,
  { api, input }: Found,
  { stage, pictures }: { readonly stage: Stage; readonly pictures: readonly ImportedImages[] },
): Promise<OldPaths> {
  if (input.dryRun) return { added: 0, skipped: [] }
  return keepOldPaths({ reader: storage, api, keepRedirects, sizes: stage.sizes }, pictures)
}
