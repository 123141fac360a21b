import { createHash } from 'node:crypto'
import { Failure } from '../../../base/errors.ts'
import { withValues } from '../../../base/i18n/translate.ts'
import type { AddressGate } from '../../../base/outgoing/addresses.ts'
import { sendRequest, type Unanswered } from '../../../base/outgoing/request.ts'
import { utcFromMillis } from '../../../base/time/zones.ts'
import type { Storage } from '../../../storage/engine.ts'
import { forEachAtOnce } from '../readers/site/pace.ts'
import type { Skipped } from '../types.ts'
import type { ImportDeps } from './import-items.ts'
import type { PlannedEvent } from './planned.ts'
import type { AdoptImage, ImageToAdopt } from './site-images.ts'
import {
  deleteProvenance,
  keepLatest,
  type Provenance,
  provenanceOf,
  putProvenance,
  storeProvenance,
} from './store-items.ts'
import { idsOfKind } from './store-origins.ts'

/** What calendars are imported with: besides, what fetches and stores the images that they name. */
export interface CalendarDeps extends ImportDeps {
  /** Which addresses may be connected to. */
  readonly gate: AddressGate
  readonly adoptImage: AdoptImage
  /** Most bytes of an image. */
  readonly imageLimit: number
}

/** What fetching images needs. */
interface ImageDeps extends Pick<CalendarDeps, 'storage' | 'now' | 'gate' | 'adoptImage' | 'imageLimit'> {
  /** User who owns the images. */
  readonly owner: number
  /** Ends it early. */
  readonly ends: AbortSignal | undefined
}

/** The images that events name and that are here. */
export interface CalendarImages {
  /** IDs by address. */
  readonly ids: ReadonlyMap<string, number>
  /** Those that could not be had. */
  readonly skipped: readonly Skipped[]
  /** How many of them may be had soon; those that were asked for in vain too often count no more. */
  readonly later: number
}

/** Whose images these are in the table of what was imported: those of all calendars together. */
const ORIGIN = 'calendars'
/** Kind of the addresses that were asked for in vain; their `item_id` counts how often, their `digest` is the last time. */
const FAILED = 'picture-failed'
/** Most of them that are stored: the latest. */
const MOST_FAILED = 5_000

/** Bounds of one import: images, their bytes, milliseconds for all and for each, and imports that ask for one in vain. */
const MOST = { pictures: 2_000, bytes: 1024 ** 3, time: 600_000, patience: 20_000, atOnce: 4, failures: 8 } as const

/** Fetches the images that events name and that are not here yet, each content once. */
export async function fetchCalendarImages(deps: ImageDeps, events: readonly PlannedEvent[]): Promise<CalendarImages> {
  const wanted = addressesIn(events)
  if (wanted.size === 0) return { ids: new Map(), skipped: [], later: 0 }
  const { storage } = deps
  const provenance = await provenanceOf(storage, ORIGIN, 'picture')
  const here = await idsOfKind(
    storage,
    'media',
    [...provenance.values()].map(({ item_id }) => item_id),
  )
  const ids = new Map<string, number>()
  const byContent = new Map<string, Promise<Found>>()
  for (const [address, { item_id: id, digest }] of provenance) {
    if (!here.has(id)) continue
    if (wanted.has(address)) ids.set(address, id)
    byContent.set(digest, Promise.resolve({ ok: true, id }))
  }
  const skipped: Skipped[] = []
  const missing = [...wanted].filter((address) => !ids.has(address))
  const failed = await provenanceOf(storage, ORIGIN, FAILED)
  const known = { storage, provenance, failed, wanted }
  const ends = AbortSignal.any([AbortSignal.timeout(MOST.time), ...(deps.ends === undefined ? [] : [deps.ends])])
  const budget = { pictures: MOST.pictures, bytes: MOST.bytes, ends }
  const fetching = { ...deps, byContent, budget }
  let later = 0
  await forEachAtOnce(missing, MOST.atOnce, async (address) => {
    const found = await fetchOne(address, fetching)
    if (!found.ok) {
      skipped.push({ what: `picture ${address}`, why: found.why })
      if (found.isLater !== true) return
      const tries = await noteFailure(known, address, utcFromMillis(deps.now()))
      if (tries <= MOST.failures) later += 1
      return
    }
    await deleteOthers(known, address, found.provenance.digest)
    ids.set(address, found.provenance.item_id)
    await storeProvenance(storage, [{ origin: ORIGIN, kind: 'picture', key: address, ...found.provenance }])
  })
  await keepLatest(storage, { origin: ORIGIN, kind: FAILED }, MOST_FAILED)
  return { ids, skipped, later }
}

/** What is known of addresses. */
interface KnownAddresses {
  readonly storage: Storage
  readonly provenance: ReadonlyMap<string, Provenance>
  readonly failed: ReadonlyMap<string, Provenance>
  readonly wanted: ReadonlySet<string>
}

/** Names that an image had before, when only the signature in its address has changed. */
function formerNames(of: ReadonlyMap<string, Provenance>, wanted: ReadonlySet<string>, address: string): string[] {
  const place = address.replace(/\?.*$/s, '')
  if (place === address) return []
  return [...of.keys()].filter((one) => one.startsWith(`${place}?`) && one !== address && !wanted.has(one))
}

/** Notes that an image could not be had at a moment (UTC text); how often it was asked for, under all its names. */
async function noteFailure({ storage, failed, wanted }: KnownAddresses, address: string, at: string): Promise<number> {
  const former = formerNames(failed, wanted, address)
  const before = [address, ...former].map((one) => failed.get(one)?.item_id ?? 0)
  const tries = Math.min(Math.max(...before) + 1, MOST.failures + 1)
  await deleteProvenance(storage, { origin: ORIGIN, kind: FAILED, keys: former })
  await storeProvenance(storage, [{ origin: ORIGIN, kind: FAILED, key: address, item_id: tries, digest: at }])
  return tries
}

/** Forgets that an image could not be had, and the names that the same content had before. */
async function deleteOthers(known: KnownAddresses, address: string, digest: string): Promise<void> {
  const { storage, provenance, failed, wanted } = known
  const failures = [address, ...formerNames(failed, wanted, address)].filter((key) => failed.has(key))
  await deleteProvenance(storage, { origin: ORIGIN, kind: FAILED, keys: failures })
  const keys = formerNames(provenance, wanted, address).filter((key) => provenance.get(key)?.digest === digest)
  await deleteProvenance(storage, { origin: ORIGIN, kind: 'picture', keys })
}

function addressesIn(events: readonly PlannedEvent[]): ReadonlySet<string> {
  const all = events.flatMap(({ entry, series }) => [
    entry.imageAddress,
    ...(series?.dates ?? []).map(({ own }) => own?.entry.imageAddress ?? ''),
  ])
  return new Set(all.filter((address) => address !== ''))
}

/** What an import may still fetch. */
interface Budget {
  pictures: number
  bytes: number
  readonly ends: AbortSignal
}

/** Why there is no image, and whether there may be one soon. */
interface NotFound {
  readonly ok: false
  readonly why: string
  readonly isLater?: boolean
}

type Found = { readonly ok: true; readonly id: number } | NotFound

type Fetched = { readonly ok: true; readonly provenance: Provenance } | NotFound

interface Fetching extends ImageDeps {
  readonly byContent: Map<string, Promise<Found>>
  readonly budget: Budget
}

async function fetchOne(address: string, fetching: Fetching): Promise<Fetched> {
  const { gate, imageLimit, budget, byContent, owner } = fetching
  if (budget.pictures <= 0 || budget.bytes <= 0 || budget.ends.aborted)
    return { ok: false, why: 'there are more pictures than one import fetches', isLater: true }
  budget.pictures -= 1
  const headers = { accept: 'image/*', 'user-agent': 'Kalends' }
  const bounds = { limit: Math.min(imageLimit, budget.bytes), patience: MOST.patience, signal: budget.ends }
  const sent = await sendRequest(address, { gate, headers, ...bounds })
  if (!sent.ok) return { ok: false, why: sent.reason.replaceAll('_', ' '), isLater: LATER.includes(sent.reason) }
  const { status, bytes } = sent.response
  budget.bytes -= bytes.length
  if (status !== 200)
    return {
      ok: false,
      why: withValues('subscriptions.problem.serverResponded', { status }),
      isLater: status >= 500 || status === 429 || status === 408,
    }
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const picture: ImageToAdopt = {
    ...{ bytes, alt: '', source: address, wishedId: undefined, author: owner },
    note: (tx, id) => putProvenance(tx, { origin: ORIGIN, kind: 'picture', key: address, item_id: id, digest }),
  }
  const made = byContent.get(digest) ?? takeIn(picture, fetching)
  byContent.set(digest, made)
  const found = await made
  return found.ok ? { ok: true, provenance: { item_id: found.id, digest } } : found
}

/** Reasons that pass. */
const LATER: readonly Unanswered[] = ['unreachable', 'too_late', 'broken_off']

/** Attempts to store an image while the server is too busy. */
const MOST_TRIES = 3

async function takeIn(picture: ImageToAdopt, { adoptImage }: ImageDeps): Promise<Found> {
  for (let tried = 1; tried <= MOST_TRIES; tried += 1) {
    try {
      const adopted = await adoptImage(picture)
      return adopted.ok ? adopted : { ok: false, why: `it is no picture that can be kept: ${adopted.reason}` }
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rest_unavailable') throw error
    }
  }
  return { ok: false, why: 'the server was too busy to read it', isLater: true }
}
