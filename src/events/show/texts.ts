import type { Viewer } from '../../entries/viewer.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { eventsByIds } from '../../event-store/rows.ts'
import type { Fragments } from '../../http/cache/fragments.ts'
import { ownBytes } from '../../http/cache/own-bytes.ts'
import type { Part } from '../../http/cache/versions.ts'
import type { Reader } from '../../storage/engine.ts'
import { type Lookups, openedBy, presentEvents } from './load.ts'

/** What the events of a list are made from. */
export interface ListedParts {
  readonly reader: Reader
  readonly lookups: Lookups
  readonly viewer: Viewer
  /** One password applies to the whole list. */
  readonly password: string | undefined
}

/** Events as lists show them, in the order of their ids; ids without an event are left out. */
export async function listItems(
  listed: ListedParts,
  ids: readonly number[],
): Promise<{ readonly items: readonly unknown[]; readonly parts: readonly Part[] }> {
  const used = new Map<number, Part[]>()
  const items = await shownIn(listed, await eventsByIds(listed.reader, ids), used)
  return { items, parts: [...used.values()].flat() }
}

async function shownIn(
  { reader, lookups, viewer, password }: ListedParts,
  rows: readonly EventRow[],
  used: Map<number, Part[]>,
): Promise<readonly unknown[]> {
  const showing = { viewer, withJsonLd: false, opened: await openedBy(password, rows, viewer.tries), used }
  return presentEvents(reader, lookups, { rows, showing })
}

/** The text of an event in some form, and everything that it was made of. */
export interface EventText {
  readonly id: number
  readonly text: Buffer
  readonly parts: readonly Part[]
}

/** Texts that may be kept: what they are called, and how those that are not there are made. */
export interface KeptForm {
  /** Says all that the texts of an event differ by, see `Fragments.of`. */
  readonly name: string
  /** The texts of all these events; those that do not exist are left out. */
  make(ids: readonly number[]): Promise<readonly EventText[]>
}

/** Texts of events, and everything that any of them was made of. */
export interface EventTexts {
  readonly texts: readonly Buffer[]
  readonly parts: readonly Part[]
}

/**
 * Texts of events in the order of their ids; ids without an event are left out. Those that are kept are taken as they are,
 * the others are made in one go and kept.
 */
export async function keptTexts(
  fragments: Fragments,
  ids: readonly number[],
  { name, make }: KeptForm,
): Promise<EventTexts> {
  const form = fragments.of(name)
  const kept = ids.map((id) => form.get(id))
  const missing = ids.filter((_id, index) => kept[index] === undefined)
  const made = new Map<number, Buffer>()
  const all: Part[] = []
  for (const one of kept) if (one !== undefined) all.push(one.stamp)
  for (const { id, text, parts } of missing.length === 0 ? [] : await make(missing)) {
    // Before anybody else has it: kept lists are put together from the very texts that are kept.
    const own = ownBytes(text)
    made.set(id, own)
    all.push(...parts)
    form.put(id, own, parts)
  }
  const texts: Buffer[] = []
  for (const [index, id] of ids.entries()) {
    const text = kept[index]?.text ?? made.get(id)
    if (text !== undefined) texts.push(text)
  }
  return { texts, parts: all }
}

/** Texts that nobody keeps. */
export function passingTexts(made: readonly EventText[]): EventTexts {
  return { texts: made.map(({ text }) => text), parts: made.flatMap(({ parts }) => parts) }
}

/**
 * The JSON texts of events as lists show them, see `keptTexts`; where there are no fragments, or a password was sent, all
 * of them are made anew.
 *
 * Each text becomes bytes by itself: one character beyond Latin-1 makes the whole string that it stands in a wide one,
 * which takes Node six times as long to encode.
 */
export async function listTexts(
  parts: ListedParts & { readonly fragments: Fragments | undefined },
  ids: readonly number[],
): Promise<EventTexts> {
  const { reader, viewer, fragments, password } = parts
  const make: KeptForm['make'] = async (missing) => {
    const rows = await eventsByIds(reader, missing)
    const used = new Map<number, Part[]>()
    const items = await shownIn(parts, rows, used)
    return rows.map(({ id }, index) => ({
      id,
      text: Buffer.from(JSON.stringify(items[index])),
      parts: used.get(id) ?? [],
    }))
  }
  if (fragments === undefined || password !== undefined) return passingTexts(await make(ids))
  return keptTexts(fragments, ids, { name: viewer.urls.api('/events'), make })
}
