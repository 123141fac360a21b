import { createHash } from 'node:crypto'
import { Failure } from '../../errors.ts'
import type { AddressGate } from '../../outgoing/addresses.ts'
import { sendRequest } from '../../outgoing/request.ts'
import type { ImportParts } from '../json-import/index.ts'
import type { PlannedEvent } from '../json-import/planned.ts'
import { idsOfKind } from '../json-import/store.ts'
import type { Skipped } from '../json-import/types.ts'
import { forEachAtOnce } from '../site-import/pace.ts'
import type { AdoptedPicture, AdoptPicture } from '../site-import/pictures.ts'
import { keepTaken, type Taken, takenFrom } from '../site-import/store.ts'

/** What calendars are imported with: besides, what fetches and stores the pictures that they name. */
export interface CalendarParts extends ImportParts {
  /** Which addresses may be connected to. */
  readonly gate: AddressGate
  readonly adoptPicture: AdoptPicture
  /** Most bytes of a picture. */
  readonly pictureLimit: number
}

/** What fetching pictures needs. */
type PictureParts = Pick<CalendarParts, 'storage' | 'gate' | 'adoptPicture' | 'pictureLimit'>

/** The pictures that events name and that are here. */
export interface CalendarPictures {
  /** Ids by address. */
  readonly ids: ReadonlyMap<string, number>
  /** Those that could not be had. */
  readonly skipped: readonly Skipped[]
}

/** Whose pictures these are in the table of what was taken over: those of all calendars together. */
const ORIGIN = 'calendars'

/** Bounds of one import: pictures, their bytes, and milliseconds for all and for each. */
const MOST = { pictures: 2_000, bytes: 1024 ** 3, time: 600_000, patience: 20_000, atOnce: 4 } as const

/** Fetches the pictures that events name and that are not here yet, each content once. */
export async function fetchCalendarPictures(
  parts: PictureParts,
  events: readonly PlannedEvent[],
  owner: number,
): Promise<CalendarPictures> {
  const wanted = addressesIn(events)
  if (wanted.size === 0) return { ids: new Map(), skipped: [] }
  const { storage } = parts
  const taken = await takenFrom(storage, ORIGIN, 'picture')
  const here = await idsOfKind(
    storage,
    'media',
    [...taken.values()].map(({ item_id }) => item_id),
  )
  const ids = new Map<string, number>()
  const byContent = new Map<string, Promise<Found>>()
  for (const [address, { item_id: id, digest }] of taken) {
    if (!here.has(id)) continue
    if (wanted.has(address)) ids.set(address, id)
    byContent.set(digest, Promise.resolve({ ok: true, id }))
  }
  const skipped: Skipped[] = []
  const missing = [...wanted].filter((address) => !ids.has(address))
  const budget = { pictures: MOST.pictures, bytes: MOST.bytes, ends: AbortSignal.timeout(MOST.time) }
  const fetching = { ...parts, owner, byContent, budget }
  await forEachAtOnce(missing, MOST.atOnce, async (address) => {
    const found = await fetchOne(address, fetching)
    if (!found.ok) return void skipped.push({ what: `picture ${address}`, why: found.why })
    ids.set(address, found.taken.item_id)
    await keepTaken(storage, [{ origin: ORIGIN, kind: 'picture', key: address, ...found.taken }])
  })
  return { ids, skipped }
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

type Found = { readonly ok: true; readonly id: number } | { readonly ok: false; readonly why: string }

type Fetched = { readonly ok: true; readonly taken: Taken } | { readonly ok: false; readonly why: string }

interface Fetching extends PictureParts {
  readonly owner: number
  readonly byContent: Map<string, Promise<Found>>
  readonly budget: Budget
}

async function fetchOne(address: string, fetching: Fetching): Promise<Fetched> {
  const { gate, pictureLimit, budget, byContent, owner } = fetching
  if (budget.pictures <= 0 || budget.bytes <= 0 || budget.ends.aborted)
    return { ok: false, why: 'there are more pictures than one import fetches' }
  budget.pictures -= 1
  const headers = { accept: 'image/*', 'user-agent': 'Kalends' }
  const bounds = { limit: Math.min(pictureLimit, budget.bytes), patience: MOST.patience, signal: budget.ends }
  const sent = await sendRequest(address, { gate, headers, ...bounds })
  if (!sent.ok) return { ok: false, why: sent.reason.replaceAll('_', ' ') }
  const { status, bytes } = sent.response
  budget.bytes -= bytes.length
  if (status !== 200) return { ok: false, why: `the server answered ${status}` }
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const picture = { bytes, alt: '', source: address, wishedId: undefined, author: owner }
  const made = byContent.get(digest) ?? takeIn(picture, fetching)
  byContent.set(digest, made)
  const found = await made
  return found.ok ? { ok: true, taken: { item_id: found.id, digest } } : found
}

/** Times that a picture is taken in for which the server is too busy. */
const MOST_TRIES = 3

async function takeIn(picture: AdoptedPicture, { adoptPicture }: PictureParts): Promise<Found> {
  for (let tried = 1; tried <= MOST_TRIES; tried += 1) {
    try {
      const adopted = await adoptPicture(picture)
      return adopted.ok ? adopted : { ok: false, why: `it is no picture that can be kept: ${adopted.reason}` }
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rest_unavailable') throw error
    }
  }
  return { ok: false, why: 'the server was too busy to read it' }
}
