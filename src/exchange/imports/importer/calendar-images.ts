import { withValues } from '../../../base/i18n/translate.ts'
import type { AddressGate } from '../../../base/outgoing/addresses.ts'
import { sendRequest, type Unanswered } from '../../../base/outgoing/request.ts'
import { type AdoptImage, type FetchedImage, type ImportedImages, importImages } from './images.ts'
import type { ImportDeps } from './import-items.ts'
import type { PlannedEvent } from './planned.ts'

/** What calendars are imported with: besides, what fetches and stores the images that they name. */
export interface CalendarDeps extends ImportDeps {
  /** Which addresses may be connected to. */
  readonly gate: AddressGate
  readonly adoptImage: AdoptImage
  /** Most bytes of an image. */
  readonly imageLimit: number
}

/** What fetching images needs. */
interface ImageDeps extends Pick<CalendarDeps, 'storage' | 'gate' | 'adoptImage' | 'imageLimit'> {
  /** User who owns the images. */
  readonly owner: number
  /** Ends it early. */
  readonly ends: AbortSignal | undefined
}

/** Whose images these are in the table of what was imported: those of all calendars together. */
const ORIGIN = 'calendars'

/** Bounds of one import: images, their bytes, milliseconds for all and for each. */
const MOST = { images: 2_000, bytes: 1024 ** 3, time: 600_000, patience: 20_000, atOnce: 4 } as const

/** Reasons that pass. */
const LATER: readonly Unanswered[] = ['unreachable', 'too_late', 'broken_off']

/** Fetches the images that events name and that are not here yet. */
export function fetchCalendarImages(deps: ImageDeps, events: readonly PlannedEvent[]): Promise<ImportedImages> {
  const { gate, imageLimit } = deps
  const ends = AbortSignal.any([AbortSignal.timeout(MOST.time), ...(deps.ends === undefined ? [] : [deps.ends])])
  const left: { images: number; bytes: number } = { images: MOST.images, bytes: MOST.bytes }
  const fetch = async (address: string): Promise<FetchedImage> => {
    if (left.images <= 0 || left.bytes <= 0 || ends.aborted)
      return { ok: false, why: 'import.problem.tooManyImages', isLater: true }
    left.images -= 1
    const headers = { accept: 'image/*', 'user-agent': 'Kalends' }
    const bounds = { limit: Math.min(imageLimit, left.bytes), patience: MOST.patience, signal: ends }
    const sent = await sendRequest(address, { gate, headers, ...bounds })
    if (!sent.ok) return { ok: false, why: sent.reason.replaceAll('_', ' '), isLater: LATER.includes(sent.reason) }
    const { status, bytes } = sent.response
    left.bytes -= bytes.length
    if (status === 200) return { ok: true, bytes }
    const isLater = status >= 500 || status === 429 || status === 408
    return { ok: false, why: withValues('subscriptions.problem.serverResponded', { status }), isLater }
  }
  return importImages(addressesIn(events), { ...deps, origin: ORIGIN, atOnce: MOST.atOnce, looks: 1, fetch })
}

function addressesIn(events: readonly PlannedEvent[]): ReadonlySet<string> {
  const all = events.flatMap(({ entry, series }) => [
    entry.imageAddress,
    ...(series?.dates ?? []).map(({ own }) => own?.entry.imageAddress ?? ''),
  ])
  return new Set(all.filter((address) => address !== ''))
}
