import { utcFromMillis } from '../../base/time/zones.ts'
import { changeRow } from '../../storage/row-writes.ts'
import { BEING_REMOVED, checkSource, presentSource, sourceOrFail } from './manage.ts'
import { keepSource, keepTrashed, keepTrashing } from './restore.ts'
import { allSources, deleteSource, eventsOfSource, sourceById } from './store.ts'
import { type TrashDeps, trashComing } from './trash.ts'
import type { Source, SourceRemoval } from './types.ts'

/** Events that are looked at together, and those that one request waits for: the rest follows in the background. */
const MOST = { together: 100, awaited: 300 } as const

/**
 * Moves a source to the trash. If its events go there as well and are many, it stays, paused, until the last one is there.
 * It is returned as it was before, with whether it is gone.
 * @throws source-not-found, and what `check` does
 */
export async function removeSource(
  deps: TrashDeps,
  id: number,
  { events = 'keep', actor = null, check }: SourceRemoval,
): Promise<{ readonly source: Source; readonly isDone: boolean }> {
  const { storage, now } = deps
  const source = await presentSource(deps, await sourceOrFail(storage, id))
  const by = { actor, at: utcFromMillis(now()) }
  if (events === 'keep') {
    await storage.write(async (tx) => {
      const row = await sourceOrFail(tx, id)
      checkSource(row, check)
      // Someone else may have started to remove it with its events.
      await (row.problem === BEING_REMOVED ? keepTrashed(tx, id, now()) : keepSource(tx, row, by))
      await deleteSource(tx, id)
    })
    return { source, isDone: true }
  }
  await storage.write(async (tx) => {
    const row = await sourceOrFail(tx, id)
    checkSource(row, check)
    if (row.problem !== BEING_REMOVED) await keepTrashing(tx, row, by)
    await changeRow(tx, 'source', { id, paused: 1, problem: BEING_REMOVED, modified_at: by.at })
  })
  return { source, isDone: await trashAndRemove(deps, id, { most: MOST.awaited }) }
}

/** Goes on with removing sources, where a request or a process has left it. */
export async function finishRemovals(deps: TrashDeps, signal: AbortSignal | undefined): Promise<void> {
  const most = Number.POSITIVE_INFINITY
  for (const { id, problem } of await allSources(deps.storage))
    if (problem === BEING_REMOVED && signal?.aborted !== true) await trashAndRemove(deps, id, { most, signal })
}

/** Whether the source is gone: all its events have been looked at. */
async function trashAndRemove(
  deps: TrashDeps,
  id: number,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  for (let left = most; left > 0; left -= MOST.together) {
    if (signal?.aborted === true) return false
    const some = await eventsOfSource(deps.storage, id, MOST.together)
    await trashComing(deps, some)
    if (some.length === MOST.together) continue
    await remove(deps, id)
    return true
  }
  return false
}

/** Nothing where another process has removed it. */
async function remove({ storage, now }: TrashDeps, id: number): Promise<void> {
  await storage.write(async (tx) => {
    if ((await sourceById(tx, id))?.problem !== BEING_REMOVED) return
    await keepTrashed(tx, id, now())
    await deleteSource(tx, id)
  })
}
