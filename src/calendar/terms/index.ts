import type { AnyRoute } from '../../http/route.ts'
import { RESOURCES } from '../../model/resource.ts'
import type { Site } from '../../model/site.ts'
import type { Storage } from '../../storage/engine.ts'
import { bareTermRoutes } from './bare-routes.ts'
import { lookupOf, type TermLookup } from './lookup.ts'
import { termRoutes } from './routes.ts'

export type { TermLookup, TermWish } from './lookup.ts'
export { restoreTerm } from './restore.ts'
export { TERM } from './schema.ts'
export type { Term } from './tables.ts'

/** The module for the terms: event categories and event tags. */
export interface Terms {
  /** Routes of the categories, then those of the tags. */
  readonly routes: readonly AnyRoute[]
  /** Routes of both for programs that expect a bare array. */
  readonly bareRoutes: readonly AnyRoute[]
  readonly category: TermLookup
  readonly tag: TermLookup
}

/** Opens the module for the terms on a database. */
export function openTerms(deps: { readonly storage: Storage; readonly site: Site }): Terms {
  return {
    routes: [...termRoutes({ ...deps, key: 'category' }), ...termRoutes({ ...deps, key: 'tag' })],
    bareRoutes: [
      ...bareTermRoutes({ ...deps, key: 'category' }, RESOURCES.category.collection),
      ...bareTermRoutes({ ...deps, key: 'category' }, 'tribe_events_cat'),
      ...bareTermRoutes({ ...deps, key: 'tag' }, RESOURCES.tag.collection),
    ],
    category: lookupOf('category'),
    tag: lookupOf('tag'),
  }
}
