import type { Fragments } from '../../../http/cache/fragments.ts'
import type { Dependency } from '../../../http/cache/versions.ts'
import { ownBytes, SPOKEN } from '../../../http/response/http-response.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { eventsByIds } from '../../event-store/rows.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { inPortions, type Lookups, openedBy, presentEvents } from './load.ts'

/** What the events of a list are built from. */
export interface ListedDeps {
  readonly reader: Reader
  readonly lookups: Lookups
  readonly viewer: Viewer
  /** One password applies to the whole list. */
  readonly password: string | undefined
}

/** Events as lists show them, in the order of their IDs; IDs without an event are left out. */
export async function listItems(
  listed: ListedDeps,
  ids: readonly number[],
): Promise<{ readonly items: readonly unknown[]; readonly dependencies: readonly Dependency[] }> {
  const used = new Map<number, Dependency[]>()
  const items = await shownIn(listed, await eventsByIds(listed.reader, ids), used)
  return { items, dependencies: [...used.values()].flat() }
}

async function shownIn(
  { reader, lookups, viewer, password }: ListedDeps,
  rows: readonly EventRow[],
  used: Map<number, Dependency[]>,
): Promise<readonly unknown[]> {
  const showing = { viewer, withJsonLd: false, opened: await openedBy(password, rows, viewer.tries), used }
  return presentEvents(reader, lookups, { rows, showing })
}

/** The text of an event in some form, and its dependencies. */
export interface EventText {
  readonly id: number
  readonly text: Buffer
  readonly dependencies: readonly Dependency[]
  /** What it is the text of, where that may say something in the language of its reader. */
  readonly event?: unknown
}

/** Texts that can be cached: their name, and how missing ones are made. */
export interface CacheableForm {
  /** Says all that the texts of an event differ by, see `Fragments.of`. */
  readonly name: string
  /** The texts of all these events; those that do not exist are left out. */
  make(ids: readonly number[]): Promise<readonly EventText[]>
}

/** Texts of events, and the dependencies of all of them. */
export interface EventTexts {
  readonly texts: readonly Buffer[]
  readonly dependencies: readonly Dependency[]
}

/**
 * Texts of events in the order of their IDs; IDs without an event are left out. Fresh cached ones are used, the others
 * are made with one read and cached.
 */
export async function cachedTexts(
  fragments: Fragments,
  ids: readonly number[],
  { name, make }: CacheableForm,
): Promise<EventTexts> {
  const form = fragments.of(name)
  const cached = form.all(ids)
  const missing = ids.filter((_id, index) => cached[index] === undefined)
  const made = new Map<number, Buffer>()
  const all: Dependency[] = []
  for (const one of cached) if (one !== undefined) all.push(one.version)
  for (const { id, text, event, dependencies } of missing.length === 0 ? [] : await make(missing)) {
    // Before anything else refers to it: cached lists are assembled from the very buffers of cached texts.
    const own = ownBytes(text)
    made.set(id, markSpoken(own, event))
    all.push(...dependencies)
    form.put(id, own, dependencies)
  }
  const texts: Buffer[] = []
  for (const [index, id] of ids.entries()) {
    const text = cached[index]?.text ?? made.get(id)
    if (text !== undefined) texts.push(text)
  }
  return { texts, dependencies: all }
}

/** Texts that are not cached. */
export function uncachedTexts(made: readonly EventText[]): EventTexts {
  return {
    texts: made.map(({ text, event }) => markSpoken(text, event)),
    dependencies: made.flatMap(({ dependencies }) => dependencies),
  }
}

/**
 * The JSON texts of events for lists with an address, see `cachedTexts`; without fragments, or with a password, all of them are built.
 *
 * Each text is converted to bytes by itself: one character beyond Latin-1 makes a whole string wide, which takes Node
 * six times as long to encode.
 */
export async function listTexts(
  deps: ListedDeps & { readonly fragments: Fragments | undefined; readonly address: string },
  ids: readonly number[],
): Promise<EventTexts> {
  const { reader, viewer, fragments, address, password } = deps
  const make: CacheableForm['make'] = async (missing) => {
    const rows = await eventsByIds(reader, missing)
    const used = new Map<number, Dependency[]>()
    const items = await shownIn(deps, rows, used)
    return inPortions(reader, rows, (portion, first) =>
      portion.map(({ id }, index) => {
        const event = items[first + index]
        return { id, text: Buffer.from(JSON.stringify(event)), event, dependencies: used.get(id) ?? [] }
      }),
    )
  }
  if (fragments === undefined || password !== undefined) return uncachedTexts(await make(ids))
  return cachedTexts(fragments, ids, { name: textsName(address, viewer), make })
}

/** Texts of events that say something in the language of their reader. */
const spoken = new WeakSet<Buffer>()

/** Marks the text of an event that says something in the language of its reader; others are left alone. */
export function markSpoken(text: Buffer, event: unknown): Buffer {
  if (isSpoken(event)) spoken.add(text)
  return text
}

/** The headers of a response with events, or with their texts: texts in words differ by language. */
export function spokenHeaders(shown: readonly unknown[]): Readonly<Record<string, string>> {
  const says = shown.some((one) => (Buffer.isBuffer(one) ? spoken.has(one) : isSpoken(one)))
  return says ? SPOKEN : {}
}

function isSpoken(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'series' in event
}

/** The name of cached texts of events that say something in the language of a call. */
export function textsName(name: string, { language = 'en' }: { readonly language?: string }): string {
  return language === 'en' ? name : `${name} ${language}`
}
