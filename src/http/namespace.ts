import { NAMESPACE, OWN_NAMESPACE, TEC_NAMESPACE, WRITERS_NAMESPACE } from '../base/config/namespaces.ts'
import type { NamespaceNames } from './address.ts'
import type { AnyRoute } from './route.ts'

/** The namespaces beside that of the interface document. */
export { OWN_NAMESPACE, TEC_NAMESPACE, WRITERS_NAMESPACE }

/**
 * A namespace with its routes: that of the interface document, or one of our own beside it. All of them answer under the
 * same mounts and through the same stages (decisions: Names and addresses).
 */
export interface Namespace extends NamespaceNames {
  /** Paths are below the namespace. */
  readonly routes: readonly AnyRoute[]
}

/** The namespace of the interface document with its routes and further names. */
export function calendarNamespace(routes: readonly AnyRoute[], aliases: readonly string[] = []): Namespace {
  return { name: NAMESPACE, aliases, routes }
}

/** A path of a namespace with the routes that response it. */
export interface PathRoutes {
  /** Below the namespace, as the routes have it: `/events/:id`. */
  readonly below: string
  /** Internal address of it: `/cal/events/v1/events/:id`. */
  readonly path: string
  readonly routes: readonly AnyRoute[]
}

/** The paths of a namespace in their order. */
export function pathsOf({ name, routes }: Namespace): PathRoutes[] {
  return [...Map.groupBy(routes, ({ path }) => path)].map(([below, own]) => ({
    below,
    path: `/${name}${below}`,
    routes: own,
  }))
}

/** All names of the namespaces in their order, each followed by its aliases. */
export function namesOf(namespaces: readonly Namespace[]): string[] {
  return namespaces.flatMap((one) => [one.name, ...one.aliases])
}

/** The namespace that answers to a name, written exactly so; undefined if there is none. */
export function findNamespace(namespaces: readonly Namespace[], name: unknown): Namespace | undefined {
  return namespaces.find((one) => one.name === name || one.aliases.some((alias) => alias === name))
}
