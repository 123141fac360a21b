import { changesOf } from './changes.ts'
import { CursorExpired, isTransient, type KalendsError } from './errors.ts'
import type { Query } from './internal.ts'
import { listOf } from './paging.ts'
import { pause } from './request.ts'
import type { Connection } from './site.ts'
import type { CalendarEvent, Change, ChangesOptions, MirrorOptions, Resource, Store, StoredItem } from './types.ts'
import { venuesOf } from './values.ts'

type Item = { readonly id: number; readonly count?: number }
/** Filters of events by the ID that they name. */
type Again = Map<number, 'series' | 'venue' | 'organizer'>

/** All of each list: by default they leave out past events and unused terms. What events refer to comes first. */
const LISTS = {
  category: ['categories', { hide_empty: false }],
  tag: ['tags', { hide_empty: false }],
  venue: ['venues', {}],
  organizer: ['organizers', {}],
  event: ['events', { ends_after: '1000-01-01' }],
} as const satisfies Record<Resource, readonly [kind: string, filter: Query]>
const TERMS: readonly Resource[] = ['category', 'tag']
/** Events of one page. */
const TOGETHER = 50
/** Milliseconds before an interrupted mirror continues. */
const PAUSE = 5000

/** Keeps a copy of the calendar in `store` until the signal is aborted, or with `once` until it is up to date. */
export async function mirrorInto(connection: Connection, store: Store, options: MirrorOptions): Promise<void> {
  const { signal, once = false } = options
  const copy = new Copy(connection, store, signal)
  while (!signal?.aborted) {
    try {
      await connection.require('mirrors', signal)
      const since = await copy.follow((await store.cursor()) || (await copy.readAll()))
      if (once) return
      const waiting = changesOf(connection, { since, signal, include_hidden: true })
      await waiting.next()
      await waiting.return()
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof CursorExpired) await store.cursor('')
      else if (once || !isTransient(error)) throw error
      else await pause(Math.max(PAUSE, (error.retryAfter ?? 0) * 1000), signal).catch(() => undefined)
    }
  }
}

/** A store with what is known of it. */
class Copy {
  readonly #connection: Connection
  readonly #store: Store
  readonly #signal: AbortSignal | undefined
  /** IDs with which events were stored: of the series, or 0, then of venues and organizers. No two of these share an ID. */
  readonly #links = new Map<number, readonly number[]>()
  /** Whether that covers all of them; not after a start, until all events have been read. */
  #isWhole = false
  /** What was stored last of everything else, which events repeat. */
  readonly #texts = new Map<string, string>()

  constructor(connection: Connection, store: Store, signal: AbortSignal | undefined) {
    this.#connection = connection
    this.#store = store
    this.#signal = signal
  }

  /** Reads the calendar; the cursor from before. */
  async readAll(): Promise<string> {
    const url = await this.#connection.url('kalends/v1/changes', {}, this.#signal)
    const { body } = await this.#connection.sender.send({ url, signal: this.#signal })
    for (const resource of Object.keys(LISTS) as Resource[]) await this.#readWhole(resource)
    await this.#store.cursor(body.cursor)
    return body.cursor
  }

  /**
   * Applies all changes after a cursor; the next cursor. Terms are read again: without changes of their own they appear
   * and vanish with events, and get another address with the category above.
   */
  async follow(since: string): Promise<string> {
    let cursor = since
    const again: Again = new Map()
    for await (const change of this.#changes({ since, expand: 'item' })) {
      await this.#apply(change, again)
      if (change.cursor === cursor) continue
      for (const [id, filter] of again) await this.#readLinked(id, filter)
      again.clear()
      cursor = change.cursor
      await this.#store.cursor(cursor)
    }
    for (const term of TERMS) await this.#readWhole(term)
    return cursor
  }

  async *#changes(options: ChangesOptions): AsyncGenerator<Change> {
    const all = { stream: false, include_hidden: true, signal: this.#signal }
    yield* changesOf(this.#connection, { ...options, ...all })
    // Changes end without an error then.
    this.#signal?.throwIfAborted()
  }

  /** Stores or deletes an item, or adds a filter of events that are to be read again. */
  async #apply({ resource, id, action, item }: Change, again: Again): Promise<void> {
    if (resource === 'category' || resource === 'tag') return
    const isEvent = resource === 'event'
    if (!this.#isWhole && (action === 'deleted' || (isEvent && action === 'updated'))) await this.#readWhole('event')
    if (isEvent) {
      const { series, hide_from_listings: isHidden = false } = (item ?? {}) as Partial<CalendarEvent>
      // Lists may show a date of a hidden event, and where there is a password, nobody learns whether it is hidden.
      const hidden = isHidden === false ? 0 : id
      const of = [series?.id, this.#links.get(id)?.[0], hidden, this.#linkedTo(id).length && id]
      for (const one of of) if (one) again.set(one, 'series')
      if (of.some(Boolean)) return
    } else if (action !== 'updated') again.set(id, resource)
    await (item === undefined ? this.#drop(resource, id) : this.#put(resource, item))
  }

  /** Reads events again, and those that no longer match the filter. */
  async #readLinked(id: number, filter: string): Promise<void> {
    const listed = await this.#read('event', { ...LISTS.event[1], [filter]: id }).catch(noneIfUnknown)
    const stored = filter === 'series' ? [id, ...this.#linkedTo(id)] : this.#linkedTo(id)
    const others = stored.filter((one) => !listed.has(one))
    while (others.length > 0) {
      const some = others.splice(0, TOGETHER)
      const found = await this.#read('event', { include: some.join() })
      for (const one of some) if (!found.has(one)) await this.#drop('event', one)
    }
  }

  /** Reads all items of a resource, and deletes others from the store. */
  async #readWhole(resource: Resource): Promise<void> {
    const listed = await this.#read(resource, LISTS[resource][1])
    for (const id of [...(await this.#store.ids(resource))]) if (!listed.has(id)) await this.#drop(resource, id)
    if (resource === 'event') this.#isWhole = true
  }

  /** Stores the items of a list; their IDs. It is read again if some may have slipped to a page that was read before. */
  async #read(resource: Resource, filter: Query): Promise<Set<number>> {
    const listed = new Set<number>()
    const isTerm = TERMS.includes(resource)
    const list = listOf<Item>(this.#connection, LISTS[resource][0], filter)
    for (let since: string | undefined, total = 0; ; listed.clear()) {
      for await (const page of list.pages()) {
        this.#signal?.throwIfAborted()
        since ??= page.cursor
        total ||= page.total
        for (const item of page.items) await this.#put(resource, item)
        for (const { id } of page.items) listed.add(id)
      }
      let hasMoved = false
      const changes = total > TOGETHER ? this.#changes({ since, ...(!isTerm && { resource }) }) : []
      for await (const { action, cursor } of changes) {
        hasMoved ||= isTerm || action !== 'created'
        since = cursor
      }
      if (!hasMoved) return listed
    }
  }

  async #put(resource: Resource, { count: _count, ...item }: Item): Promise<void> {
    if (resource === 'event') return this.#putEvent(item as CalendarEvent)
    const text = JSON.stringify(item)
    if (this.#texts.get(`${resource} ${item.id}`) === text) return
    await this.#store.put(resource, item as StoredItem)
    this.#texts.set(`${resource} ${item.id}`, text)
  }

  async #putEvent(event: CalendarEvent): Promise<void> {
    const { organizer, categories, tags } = event
    const venue = venuesOf(event)
    for (const one of venue) await this.#put('venue', one)
    for (const one of organizer) await this.#put('organizer', one)
    const named = { venue: ids(venue), organizer: ids(organizer), categories: ids(categories), tags: ids(tags) }
    await this.#store.put('event', { ...event, ...named })
    this.#links.set(event.id, [event.series?.id ?? 0, ...named.venue, ...named.organizer])
  }

  async #drop(resource: Resource, id: number): Promise<void> {
    await this.#store.delete(resource, id)
    this.#texts.delete(`${resource} ${id}`)
    if (resource === 'event') this.#links.delete(id)
  }

  #linkedTo(id: number): number[] {
    return [...this.#links].flatMap(([event, links]) => (links.includes(id) ? [event] : []))
  }
}

function ids(items: readonly Item[]): number[] {
  return items.map(({ id }) => id)
}

/** A series, venue or organizer in the trash has no list. */
function noneIfUnknown(error: KalendsError): Set<number> {
  if (error.status !== 400) throw error
  return new Set()
}
