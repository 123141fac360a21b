import type { PageResponse } from '../http/html-page.ts'
import type { Markup } from '../pages/html.ts'

/** A part of a page by itself, for scripts that put it there; shown alone it loads and runs nothing. */
export function fragment({ markup }: Markup): PageResponse {
  return { status: 200, body: markup, headers: { 'content-security-policy': "default-src 'none'" } }
}
