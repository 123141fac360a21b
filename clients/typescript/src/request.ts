import { errorOf, failNetwork, isTransient, KalendsError } from './errors.ts'
import type { Incoming, Outgoing, Sender } from './internal.ts'
import type { CachedResponse, Options } from './types.ts'

/** Number of responses in the cache. */
const CACHED = 500
/** Longest `Retry-After`, in seconds, that a request waits for. */
const LONGEST_WAIT = 60

/** @throws TypeError when the token cannot be sent */
export function openSender({ retries = 4, timeout = 30_000, cache = new Map(), ...options }: Options): Sender {
  const own = headersOf(options)

  const open: Sender['open'] = (url, init) =>
    (options.fetch ?? fetch)(url.href, { ...init, headers: { ...own, ...init.headers } }).catch(failNetwork)

  async function attempt({ url, method = 'GET', headers, body, signal }: Outgoing): Promise<Incoming> {
    const late = AbortSignal.timeout(timeout)
    const key = `${url} ${JSON.stringify(own)}`
    const known: CachedResponse | undefined = method === 'GET' && cache ? cache.get(key) : undefined
    const type = body && !(body instanceof FormData) && { 'Content-Type': 'application/json' }
    const init = {
      method,
      headers: { ...type, ...(known && { 'If-None-Match': known.etag }), ...headers },
      body: body instanceof FormData ? body : ((body && JSON.stringify(body)) ?? null),
      // A write that is redirected would become a read, and nothing would be written.
      redirect: method === 'GET' ? 'follow' : 'error',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    } as const
    try {
      const response = await open(url, init)
      // With its own headers: the cursor of a list moves on while its items stay the same.
      if (response.status === 304 && known) return { headers: response.headers, body: JSON.parse(known.text) }
      if (!response.ok) throw await errorOf(response)
      const text = await response.text()
      const body = JSON.parse(text)
      const etag = response.headers.get('ETag')
      if (method === 'GET' && cache && etag) {
        cache.delete(key)
        cache.set(key, { etag, text })
        if (cache.size > CACHED) cache.delete([...cache.keys()][0] ?? '')
      }
      return { headers: response.headers, body }
    } catch (error) {
      signal?.throwIfAborted()
      if (late.aborted) throw new KalendsError('The server took too long to respond.', { code: 'timeout' })
      return failNetwork(error)
    }
  }

  async function send({ method = 'GET', headers, ...request }: Outgoing): Promise<Incoming> {
    const sent = { ...(method !== 'GET' && { 'Idempotency-Key': randomKey() }), ...headers }
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt({ ...request, method, headers: sent })
      } catch (error) {
        if (failures >= retries || !isTransient(error) || (error.retryAfter ?? 0) > LONGEST_WAIT) throw error
        // Without word from the server, exponentially with full jitter.
        await pause((error.retryAfter ?? 0) * 1000 || Math.random() * 500 * 2 ** failures, request.signal)
      }
    }
  }

  return { send, open }
}

/** Waits, at most until the signal is aborted. @throws the reason of the signal */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const waiting = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await unlessAborted(waiting, signal).finally(() => clearTimeout(timer))
}

/** What comes of some work, which goes on when the signal is aborted. @throws the reason of the signal */
export function unlessAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const ending = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: ending.signal })
  })
  return Promise.race([aborted, work]).finally(() => ending.abort())
}

function headersOf({ token, login, language }: Options): Record<string, string> {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token must be visible ASCII characters')
  const basic = login && `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(login.join(':'))))}`
  const authorization = token === undefined ? basic : `Bearer ${token}`
  const accept = { Accept: 'application/json', ...(language && { 'Accept-Language': language }) }
  return { ...accept, ...(authorization && { Authorization: authorization }) }
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-')
}
