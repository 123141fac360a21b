import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The header that names a request: in the request itself, its response, and every log line about it. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** Ids that proxies and clients make, such as UUIDs and trace ids; nothing that could break a header or a log line. */
const SANE = /^[\w.:/+=@~-]{1,128}$/

/** Distinguishes the processes that make ids, also after a restart. */
const PROCESS = randomBytes(6).toString('hex')

let made = 0

/** A new id, unique among all processes: `9f86d081884c-1z`. */
export function newRequestId(): string {
  made += 1
  return `${PROCESS}-${made.toString(36)}`
}

/** The id of a request: the one that it was sent with where that is short and plain, else a new one each time. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers[REQUEST_ID_HEADER]
  return typeof sent === 'string' && SANE.test(sent) ? sent : newRequestId()
}
