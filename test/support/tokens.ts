import { addToken } from '../../src/accounts/tokens/index.ts'
import type { Role, TokenScope } from '../../src/http/auth/rights.ts'
import type { TestApp } from './app.ts'
import { fetchChecked } from './checked.ts'

/** A token of the user of a role with some scopes. */
export function tokenOf({ app }: TestApp, role: Role, ...scopes: readonly TokenScope[]) {
  return addToken(app, { user: role, name: scopes.join(), scopes })
}

/** What came back to a request with a token. */
export interface TokenAnswer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly body: any
}

/** A request with a token: its method and address, and what it sends as JSON. */
export interface TokenRequest {
  readonly method: string
  /** Below the namespace of the interface, or whole. */
  readonly path: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request with a token; the answer is checked. */
export async function callWith({ origin }: TestApp, token: string, asked: TokenRequest): Promise<TokenAnswer> {
  const { method, path, json, headers } = asked
  const url = path.startsWith('http') ? path : `${origin}${path.startsWith('/kalends/') ? '' : '/cal/events/v1'}${path}`
  const response = await fetchChecked(url, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}
