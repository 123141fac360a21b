import type { Reader } from '../engine.ts'
import type { JournalEntry } from './entry.ts'

/** Gets the entries of one transaction, oldest first, never empty. Must be quick and must not change them. */
export type JournalListener = (entries: readonly JournalEntry[]) => void

// The query builder of a storage is one object that its transactions share, so it identifies the storage here.
const listenersOf = new WeakMap<Reader['db'], Set<JournalListener>>()

/**
 * Calls the listener after every commit of this storage that wrote to the journal, in the order of the numbers and
 * before the writer gets its response, so that whatever depends on the old state is invalid by then. After
 * `followExternalChanges` it is also called for commits of other processes, later than reads see them: a cache checks
 * `Storage.dataVersion`. Returns how to unsubscribe.
 */
export function subscribe(storage: Reader, listener: JournalListener): () => void {
  const listeners = listenersOf.get(storage.db) ?? new Set()
  listenersOf.set(storage.db, listeners.add(listener))
  return () => void listeners.delete(listener)
}

/**
 * Passes entries to the listeners of a storage; for `append` and `followExternalChanges` only. Every listener is
 * called, even if one throws.
 * @throws AggregateError with what the listeners threw
 */
export function deliver(db: Reader['db'], entries: readonly JournalEntry[]): void {
  const errors: unknown[] = []
  for (const listener of listenersOf.get(db) ?? []) {
    try {
      listener(entries)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'listeners of the journal failed')
}
