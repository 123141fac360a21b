import { fail } from '../../base/errors.ts'
import { translateKnown } from '../../base/i18n/translate.ts'
import { endOfToday, localFromMillis } from '../../base/time/zones.ts'
import { type AnyField, type ComputedDefault, field } from '../../model/kinds/field.ts'
import type { Declared, Kind } from '../../model/kinds/kind.ts'
import { findNamespace, type Namespace } from '../namespace.ts'
import { INDEX } from '../openapi/service-schemas.ts'
import { SPOKEN } from '../response/http-response.ts'
import { discovery } from '../response/respond.ts'
import { type AnyRoute, type Call, type Reply, route } from '../route.ts'

/** A parameter as the index and OPTIONS show it (wire: rest 5.1). */
export interface Argument extends Declared {
  /** In the language of the request. */
  readonly description: string
  /** Absent if there is none. */
  readonly default?: unknown
  readonly required: boolean
}

/** Methods of a path that take the same parameters. */
export interface Endpoint {
  readonly methods: readonly string[]
  /** Arguments by name in declared order; `[]` when there are none. */
  readonly args: Readonly<Record<string, Argument>> | readonly []
}

/** The description of one path in the index and in OPTIONS. */
export interface PathDescription {
  readonly namespace: string
  /** Methods of all endpoints. */
  readonly methods: readonly string[]
  readonly endpoints: readonly Endpoint[]
  /** Absent for paths with a placeholder, and for those that cannot be read. */
  readonly _links?: { readonly self: readonly [{ readonly href: string }] }
}

/** A word that is not checked. */
const word: Kind<unknown> = { declared: {}, schema: { type: 'string' }, parse: (value) => ({ ok: true, value }) }

const calledNamespace: ComputedDefault = (_today, namespace) => namespace

const INDEX_FIELDS = [
  field('namespace', word, 'api.namespaceWhoseRoutesList', { shownDefault: calledNamespace }),
  field('context', word, 'api.purposeRequestEffect', { default: 'view' }),
] as const

/**
 * The route that lists all routes of its namespace, or of the requested one (interface: Index and documentation; wire:
 * rest 5.1). Each namespace has it; `spaces` may be filled after this call.
 */
export function indexRoute(namespaces: readonly Namespace[]): AnyRoute {
  return route({
    method: 'GET',
    path: '',
    operation: 'getIndex',
    summary: 'api.listRoutesParameters',
    description: 'api.returnsAllRoutesNamespace',
    pathFields: [],
    fields: INDEX_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: INDEX },
    errors: ['rest_invalid_namespace'],
    scope: 'read',
    open: () => true,
    handle: async (call) => indexReply(call, call.values.namespace, namespaces),
  })
}

function indexReply(call: Call<unknown>, asked: unknown, namespaces: readonly Namespace[]): Reply {
  const namespace = asked ?? call.mount.namespace
  const found = findNamespace(namespaces, namespace)
  if (found === undefined || typeof namespace !== 'string') throw fail('rest_invalid_namespace')
  const described = [...Map.groupBy(found.routes, (one) => one.path)].map(([path, routes]) => [
    `/${namespace}${patternOf(path)}`,
    describePath(path, routes, { call, namespace }),
  ])
  const body = {
    namespace,
    routes: Object.fromEntries(described),
    _links: { up: [{ href: call.urls.root('/') }] },
  }
  const headers = { ...SPOKEN, ...discovery(call.urls, call.urls.api('/')) }
  // Defaults of dates are those of today.
  return {
    status: 200,
    body,
    headers,
    freshness: { dependencies: [], until: endOfToday(call.now, call.context.siteZone) },
  }
}

/** What OPTIONS returns for the routes of one path (wire: rest 6). */
export function describeRoutes(path: string, routes: readonly AnyRoute[], call: Call<unknown>): PathDescription {
  return describePath(path, routes, { call, namespace: call.mount.namespace })
}

interface Describing {
  readonly call: Call<unknown>
  readonly namespace: string
}

function describePath(path: string, routes: readonly AnyRoute[], describing: Describing): PathDescription {
  const { call, namespace } = describing
  const endpoints = [...Map.groupBy(routes, endpointKey).values()].map((same) => ({
    methods: same.map((one) => one.method),
    args: argsOf(same, routes, describing),
  }))
  const self = { self: [{ href: call.urls.root(`/${namespace}${path}`) }] as const }
  return {
    namespace,
    methods: endpoints.flatMap((one) => one.methods),
    endpoints,
    // An address without a GET, or with one that needs parameters, is nothing to follow.
    ...(!path.includes(':') && routes.some(isFollowed) && { _links: self }),
  }
}

function isFollowed({ method, fields }: AnyRoute): boolean {
  return method === 'GET' && !fields.some(({ required }) => required)
}

/** The three methods of an update are one endpoint. */
function endpointKey(one: AnyRoute): string {
  return one.hasBody ? `body ${one.fields.map((member) => member.name).join()}` : one.method
}

function argsOf([first]: readonly AnyRoute[], routes: readonly AnyRoute[], describing: Describing): Endpoint['args'] {
  if (first === undefined) return []
  const fields = [...first.pathFields, ...inShownOrder(first, routes)].filter((one) => one.unlisted !== true)
  if (fields.length === 0) return []
  // A field with the name of a path parameter takes its place: the slug in the body of an update by slug is optional.
  return Object.fromEntries(fields.map((one) => [one.name, describeField(one, describing)]))
}

/** Parameters of reading an item, such as a password, precede the fields that change it (interface: Endpoints). */
function inShownOrder(one: AnyRoute, routes: readonly AnyRoute[]): readonly AnyField[] {
  const reading = routes.find((other) => other.method === 'GET')
  const isRead = (member: AnyField): boolean => reading?.fields.some((other) => other.name === member.name) === true
  if (!one.hasBody || one.pathFields.length === 0) return one.fields
  return [...one.fields.filter(isRead), ...one.fields.filter((member) => !isRead(member))]
}

function describeField(one: AnyField, { call, namespace }: Describing): Argument {
  const shown = 'shownDefault' in one ? one.shownDefault : one.default
  // A default that is a function is one that is computed: values of fields are data.
  const value = typeof shown === 'function' ? (shown as ComputedDefault)(todayOf(call), namespace) : shown
  return {
    description: translateKnown(call.language, one.description),
    ...one.declared,
    ...(value !== undefined && { default: value }),
    required: one.required,
  }
}

/** The day that it is in the zone of the site. */
function todayOf(call: Call<unknown>): string {
  return localFromMillis(call.now, call.context.siteZone).slice(0, 10)
}

function patternOf(path: string): string {
  return path.replaceAll('.', '\\.').replace(':id', '(?P<id>\\d+)').replace(':slug', '(?P<slug>[^/]+)')
}
