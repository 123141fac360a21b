import type { Sendable } from '../answer.ts'
import type { Urls } from '../urls.ts'

/**
 * Headers by which a client finds the API from a page of the site, and from the index (wire: rest 7). `root` is the
 * address of the data that the page shows, or of the whole API.
 */
export function discovery(urls: Pick<Urls, 'page'>, root: string): Readonly<Record<string, string>> {
  return { 'X-TEC-API-VERSION': 'v1', 'X-TEC-API-ROOT': root, 'X-TEC-API-ORIGIN': urls.page('') }
}

/** Link by which a generic client finds the namespaces, from every answer and every page (wire: rest 6 and 7). */
export function indexLink(urls: Pick<Urls, 'index'>): string {
  return `<${urls.index}>; rel="https://api.w.org/"`
}

/** An answer with that link in front of its own ones. */
export function linked(answer: Sendable, urls: Pick<Urls, 'index'>): Sendable {
  const { Link: own, ...headers } = answer.headers
  const index = indexLink(urls)
  return { ...answer, headers: { ...headers, link: own === undefined ? index : `${index}, ${own}` } }
}
