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

/**
 * The JSON texts of events as lists show them to anonymous readers, in the order of their ids; ids without an event are
 * left out. Those that are kept are taken as they are, the others are made in one go and kept.
 */
export async function listTexts(parts: TextParts, ids: readonly number[]): Promise<Buffer[]> {
  const { reader, shelves, viewer, fragments } = parts
  const nameOf = (id: number): string => viewer.urls.api(`/events/${id}`)
  const texts = new Map<number, Buffer>()
  for (const id of ids) {
    const text = fragments.get(nameOf(id))
    if (text !== undefined) texts.set(id, text)
  }
  const missing = ids.filter((id) => !texts.has(id))
  if (missing.length > 0) {
    const rows = await eventsByIds(reader, missing)
    const used = new Map<number, Part[]>()
    const showing = { viewer, withJsonLd: false, opened: new Set<number>(), used }
    const answers = await gatherEvents(reader, shelves, { rows, showing })
    for (const [index, { id }] of rows.entries()) {
      const text = Buffer.from(JSON.stringify(answers[index]))
      texts.set(id, text)
      fragments.put(nameOf(id), text, used.get(id) ?? [])
    }
  }
  return ids.flatMap((id) => texts.get(id) ?? [])
}
