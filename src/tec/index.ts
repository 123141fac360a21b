/** The namespace `tec/v1`: the calendar as clients of that interface expect it. */

import { type Namespace, TEC_NAMESPACE } from '../http/namespace.ts'
import type { AnyRoute } from '../http/route.ts'
import { docsRoute } from './docs.ts'
import type { TecDeps } from './items.ts'
import { showingErrors } from './refuse.ts'
import { readRoutes } from './routes-read.ts'
import { ticketRoutes } from './tickets/routes.ts'
import { writeRoutes } from './write/routes.ts'

export { showingErrors }

/** Opens the namespace. */
export function openTec(deps: TecDeps): Namespace {
  const routes = [...readRoutes(deps), ...writeRoutes(deps), ...ticketRoutes(deps)]
  return { name: TEC_NAMESPACE, aliases: [], routes: routes.map(showingErrors) }
}

/** The route of the documents, which describe all routes of the namespace. `routes` may be filled after this call. */
export function tecDocsRoute(routes: readonly AnyRoute[]): AnyRoute {
  return showingErrors(docsRoute(routes))
}
