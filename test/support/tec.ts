import assert from 'node:assert/strict'
import type { Role } from '../../src/http/auth/rights.ts'
import type { Answer, Sending, TestApp } from './app.ts'

/** Calls paths of `tec/v1`. */
export interface TecClient {
  /** Address of a path below the namespace. */
  url(path: string): string
  call(as: Role | 'anonymous', method: string, path: string, sending?: Sending): Promise<Answer>
  /** Creates an item; the response. */
  create(path: string, json: object, as?: Role): Promise<Answer['body']>
}

/** A client of the namespace. */
export function tecClient(app: TestApp): TecClient {
  const url = (path: string): string => `${app.origin}/wp-json/tec/v1${path}`
  // biome-ignore lint/complexity/useMaxParams: who, method, path, content: a request line
  const call: TecClient['call'] = (as, method, path, sending = {}) => {
    const query = new URLSearchParams(Object.entries(sending.query ?? {}).map(([name, value]) => [name, String(value)]))
    return app.call(as, method, url(path) + (query.size === 0 ? '' : `?${query}`), sending)
  }
  const create: TecClient['create'] = async (path, json, as = 'editor') => {
    const { status, body } = await call(as, 'POST', path, { json })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  return { url, call, create }
}
