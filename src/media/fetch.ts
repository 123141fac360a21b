import { lookup as resolveName } from 'node:dns/promises'
import { get as getPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { get as getSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isHttpUrl } from '../fields/address.ts'
import type { AddressGate } from './addresses.ts'

/** How pictures of other sites are fetched. */
export interface FetchOptions {
  readonly gate: AddressGate
  /** Most bytes of a picture. */
  readonly limit: number
  /** Milliseconds for everything together, redirects included. */
  readonly patience: number
  /** Ends it earlier. */
  readonly signal?: AbortSignal
}

/** What came: bytes that may be a picture, or why there are none. */
export type Fetched =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: 'not_fetched' | 'too_many_bytes' }

/** Most redirects that are followed; each is checked like the first address. */
const REDIRECT_LIMIT = 4

const REDIRECTS = [301, 302, 303, 307, 308]

/** The address as it is fetched and remembered, without its fragment; undefined for one that nothing is fetched from. */
export function sourceOf(address: string): string | undefined {
  if (!isHttpUrl(address)) return undefined
  const url = new URL(address)
  url.hash = ''
  return isHttpUrl(url.href) && url.username === '' && url.password === '' ? url.href : undefined
}

/**
 * Fetches what lies at an http(s) address. Where it leads to is looked at when the connection is made, so no name can
 * change its mind in between; nothing of this server's own is sent along. The type that the other side claims does not
 * matter.
 */
export async function fetchPicture(source: string, options: FetchOptions): Promise<Fetched> {
  const late = AbortSignal.timeout(options.patience)
  const signal = options.signal === undefined ? late : AbortSignal.any([late, options.signal])
  try {
    return await follow(source, { ...options, signal }, 0)
  } catch {
    // Refused, unreachable, too slow, not HTTP: whoever asked learns only that nothing came (wire: events S9).
    return { ok: false, reason: 'not_fetched' }
  }
}

type Fetching = FetchOptions & { readonly signal: AbortSignal }

async function follow(address: string, fetching: Fetching, redirects: number): Promise<Fetched> {
  const answer = await ask(new URL(address), fetching)
  try {
    const status = answer.statusCode ?? 0
    const { location } = answer.headers
    if (REDIRECTS.includes(status) && location !== undefined) {
      const next = URL.parse(location, address)
      const source = next === null ? undefined : sourceOf(next.href)
      if (source === undefined || redirects === REDIRECT_LIMIT) return { ok: false, reason: 'not_fetched' }
      return await follow(source, fetching, redirects + 1)
    }
    return status === 200 ? await readAll(answer, fetching.limit) : { ok: false, reason: 'not_fetched' }
  } finally {
    answer.destroy()
  }
}

function ask(url: URL, { gate, signal }: Fetching): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !gate(host)) return Promise.reject(new Error('the address is closed'))
  const options: RequestOptions = {
    agent: false,
    signal,
    lookup: gatedLookup(gate),
    headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Kalends' },
  }
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? getSecure(url, options, resolve) : getPlain(url, options, resolve)
    request.on('error', reject)
  })
}

/** Resolves a name for the connection that is about to be made; a name that has one closed address is closed. */
function gatedLookup(gate: AddressGate): LookupFunction {
  return (host, options, done) => {
    resolveName(host, { all: true, ...(options.family !== undefined && { family: Number(options.family) || 0 }) })
      .then((found) => {
        const [first] = found
        if (first === undefined || !found.every(({ address }) => gate(address))) throw new Error('the name is closed')
        if (options.all === true) done(null, found)
        else done(null, first.address, first.family)
      })
      .catch((error: NodeJS.ErrnoException) => done(error, []))
  }
}

async function readAll(answer: IncomingMessage, limit: number): Promise<Fetched> {
  if (Number(answer.headers['content-length'] ?? 0) > limit) return { ok: false, reason: 'too_many_bytes' }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    if (!(chunk instanceof Buffer)) continue
    size += chunk.length
    if (size > limit) return { ok: false, reason: 'too_many_bytes' }
    chunks.push(chunk)
  }
  // A connection that ends early ends the loop with an error.
  return { ok: true, bytes: Buffer.concat(chunks) }
}
