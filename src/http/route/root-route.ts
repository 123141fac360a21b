import { localFromMillis, millisFromUtc } from '../../base/time/zones.ts'
import { ROOT_PATH } from '../address.ts'
import { type Namespace, namesOf } from '../namespace.ts'
import { INDEX } from '../openapi/service-schemas.ts'
import { type AnyRoute, type Call, route } from '../route.ts'

/** What the root index says about the site. */
export interface RootDeps {
  /** Its name and IANA zone may change. */
  readonly site: { readonly name: string; readonly zone: string }
  readonly namespaces: readonly Namespace[]
}

/**
 * The index above the namespaces, which every index links as `up`: generic clients find the namespaces here (wire: rest
 * 7). It is outside the namespace, so neither index nor document describe it.
 */
export function rootRoute({ site, namespaces }: RootDeps): AnyRoute {
  const names = namesOf(namespaces)
  return route({
    method: 'GET',
    path: ROOT_PATH,
    operation: 'getRoot',
    pathFields: [],
    fields: [],
    hasBody: false,
    fillsDefaults: false,
    response: { status: 200, schema: INDEX },
    errors: [],
    scope: 'read',
    open: () => true,
    handle: async (call) => {
      const routes = names.map((namespace) => [`/${namespace}`, pathOf(namespace, call)])
      const about = { ...aboutSite(site, call.urls), home: call.urls.page('/') }
      // An empty list says that no page hands out application passwords: they are made with a command.
      const access = { authentication: [] }
      const clock = clockOf(site, call.now)
      const body = { ...about, ...clock, namespaces: names, ...access, routes: Object.fromEntries(routes) }
      // Clocks change on quarter hours of UTC.
      return {
        status: 200,
        body,
        freshness: { dependencies: [], until: (Math.floor(call.now / QUARTER) + 1) * QUARTER },
      }
    },
  })
}

/** How the site calls itself. */
export function aboutSite({ name }: RootDeps['site'], urls: Call<unknown>['urls']) {
  return { name, description: 'An event calendar', url: urls.page('/') }
}

/** The clock of the site at a moment, Unix milliseconds. */
export function clockOf({ zone }: RootDeps['site'], now: number) {
  return { gmt_offset: hoursAhead(zone, now), timezone_string: zone }
}

const QUARTER = 15 * 60_000

/** Hours that the clock of a zone is ahead of UTC at a moment in Unix milliseconds: 5.5, -4. */
function hoursAhead(zone: string, now: number): number {
  return (millisFromUtc(localFromMillis(now, zone)) - Math.floor(now / 1000) * 1000) / 3_600_000
}

function pathOf(namespace: string, { urls }: Call<unknown>): Readonly<Record<string, unknown>> {
  const self = [{ href: urls.root(`/${namespace}`) }]
  return { namespace, methods: ['GET'], endpoints: [{ methods: ['GET'], args: [] }], _links: { self } }
}
