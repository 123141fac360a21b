import type { LinkedRoom } from '../../entries/linked/room.ts'
import type { LinkedContent } from '../../entries/linked/row.ts'
import type { AnyField } from '../../fields/field.ts'
import { namesOf } from '../../model/column.ts'
import { type Identity, identityOf } from './identity.ts'
import type { Place, Recorded } from './members.ts'
import { columnAt, ENTRY_MEMBERS, type RecordedEntry, readEntry } from './read-entry.ts'
import { leftOut, type Read } from './read-term.ts'

/** A venue or organizer as it was recorded, cleaned. */
export interface RecordedLinked<Content> {
  readonly place: Place
  readonly identity: Identity
  readonly entry: RecordedEntry
  readonly content: Content
}

/** What surrounds an item. */
export interface Around {
  /** Site that the surroundings name; '' when unknown. */
  readonly site: string
  /** Zone of dates that are recorded on a wall clock only. */
  readonly zone: string
}

/** Reads a venue or organizer, which may have no name; one without an id is left out. @throws recorded_not_usable */
export function readLinked<Content extends LinkedContent>(
  { key, columns, pairs }: Pick<LinkedRoom<readonly AnyField[], Content>, 'key' | 'columns' | 'pairs'>,
  recorded: Recorded,
  { site, zone }: Around,
): Read<RecordedLinked<Content>> {
  const identity = identityOf(recorded, site)
  if (identity === undefined) return leftOut(recorded.place, 'it has no id')
  const members = namesOf(columns).map((name) => [name, name === 'name' ? key : name] as const)
  const known = new Set([...ENTRY_MEMBERS, ...members.map(([, member]) => member)])
  const { entry, skipped } = readEntry(recorded, { known, zone })
  const content: Record<string, unknown> = {}
  for (const [name, member] of members) content[name] = columnAt(recorded, member, columns[name])
  for (const pair of pairs)
    if (pair.some((name) => content[name] === null)) for (const name of pair) content[name] = null
  // Every column of the content has been read.
  return { item: { place: recorded.place, identity, entry, content: content as unknown as Content }, skipped }
}
