import type { Reader, Storage } from '../../../storage/engine.ts'
import type { Stage } from './stage.ts'
import { forgetTaken, keepTaken, leftKind, takenFrom } from './store.ts'
import type { CountedKind } from './types.ts'

/** Items that were left out, or that stay as they were, are looked at again by imports that read only changes. */

/** What stands instead of the digest of an item that another import may bring although it has not changed. */
const LATER = 'later'

/** Where what was left out is kept. */
interface LeftPlace {
  readonly storage: Storage
  readonly origin: string
}

/** What was imported, by their names. */
interface Tried {
  readonly kind: CountedKind
  readonly items: readonly { readonly key: string; readonly name: string }[]
  /** Of those that are here. */
  readonly ids: ReadonlyMap<string, number>
  /** Of those that another import may bring although they have not changed. */
  readonly later: ReadonlySet<string>
}

/** Keeps which items were left out, and forgets those that were and are here now. */
export async function noteLeft({ storage, origin }: LeftPlace, { kind, items, ids, later }: Tried): Promise<void> {
  const left = leftKind(kind)
  const before = await takenFrom(storage, origin, left)
  const rows = items
    .filter(({ name }) => later.has(name) || !ids.has(name))
    .map(({ key, name }) => ({ origin, kind: left, key, item_id: 0, digest: later.has(name) ? LATER : '' }))
  await keepTaken(
    storage,
    rows.filter(({ key, digest }) => before.get(key)?.digest !== digest),
  )
  const gone = items.filter(({ key, name }) => before.has(key) && ids.has(name) && !later.has(name))
  const keys = gone.map(({ key }) => key)
  await forgetTaken(storage, { origin, kind: left, keys })
}

/** Forgets items that were left out and that the site has no more. */
export async function forgetGoneLeft(
  { storage, stage, origin }: LeftPlace & { readonly stage: Stage },
  kind: CountedKind,
): Promise<void> {
  if (stage.incomplete.has(kind)) return
  const left = leftKind(kind)
  const before = await takenFrom(storage, origin, left)
  const has = (key: string): boolean => (kind === 'event' ? stage.events.has(Number(key)) : stage.spools[kind].has(key))
  const keys = [...before.keys()].filter((key) => !has(key))
  await forgetTaken(storage, { origin, kind: left, keys })
}

/** Whether something was left out that another import may bring although it has not changed. */
export async function hasLater(reader: Reader, origin: string): Promise<boolean> {
  const taken = await takenFrom(reader, origin, leftKind('event'))
  return [...taken.values()].some(({ digest }) => digest === LATER)
}
