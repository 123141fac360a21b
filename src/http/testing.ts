import { ANONYMOUS, type Caller } from '../auth/caller.ts'
import { type Mount, NAMESPACE } from './mount.ts'
import type { AnyRoute, Call, Method, Reply } from './route.ts'
import { urlsOf } from './urls.ts'

/** A caller with a role, for tests. */
export function callerOf(role: Caller['role'], id = 1): Caller {
  return role === 'anonymous' ? ANONYMOUS : { id, role, name: role }
}

/** What a test says of its call; the rest is that of an anonymous GET on `https://calendar.example/cal/events/v1`. */
export interface CallSketch {
  readonly caller?: Caller
  readonly language?: string
  readonly mount?: Partial<Mount>
  readonly sent?: Readonly<Record<string, unknown>>
  /** Unix milliseconds. */
  readonly now?: number
}

/** A call as a route sees it. */
export function callFor(sketch: CallSketch = {}): Call {
  const mount = { language: '', prefix: '', namespace: NAMESPACE, ...sketch.mount }
  const now = sketch.now ?? Date.UTC(2026, 10, 20, 12)
  return {
    caller: sketch.caller ?? ANONYMOUS,
    now,
    context: { now, siteZone: 'UTC' },
    language: sketch.language ?? 'en',
    mount,
    urls: urlsOf('https://calendar.example', mount),
    path: {},
    sent: (name) => sketch.sent?.[name],
    values: {},
  }
}

/** What a test says of its route: what it answers, and where it differs from one without fields that is open to all. */
export type RouteSketch = Partial<AnyRoute> & { handle(call: Call): Promise<Reply> }

/** A route for a test. */
export function routeFor(method: Method, path: string, sketch: RouteSketch): AnyRoute {
  return {
    method,
    path,
    operation: `${method.toLowerCase()}${path.replace(/\W+/g, '_')}`,
    summary: 'A route of a test',
    pathFields: [],
    fields: [],
    hasBody: method !== 'GET' && method !== 'DELETE',
    fillsDefaults: method === 'GET',
    answer: { status: 200, schema: 'Event' },
    errors: [],
    open: () => true,
    ...sketch,
  }
}
