import type { AddressGate } from '../../base/outgoing/addresses.ts'
import { sendRequest } from '../../base/outgoing/request.ts'

/** How images of other sites are fetched. */
export interface FetchOptions {
  readonly gate: AddressGate
  /** Most bytes of an image. */
  readonly limit: number
  /** Milliseconds for everything together, redirects included. */
  readonly patience: number
  /** Ends it earlier. */
  readonly signal?: AbortSignal
}

/** What came: bytes that may be an image, or why there are none. */
export type Fetched =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: 'not_fetched' | 'too_many_bytes' }

/**
 * Fetches what lies at an http(s) address. The type that the other side claims does not matter. Refused, unreachable,
 * too slow, not HTTP: whoever asked learns only that nothing came (wire: events S9).
 */
export async function fetchImage(source: string, options: FetchOptions): Promise<Fetched> {
  const sent = await sendRequest(source, { ...options, headers: { accept: 'image/*' } })
  if (sent.ok && sent.response.status === 200) return { ok: true, bytes: sent.response.bytes }
  const isTooLarge = !sent.ok && sent.reason === 'too_many_bytes'
  return { ok: false, reason: isTooLarge ? 'too_many_bytes' : 'not_fetched' }
}
