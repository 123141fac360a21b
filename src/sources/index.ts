/** Calendars elsewhere that are followed: what they say becomes events here, and stays current. */

import { type BackgroundWork, backgroundWork } from '../background.ts'
import { forEachAtOnce } from '../feeds/index.ts'
import type { VersionCheck } from '../http/route/preconditions.ts'
import type { AnyRoute } from '../http/route.ts'
import type { Report } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import { addSource, changeSource, listSources, sourceOrFail } from './manage.ts'
import { finishRemovals, removeSource } from './remove.ts'
import { sourceRoutes } from './routes.ts'
import { dueSources } from './store.ts'
import { syncSource, type VisitAsked } from './sync.ts'
import type { EventsLeft, ManagedSources, Source, SourceInput, SourceParts } from './types.ts'
import { visitsOf } from './visits.ts'

export type { EventsLeft, ManagedSources, Source, SourceInput } from './types.ts'

/** The sources of a calendar. */
export interface Sources extends ManagedSources {
  readonly routes: readonly AnyRoute[]
  /** Visits what is due; one process does it at a time. */
  readonly work: BackgroundWork
}

/** Milliseconds between two looks for what is due. */
const LOOK = 60_000

/** Servers that are asked at the same time. */
const AT_ONCE = 3

/** Opens the sources. */
export function openSources(parts: SourceParts & { readonly report: Report }): Sources {
  const { storage, now, report } = parts
  const under = new Map<number, Promise<Source>>()
  // One visit of a source at a time.
  const sync = (id: number, asked: VisitAsked): Promise<Source> => {
    const known = under.get(id)
    if (known !== undefined) return known
    const visit = syncSource(parts, id, asked).finally(() => under.delete(id))
    under.set(id, visit)
    return visit
  }
  const visitDue = async (signal?: AbortSignal): Promise<void> => {
    const ended = (error: unknown): void => (signal?.aborted === true ? undefined : report(error, 'visiting a source'))
    await finishRemovals(parts, signal).catch(ended)
    await forEachAtOnce(await dueSources(storage, utcFromMillis(now())), AT_ONCE, async (ids) => {
      // No server is asked for two of its calendars at a time.
      for (const id of ids) if (signal?.aborted !== true) await sync(id, { signal, isDue: true }).catch(ended)
    })
  }
  const work = backgroundWork({
    round: visitDue,
    every: LOOK,
    failed: (error) => report(error, 'visiting sources'),
  })
  const managed = {
    list: () => listSources(parts),
    add: (input: SourceInput) => addSource(parts, input),
    change: (id: number, input: SourceInput, check?: VersionCheck) => changeSource(parts, id, { input, check }),
    remove: async (id: number, events: EventsLeft = 'keep', check?: VersionCheck) => {
      const { source, isDone } = await removeSource(parts, id, { events, check })
      if (!isDone) work.wake()
      return source
    },
    visits: async (id: number) => visitsOf(storage, (await sourceOrFail(storage, id)).id),
    visitDue,
    sync: (id: number) => sync(id, {}),
  }
  return { ...managed, work, routes: sourceRoutes(parts, managed) }
}
