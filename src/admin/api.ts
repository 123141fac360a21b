import { fail } from '../base/errors.ts'
import { callOf, dispatch } from '../http/dispatch.ts'
import type { Namespace } from '../http/namespace.ts'
import { NOTHING, type RawInput } from '../http/request/body.ts'
import type { Upload } from '../http/request/upload.ts'
import { preconditionsOf } from '../http/route/preconditions.ts'
import type { AnyRoute, Incoming, Method, Reply } from '../http/route.ts'

/** A call of the API by a page. */
export interface ApiCall {
  readonly method?: Method
  /** Path below the namespace of the calendar: `/events/9`; or with that of another one: `/kalends/v1/media`. */
  readonly path: string
  readonly query?: RawInput
  readonly body?: RawInput
  readonly upload?: Upload
  /** The mark of the version of the item that is to be changed, see `ItemVersion`. */
  readonly mark?: string
}

/** Calls routes as their callers would over HTTP: the same stages, rights and refusals. */
export type Api = (incoming: Incoming, call: ApiCall) => Promise<Reply>

/** The API of these namespaces; the first one is that of the calendar. */
export function openApi(namespaces: readonly Namespace[]): Api {
  const [calendar] = namespaces
  return async (incoming, { method = 'GET', path, query = NOTHING, body = NOTHING, upload, mark }) => {
    const namespace = namespaces.find(({ name }) => path.startsWith(`/${name}/`)) ?? calendar
    const below =
      namespace !== undefined && path.startsWith(`/${namespace.name}/`) ? path.slice(namespace.name.length + 1) : path
    const found = routeOf(namespace?.routes ?? [], method, below)
    if (found === undefined) throw fail('rest_no_route')
    const headers = mark === undefined ? {} : { 'if-match': tagWith(mark) }
    const preconditions = preconditionsOf(headers, false)
    const asked = { ...incoming, path: found.path, query, body, upload, preconditions, keyed: undefined }
    return withBody(await dispatch(found.route, callOf(found.route, asked)))
  }
}

/** A reply whose JSON was made beforehand has no other body. */
function withBody(reply: Reply): Reply {
  const { text, type } = reply
  if (text === undefined || type !== undefined) return reply
  return { ...reply, body: JSON.parse(String(Buffer.isBuffer(text) ? text : Buffer.concat(text.all))) as unknown }
}

/** An entity tag of any form of the item in this version: only its mark is compared. */
function tagWith(mark: string): string {
  return `"${'0'.repeat(22)}.${mark}"`
}

function routeOf(routes: readonly AnyRoute[], method: Method, path: string) {
  for (const route of routes) {
    const values = route.method === method ? valuesIn(route.path, path) : undefined
    if (values !== undefined) return { route, path: values }
  }
  return undefined
}

/** The parameters of a path; undefined where it is another one. */
function valuesIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const text = given[index] ?? ''
    if (segment.startsWith(':')) values[segment.slice(1)] = decodeURIComponent(text)
    else if (segment !== text) return undefined
  }
  // An ID is digits alone; other words are routes of their own.
  return values['id'] === undefined || /^\d+$/.test(values['id']) ? values : undefined
}
