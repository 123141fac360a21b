import type { PageRequest } from './page-request.ts'

/** Parameters that name the last action; links of a page leave them out. */
const DONE = ['done', 'trashed', 'count', 'of', 'outdated', 'draft']

/** Parameters of an address, by their names; '' leaves one out. */
type Parameters = Readonly<Record<string, string>>

/**
 * Path and query of the page that was asked for, or that a form was sent to, with its filters, order and page. What it
 * says to have been done is left out unless it is among the changes.
 */
export function sameAddress({ http }: Pick<PageRequest, 'http'>, changes: Parameters = {}): string {
  const address = new URL(http.target, 'http://localhost')
  for (const name of DONE) address.searchParams.delete(name)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') address.searchParams.delete(name)
    else address.searchParams.set(name, value)
  }
  return `${address.pathname}${address.search}`
}
