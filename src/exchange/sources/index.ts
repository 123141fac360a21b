/** Calendars elsewhere that are followed: what they say becomes events here, and stays current. */

import type { BackgroundWork } from '../../base/background.ts'
import type { VersionCheck } from '../../http/route/preconditions.ts'
import type { AnyRoute } from '../../http/route.ts'
import type { Report } from '../../storage/engine.ts'
import { sourcesInBackground } from './in-background.ts'
import { addSource, changeSource, listSources, sourceOrFail } from './manage.ts'
import { removeSource } from './remove.ts'
import { sourceRoutes } from './routes.ts'
import { syncSource, type VisitAsked } from './sync.ts'
import type { ManagedSources, Source, SourceDeps, SourceInput, SourceRemoval } from './types.ts'
import { visitsOf } from './visits.ts'

export { restoreSource } from './restore.ts'
export type { EventsLeft, ManagedSources, Source, SourceInput } from './types.ts'
export { latestVisits } from './visits.ts'

/** The sources of a calendar. */
export interface Sources extends ManagedSources {
  readonly routes: readonly AnyRoute[]
  /** Visits due work; one process does it at a time. */
  readonly work: BackgroundWork
}

/** Opens the sources. */
export function openSources(deps: SourceDeps & { readonly report: Report }): Sources {
  const { storage } = deps
  const under = new Map<number, Promise<Source>>()
  // One visit of a source at a time.
  const sync = (id: number, asked: VisitAsked): Promise<Source> => {
    const known = under.get(id)
    if (known !== undefined) return known
    const visit = syncSource(deps, id, asked).finally(() => under.delete(id))
    under.set(id, visit)
    return visit
  }
  const { work, visitDue } = sourcesInBackground(deps, sync)
  const managed: ManagedSources = {
    list: () => listSources(deps),
    add: (input: SourceInput) => addSource(deps, input),
    change: (id: number, input: SourceInput, check?: VersionCheck) => changeSource(deps, id, { input, check }),
    remove: async (id: number, removal: SourceRemoval = {}) => {
      const { source, isDone } = await removeSource(deps, id, removal)
      if (!isDone) work.wake()
      return source
    },
    visits: async (id: number) => visitsOf(storage, (await sourceOrFail(storage, id)).id),
    visitDue,
    sync: (id: number) => sync(id, {}),
  }
  return { ...managed, work, routes: sourceRoutes(deps, managed) }
}
