import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** The parts of a request that name its host. */
type Naming = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>

/** A host name or IPv4 address, with a port or without. */
const NAMED = /^[a-z\d._~-]{1,255}(?::(\d{0,5}))?$/i

const HIGHEST_PORT = 65_535

/** Most requests name the same host: it is checked once. */
let latest = ''

/** Whether a text is a host with or without a port, as a `Host` header has it (RFC 9112 section 3.2). */
export function isHost(text: string): boolean {
  if (text === latest && text !== '') return true
  const isSound = isHostOrAddress(text)
  if (isSound) latest = text
  return isSound
}

function isHostOrAddress(text: string): boolean {
  const port = NAMED.exec(text)
  if (port !== null) return port[1] === undefined || Number(port[1]) <= HIGHEST_PORT
  const literal = /^\[([\da-f:.]{2,45})\](?::(\d{0,5}))?$/i.exec(text)
  return literal !== null && isIPv6(literal[1] ?? '') && Number(literal[2] ?? 0) <= HIGHEST_PORT
}

/**
 * Whether a request says in one `Host` line, and a valid one, which host it means. HTTP/1.0 may say nothing. Two lines are
 * refused even when they are equal: a proxy may have judged by the other one.
 */
export function hasSoundHost({ headers, rawHeaders, httpVersion }: Naming): boolean {
  let sent: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (sent !== undefined) return false
    sent = rawHeaders[index + 1] ?? ''
  }
  if (sent === undefined ? httpVersion !== '1.0' : !isHost(sent)) return false
  // That of the address, see `adoptHost`.
  return headers.host === undefined || headers.host === sent || isHost(headers.host)
}

/** An address with a scheme names the host itself, and `Host` no longer counts (RFC 9112 section 3.2.2). */
export function adoptHost({ headers }: Pick<IncomingMessage, 'headers'>, target: string): void {
  const named = target.startsWith('/') ? undefined : /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
  if (named !== undefined) headers.host = named
}
