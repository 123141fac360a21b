import { rootOf } from './index-route.ts'
import { NAMESPACE, ROOT_PATH } from './mount.ts'
import { type AnyRoute, route } from './route.ts'

/** What the root index says of the site. */
export interface RootParts {
  /** Name of the site. */
  readonly name: string
  /** IANA zone of the site. */
  readonly zone: string
  /** Further namespaces under which the routes answer. */
  readonly aliases: readonly string[]
}

/**
 * The index above the namespaces, which every index names as `up`: generic clients read here which namespaces there
 * are (wire: rest 7). It stands outside the namespace, so neither index nor document describe it.
 */
export function rootRoute({ name, zone, aliases }: RootParts): AnyRoute {
  const namespaces = [NAMESPACE, ...aliases]
  return route({
    method: 'GET',
    path: ROOT_PATH,
    operation: 'getRoot',
    summary: 'List the namespaces',
    pathFields: [],
    fields: [],
    hasBody: false,
    fillsDefaults: false,
    answer: { status: 200, schema: 'Index' },
    errors: [],
    open: () => true,
    handle: async (call) => {
      const routes = namespaces.map((namespace) => [`/${namespace}`, pathOf(namespace, rootOf(call))])
      const about = { name, description: 'An event calendar', url: call.urls.page('/'), home: call.urls.page('/') }
      const body = { ...about, timezone_string: zone, namespaces, routes: Object.fromEntries(routes) }
      return { status: 200, body }
    },
  })
}

function pathOf(namespace: string, root: string): Readonly<Record<string, unknown>> {
  const self = [{ href: `${root}/${namespace}` }]
  return { namespace, methods: ['GET'], endpoints: [{ methods: ['GET'], args: [] }], _links: { self } }
}
