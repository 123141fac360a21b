import { KalendsError } from './errors.ts'
import type { Incoming, Listed, Query } from './internal.ts'
import type { Connection } from './site.ts'
import type { List, Page } from './types.ts'

/** As many as sites send at once. */
const PER_PAGE = 50

export function listOf<T extends Listed>(connection: Connection, kind: string, filter: Query): List<T> {
  const read = async (url: URL): Promise<Page<T> & { readonly next?: string }> => {
    const { body, headers } = await connection.sender.send({ url }).catch(emptyAfterEnd)
    const cursor = headers.get('X-Kalends-Cursor') ?? undefined
    return { items: body[kind] ?? [], total: Number(body.total ?? 0), cursor, next: body.next_rest_url }
  }
  const one = async (): Promise<Page<T>> => read(await connection.url(`/${kind}`, { ...filter, per_page: 1 }))

  async function* pages(): AsyncGenerator<Page<T>> {
    const url = await connection.url(`/${kind}`, { per_page: PER_PAGE, ...filter })
    const seen = new Set<string>()
    for (;;) {
      const { next, ...page } = await read(url)
      if (page.items.length === 0) return
      const known = seen.size
      // Sites of The Events Calendar may give all dates of a series the same ID.
      for (const { id, start_date } of page.items) seen.add(`${id} ${start_date}`)
      // A last page without anything new has items that have moved there while the list was read.
      if (seen.size > known) yield page
      else if (next) throw new KalendsError('The site repeats a page of the list.', { code: 'paging_loop' })
      if (!next) return
      advance(url, next)
    }
  }

  async function* items(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.items
  }

  return {
    pages,
    [Symbol.asyncIterator]: items,
    first: async () => (await one()).items[0],
    total: async () => (await one()).total,
    toArray: async (max = Number.POSITIVE_INFINITY) => {
      const found: T[] = []
      if (max > 0) for await (const item of items()) if (found.push(item) >= max) break
      return found
    },
  }
}

/**
 * Moves on to the next page. Only the parameters are taken from its address, so that host and path stay. Some sites
 * forget parameters in it, and name a `status` that they refuse.
 */
function advance(url: URL, next: string): void {
  for (const [name, value] of new URL(next, url).searchParams)
    if (!/^(status|rest_route)$/.test(name)) url.searchParams.set(name, value)
}

/** Items may vanish while a list is read, and with them its last page. */
function emptyAfterEnd(error: KalendsError): Incoming {
  if (!/-archive-page-not-found$/.test(error.code)) throw error
  return { headers: new Headers(), body: {} }
}
