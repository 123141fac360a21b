/**
 * What may be shown of the address that something was fetched from: without its query, which may hold a token, and
 * without its fragment. '' for anything else.
 */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return ''
  const url = new URL(address)
  url.search = ''
  url.hash = ''
  return url.href
}
