import type { Urls } from './urls.ts'

/**
 * Headers by which a client finds the API from a page of the site, and from the index (wire: rest 7). `root` is the
 * address of the data that the page shows, or of the whole API.
 */
export function discovery(urls: Pick<Urls, 'page'>, root: string): Readonly<Record<string, string>> {
  return { 'x-tec-api-version': 'v1', 'x-tec-api-root': root, 'x-tec-api-origin': urls.page('') }
}
