import type { LinkedRoom } from '../../../../calendar/shared/linked/room.ts'
import type { LinkedContent } from '../../../../calendar/shared/linked/row.ts'
import { namesOf } from '../../../../model/column.ts'
import type { AnyField } from '../../../../model/kinds/field.ts'
import type { Skipped } from '../../types.ts'
import { type Identity, identityOf } from './identity.ts'
import type { Place, SourceObject } from './members.ts'
import { columnAt, ENTRY_MEMBERS, readEntry, type SourceEntry } from './read-entry.ts'
import { leftOut, type Read } from './read-term.ts'

/** A venue or organizer as it was recorded, cleaned. */
export interface SourceLinked<Content> {
  readonly place: Place
  readonly identity: Identity
  readonly entry: SourceEntry
  readonly content: Content
  /** Whether it only fills in what is empty in an item that is here already. */
  readonly isFilling?: true
}

/** What surrounds an item. */
export interface SourceContext {
  /** Site that the surroundings name; '' when unknown. */
  readonly site: string
  /** Zone of dates that are recorded on a wall clock only. */
  readonly zone: string
}

/** Reads a venue or organizer, which may have no name; one without an ID is left out. @throws recorded_not_usable */
export function readLinked<Content extends LinkedContent>(
  { key, columns, pairs }: Pick<LinkedRoom<readonly AnyField[], Content>, 'key' | 'columns' | 'pairs'>,
  source: SourceObject,
  { site, zone }: SourceContext,
): Read<SourceLinked<Content>> {
  const identity = identityOf(source, site)
  if (identity === undefined) return leftOut(source.place, 'it has no id')
  const members = namesOf(columns).map((name) => [name, name === 'name' ? key : name] as const)
  const known = new Set([...ENTRY_MEMBERS, ...members.map(([, member]) => member)])
  const skipped: Skipped[] = []
  const entry = readEntry(source, { known, zone, notes: skipped })
  const content: Record<string, unknown> = {}
  for (const [name, member] of members)
    content[name] = columnAt(source, member, { column: columns[name], notes: skipped })
  for (const pair of pairs)
    if (pair.some((name) => content[name] === null)) for (const name of pair) content[name] = null
  // Every column of the content has been read.
  return { item: { place: source.place, identity, entry, content: content as unknown as Content }, skipped }
}
