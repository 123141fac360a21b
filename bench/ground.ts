/** What the requests of a benchmark name: found by asking the server itself, so that any server can be measured. */
export interface Ground {
  /** Base of the interface: path with namespace, without a slash at its end. */
  readonly base: string
  readonly authorization: string | undefined
  /** IDs of published events, from far apart. */
  readonly ids: readonly number[]
  readonly slugs: readonly string[]
  /** IDs of a category and a venue that have events. */
  readonly category: number | undefined
  readonly venue: number | undefined
  /** IDs of all venues of the events that were looked at, that one first. */
  readonly venues: readonly number[]
  /** First day of the windows, `YYYY-MM-DD`. */
  readonly today: string
}

interface Listed {
  readonly id: number
  readonly slug: string
  readonly categories?: readonly { readonly id: number }[]
  readonly venue?: { readonly id?: number } | readonly { readonly id: number }[]
}

/** Pages that are looked at for IDs. */
const PAGES = 40

/**
 * Looks around in a calendar whose interface is at an address such as `http://127.0.0.1:3000/cal/events/v1`.
 * @throws Error when it lists no events
 */
export async function explore(api: string, options: { authorization?: string; now: number }): Promise<Ground> {
  const listed: Listed[] = []
  const first = await page(api, 1)
  const last = Math.max(1, Math.min(first.total_pages, 2_000))
  for (let step = 0; step < PAGES && step < last; step += 1) {
    const { events } = await page(api, 1 + Math.floor((step * last) / PAGES))
    listed.push(...events)
  }
  const venues = [...new Set(listed.flatMap(venuesOf))]
  const { pathname } = new URL(api)
  return {
    base: pathname.replace(/\/+$/, ''),
    authorization: options.authorization,
    ids: listed.map((event) => event.id),
    slugs: listed.map((event) => event.slug),
    category: listed.find((event) => (event.categories?.length ?? 0) > 0)?.categories?.[0]?.id,
    venue: venues[0],
    venues,
    today: new Date(options.now).toISOString().slice(0, 10),
  }
}

function venuesOf({ venue = [] }: Listed): readonly number[] {
  if ('length' in venue) return venue.map(({ id }) => id)
  return venue.id === undefined ? [] : [venue.id]
}

async function page(api: string, number: number): Promise<{ events: readonly Listed[]; total_pages: number }> {
  const answer = await fetch(`${api}/events?per_page=50&page=${number}`)
  if (!answer.ok) throw new Error(`${api}/events answers ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return (await answer.json()) as { events: readonly Listed[]; total_pages: number }
}
