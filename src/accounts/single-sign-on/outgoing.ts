import { type Failure, fail } from '../../base/errors.ts'
import type { AddressGate } from '../../base/outgoing/addresses.ts'
import { sendRequest, type Unanswered } from '../../base/outgoing/request.ts'

/** Milliseconds that a provider has for a response. */
const PATIENCE = 10_000

/** Most bytes of a response. */
const LIMIT = 1024 ** 2

/** What is sent to a provider. */
interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Requests to a provider. @throws provider_unavailable; provider_not_usable where nothing may be sent to its address */
export type ProviderFetch = (address: string, sent?: Sent) => Promise<Response>

/** Requests that go where other requests of the server may go, too; redirects are not followed. */
export function providerFetch(provider: string, gate: AddressGate): ProviderFetch {
  return async (address, { method = 'GET', headers = {}, body } = {}) => {
    const content = body === undefined || body === null ? {} : { body: Buffer.from(String(body)) }
    const bounds = { gate, limit: LIMIT, patience: PATIENCE, redirects: 0 }
    const outgoing = await sendRequest(address, { ...bounds, method, headers, ...content })
    if (!outgoing.ok) throw unanswered(provider, address, outgoing.reason)
    const { status, headers: received, bytes } = outgoing.response
    if (status >= 500) throw fail('provider_unavailable', { provider, reason: `${address} answers ${status}` })
    const isEmpty = [204, 205, 304].includes(status)
    const type = { 'content-type': received['content-type'] ?? '' }
    const challenge = received['www-authenticate']
    const fields = challenge === undefined ? type : { ...type, 'www-authenticate': challenge }
    return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: fields })
  }
}

function unanswered(provider: string, address: string, reason: Unanswered): Failure {
  const host = URL.parse(address)?.host ?? address
  if (reason === 'closed_address')
    return fail('provider_not_usable', { provider, reason: `${host} is not public, allow it with --fetch-allow` })
  const late = `${host} did not answer within ${PATIENCE / 1000} seconds`
  return fail('provider_unavailable', { provider, reason: reason === 'too_late' ? late : `${host}: ${reason}` })
}
