/** Calendars elsewhere that are followed: what they say becomes events here, and stays current. */

import { type BackgroundWork, backgroundWork } from '../background.ts'
import type { AnyRoute } from '../http/route.ts'
import type { Report } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import { addSource, changeSource, listSources, removeSource } from './manage.ts'
import { sourceRoutes } from './routes.ts'
import { dueSources } from './store.ts'
import { syncSource } from './sync.ts'
import type { ManagedSources, Source, SourceInput, SourceParts } from './types.ts'

export type { ManagedSources, Source, SourceInput } from './types.ts'

/** The sources of a calendar. */
export interface Sources extends ManagedSources {
  readonly routes: readonly AnyRoute[]
  /** Visits what is due; one process does it at a time. */
  readonly work: BackgroundWork
}

/** Milliseconds between two looks for what is due. */
const LOOK = 60_000

/** Opens the sources. */
export function openSources(parts: SourceParts & { readonly report: Report }): Sources {
  const { storage, now, report } = parts
  const under = new Map<number, Promise<Source>>()
  // One visit of a source at a time.
  const sync = (id: number, signal?: AbortSignal): Promise<Source> => {
    const known = under.get(id)
    if (known !== undefined) return known
    const visit = syncSource(parts, id, signal).finally(() => under.delete(id))
    under.set(id, visit)
    return visit
  }
  const visitDue = async (signal?: AbortSignal): Promise<void> => {
    for (const id of await dueSources(storage, utcFromMillis(now()))) {
      if (signal?.aborted === true) return
      const ended = (error: unknown): void =>
        signal?.aborted === true ? undefined : report(error, 'visiting a source')
      await sync(id, signal).catch(ended)
    }
  }
  const work = backgroundWork({
    round: visitDue,
    every: LOOK,
    failed: (error) => report(error, 'visiting sources'),
  })
  const managed = {
    list: () => listSources(storage),
    add: (input: SourceInput) => addSource(parts, input),
    change: (id: number, input: SourceInput) => changeSource(parts, id, input),
    remove: (id: number) => removeSource(parts, id),
    visitDue,
    sync: (id: number) => sync(id),
  }
  return { ...managed, work, routes: sourceRoutes(storage, managed) }
}
