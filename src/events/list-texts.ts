import type { Viewer } from '../entries/viewer.ts'
import type { Fragments } from '../http/cache/fragments.ts'
import type { Part } from '../http/cache/versions.ts'
import type { Reader } from '../storage/engine.ts'
import { gatherEvents, type Shelves } from './gather.ts'
import { eventsByIds } from './store-rows.ts'

/** What the texts of events are made from. */
export interface TextParts {
  readonly reader: Reader
  readonly shelves: Shelves
  /** An anonymous one. */
  readonly viewer: Viewer
  readonly fragments: Fragments
}

/** The text of an event in some form, and everything that it was made of. */
export interface EventText {
  readonly id: number
  readonly text: Buffer
  readonly parts: readonly Part[]
}

/** Texts that may be kept: what they are called, and how those that are not there are made. */
export interface KeptForm {
  /** The address under which such a text is answered: it holds all that the texts of an event differ by. */
  nameOf(id: number): string
  /** The texts of all these events; those that do not exist are left out. */
  make(ids: readonly number[]): Promise<readonly EventText[]>
}

/**
 * Texts of events in the order of their ids; ids without an event are left out. Those that are kept are taken as they are,
 * the others are made in one go and kept.
 */
export async function keptTexts(
  fragments: Fragments,
  ids: readonly number[],
  { nameOf, make }: KeptForm,
): Promise<Buffer[]> {
  const texts = new Map<number, Buffer>()
  for (const id of ids) {
    const text = fragments.get(nameOf(id))
    if (text !== undefined) texts.set(id, text)
  }
  const missing = ids.filter((id) => !texts.has(id))
  for (const { id, text, parts } of missing.length === 0 ? [] : await make(missing)) {
    texts.set(id, text)
    fragments.put(nameOf(id), text, parts)
  }
  return ids.flatMap((id) => texts.get(id) ?? [])
}

/** The JSON texts of events as lists show them to anonymous readers, see `keptTexts`. */
export async function listTexts(parts: TextParts, ids: readonly number[]): Promise<Buffer[]> {
  const { reader, shelves, viewer, fragments } = parts
  const make: KeptForm['make'] = async (missing) => {
    const rows = await eventsByIds(reader, missing)
    const used = new Map<number, Part[]>()
    const showing = { viewer, withJsonLd: false, opened: new Set<number>(), used }
    const answers = await gatherEvents(reader, shelves, { rows, showing })
    return rows.map(({ id }, index) => ({
      id,
      text: Buffer.from(JSON.stringify(answers[index])),
      parts: used.get(id) ?? [],
    }))
  }
  return keptTexts(fragments, ids, { nameOf: (id) => viewer.urls.api(`/events/${id}`), make })
}
