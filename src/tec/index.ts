/** The namespace `tec/v1`: the calendar as clients of that interface expect it. */

import { type Namespace, TEC_NAMESPACE } from '../http/namespace.ts'
import type { TecDeps } from './deps.ts'
import { showingErrors } from './refuse.ts'
import { readRoutes } from './routes-read.ts'
import { writeRoutes } from './write/routes.ts'

/** Opens the namespace. */
export function openTec(deps: TecDeps): Namespace {
  const routes = [...readRoutes(deps), ...writeRoutes(deps)]
  return { name: TEC_NAMESPACE, aliases: [], routes: routes.map(showingErrors) }
}
