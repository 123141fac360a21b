import assert from 'node:assert/strict'
import type { Store } from '../../clients/typescript/src/index.ts'

const RESOURCES = ['event', 'venue', 'organizer', 'category', 'tag'] as const
type Resource = (typeof RESOURCES)[number]
type Item = Readonly<Record<string, unknown>> & { readonly id: number }

/** A store in memory, which outlives the mirrors that write into it. */
export class MemoryStore implements Store {
  readonly items = Object.fromEntries(RESOURCES.map((name) => [name, new Map<number, object>()])) as Record<
    Resource,
    Map<number, object>
  >
  /** Called before each change of the store; a mirror that it throws at dies. */
  disturb: () => void = () => undefined
  #cursor: string | undefined

  put(resource: Resource, item: { readonly id: number }): void {
    this.disturb()
    this.items[resource].set(item.id, structuredClone(item))
  }

  delete(resource: Resource, id: number): void {
    this.disturb()
    this.items[resource].delete(id)
  }

  ids(resource: Resource): Iterable<number> {
    return this.items[resource].keys()
  }

  cursor(next?: string): string | undefined {
    if (next !== undefined) {
      this.disturb()
      this.#cursor = next
    }
    return this.#cursor
  }
}

/** The calendar as lists show it to a caller, in the form that mirrors store; read without the client, at its address. */
async function listedAt(origin: string, authorization: string | undefined): Promise<Record<string, Item[]>> {
  const read = async (collection: string, query: string): Promise<Item[]> => {
    const found: Item[] = []
    let url: string | undefined = `${origin}/wp-json/cal/events/v1/${collection}?per_page=50&${query}`
    while (url !== undefined) {
      const response: Response = await fetch(url, authorization === undefined ? {} : { headers: { authorization } })
      const body = (await response.json()) as { next_rest_url?: string; [name: string]: unknown }
      assert.equal(response.status, 200, JSON.stringify(body))
      found.push(...(body[collection] as Item[]))
      url = body.next_rest_url
    }
    return found.map(({ count: _count, ...item }) => item as Item).sort((one, other) => one.id - other.id)
  }
  const ids = (items: unknown): number[] => [items].flat().map((item) => (item as Item).id)
  const events = await read('events', 'ends_after=1000-01-01')
  return {
    event: events.map((event) => ({
      ...event,
      ...Object.fromEntries(['venue', 'organizer', 'categories', 'tags'].map((name) => [name, ids(event[name])])),
    })),
    venue: await read('venues', ''),
    organizer: await read('organizers', ''),
    category: await read('categories', 'hide_empty=false'),
    tag: await read('tags', 'hide_empty=false'),
  }
}

/** A copy has what lists show to a caller now, nothing else, and nothing differently. */
export async function assertMirrors(store: MemoryStore, origin: string, authorization?: string): Promise<void> {
  const listed = await listedAt(origin, authorization)
  for (const resource of RESOURCES) {
    const stored = [...store.items[resource].values()].sort((one, other) => (one as Item).id - (other as Item).id)
    assert.deepEqual(ids(stored), ids(listed[resource] ?? []), `IDs of ${resource}`)
    assert.deepEqual(stored, listed[resource], resource)
  }
}

function ids(items: readonly object[]): number[] {
  return items.map((item) => (item as Item).id)
}
