import assert from 'node:assert/strict'
import type { ServerProcess } from './server.ts'

/** Value of an Authorization header for the administrator that the first start of a server has added. */
export function administratorOf(server: ServerProcess): string {
  const password = /Password +(.+)/.exec(server.output())?.[1]?.replaceAll(' ', '') ?? ''
  return `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
}

/** An answer that arrived; undefined when the connection broke. */
export interface Arrived {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly id: number; readonly title?: string; readonly status?: string }
}

/** Sends a request to a server that may be killed meanwhile; fails on an answer that does not come at all. */
export async function ask(url: string, init: RequestInit = {}): Promise<Arrived | undefined> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Arrived['body'] }
  } catch (error) {
    assert.notEqual((error as Error).name, 'TimeoutError', `${init.method ?? 'GET'} ${url} was never answered`)
    return undefined
  }
}

/** A request that writes, as JSON. */
export function sending(authorization: string, json: object, method = 'POST'): RequestInit {
  return { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(json) }
}

/** An event that everybody may read. */
export const EVENT = { title: 'Talk', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
