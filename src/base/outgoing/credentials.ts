import { percentDecoded } from '../text/slug.ts'

/** Name and password for another server. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/** An http(s) address without the name and password that stood in it. */
export interface OpenedAddress {
  readonly address: string
  /** Undefined where there were none. */
  readonly credentials: Credentials | undefined
}

/** Takes name and password out of an address such as `https://ada:secret@club.example/`. */
export function openAddress(address: string): OpenedAddress {
  const url = URL.parse(address)
  if (url === null || (url.username === '' && url.password === '')) return { address, credentials: undefined }
  const credentials = { user: percentDecoded(url.username), password: percentDecoded(url.password) }
  url.username = ''
  url.password = ''
  return { address: url.href, credentials }
}

/** The Authorization header of a name and password (RFC 7617). */
export function basicAuthorization({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/**
 * Whether credentials that were entered for an address may go to another one: to the same origin, or to the same host over
 * https or with `www.` in front; never from https to http, and never to another port.
 */
export function mayGoTo(address: string, entered: string): boolean {
  const [there, home] = [URL.parse(address), URL.parse(entered)]
  if (there === null || home === null) return false
  const isAsSafe = there.protocol === home.protocol || there.protocol === 'https:'
  return isAsSafe && (there.host === home.host || there.host === `www.${home.host}`)
}
