import type { Failure } from '../../base/errors.ts'
import { errorReply, type HttpResponse } from './http-response.ts'

/** Headers of responses that are messages of JSON-RPC. */
export const RPC_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  vary: 'Origin',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
}

/** What of a request an error names. */
interface RpcRequest {
  readonly language: string
  /** Of the request as JSON-RPC has it; null where it could not be read. */
  readonly id?: string | number | null
  readonly headers?: Readonly<Record<string, string>>
}

/** The response to a request that failed: an error of JSON-RPC with our code in `data`. */
export function rpcErrorResponse(failure: Failure, { language, id = null, headers = {} }: RpcRequest): HttpResponse {
  const { status, body, headers: own = {} } = errorReply(failure, language)
  const { code, message, data } = body as { readonly code: string; readonly message: string; readonly data: object }
  const error = { code: rpcCode(failure), message, data: { code, ...data } }
  const retry = own['retry-after'] === undefined ? {} : { 'retry-after': own['retry-after'] }
  const text = JSON.stringify({ jsonrpc: '2.0', error, id })
  return { status, headers: { ...RPC_HEADERS, ...retry, ...headers }, body: Buffer.from(text) }
}

/** The code of an error in JSON-RPC, where -32000 is any of the server. */
function rpcCode({ code, status }: Failure): number {
  if (code === 'rest_invalid_json') return -32_700
  if (status === 400) return -32_600
  if (status === 404) return -32_601
  return status >= 500 ? -32_603 : -32_000
}
