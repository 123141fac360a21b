import { errorOf, isTransient, KalendsError, networkError } from './errors.ts'
import type { CachedResponse, Options } from './types.ts'

/** A request to an absolute address. */
export interface Outgoing {
  readonly url: URL
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is a form. */
  readonly body?: object | undefined
  readonly signal?: AbortSignal | undefined
}

/** A response with a good status. */
export interface Incoming {
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what it is depends on the address
  readonly body: any
}

/** Sends requests with the same credentials. */
export interface Sender {
  /** Repeats it when that is safe: writes carry an `Idempotency-Key`. */
  send(request: Outgoing): Promise<Incoming>
  /** One attempt, without limit of time. @throws network */
  open(url: URL, init: RequestInit): Promise<Response>
}

const CACHED = 500

/** @throws TypeError when the token cannot be sent */
export function openSender(options: Options): Sender {
  const { retries = 4, timeout = 30_000, cache = new Map<string, CachedResponse>() } = options
  const own = headersOf(options)

  const open: Sender['open'] = (url, init) =>
    (options.fetch ?? fetch)(url.href, { ...init, headers: { ...own, ...(init.headers as object) } }).catch((error) =>
      Promise.reject(networkError(error)),
    )

  async function attempt({ url, method = 'GET', body, signal, ...request }: Outgoing): Promise<Incoming> {
    const late = AbortSignal.timeout(timeout)
    const key = `${url} ${JSON.stringify(own)}`
    const known = method === 'GET' && cache ? cache.get(key) : undefined
    const content = contentOf(method, body)
    const headers = { ...content.headers, ...(known && { 'If-None-Match': known.etag }), ...request.headers }
    try {
      const stop = signal ? AbortSignal.any([signal, late]) : late
      const response = await open(url, { ...content, method, headers, signal: stop })
      if (response.status === 304 && known) return { headers: known.headers, body: JSON.parse(known.text) }
      const text = await response.text()
      if (!response.ok) throw errorOf(response, text)
      const incoming = { headers: response.headers, body: JSON.parse(text) }
      const etag = response.headers.get('ETag')
      if (method === 'GET' && cache && etag) keep(cache, key, { etag, text, headers: response.headers })
      return incoming
    } catch (error) {
      signal?.throwIfAborted()
      if (late.aborted) throw new KalendsError('The server took too long to respond.', { code: 'timeout' })
      throw error instanceof KalendsError ? error : networkError(error)
    }
  }

  async function send(request: Outgoing): Promise<Incoming> {
    const isWrite = request.method !== undefined && request.method !== 'GET'
    const headers = { ...(isWrite && { 'Idempotency-Key': randomKey() }), ...request.headers }
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt({ ...request, headers })
      } catch (error) {
        if (failures >= retries || !isTransient(error)) throw error
        const jitter = Math.random() * 500 * 2 ** failures
        await pause((error.retryAfter ?? 0) * 1000 || jitter, request.signal)
      }
    }
  }

  return { send, open }
}

/** Waits, at most until the signal is aborted. @throws the reason of the signal */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let done = (): void => undefined
  const waiting = new Promise<void>((resolve) => {
    done = resolve
  })
  const timer = setTimeout(done, milliseconds)
  signal?.addEventListener('abort', done)
  if (signal?.aborted !== true) await waiting
  clearTimeout(timer)
  signal?.removeEventListener('abort', done)
  signal?.throwIfAborted()
}

function headersOf({ token, login, language }: Options): Record<string, string> {
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token must be visible ASCII characters')
  const basic = login && `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(login.join(':'))))}`
  const authorization = token === undefined ? basic : `Bearer ${token}`
  const accept = { Accept: 'application/json', ...(language && { 'Accept-Language': language }) }
  return authorization === undefined ? accept : { ...accept, Authorization: authorization }
}

/** A write that is redirected would become a read, and nothing would be written. */
function contentOf(method: string, body: object | undefined): RequestInit {
  const redirect = method === 'GET' ? 'follow' : 'error'
  if (body === undefined || body instanceof FormData) return { redirect, body: body ?? null }
  return { redirect, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

function keep(cache: Map<string, CachedResponse>, key: string, response: CachedResponse): void {
  cache.delete(key)
  cache.set(key, response)
  const [oldest] = cache.keys()
  if (cache.size > CACHED && oldest !== undefined) cache.delete(oldest)
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-')
}
