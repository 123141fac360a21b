import openTable, { type HTTPMethod } from 'find-my-way'
import { fail } from '../../errors.ts'
import type { MountOptions } from '../mount.ts'
import { readForm, type Sent } from '../request/body.ts'
import { readAddress } from '../request/head.ts'
import type { ServerRequest } from '../request/server-request.ts'

/** What responds to the requests of one path. */
export interface Target {
  /** As statistics name it: `/cal/events/v1/events/:id`; `none` where there is no route. */
  readonly name: string
  /** Largest body, in bytes. */
  readonly bodyLimit: number
  /** Whether it is asked however often: its requests are not counted for their clients. */
  readonly isUncounted?: boolean
  /** Before anything of the body is taken in: whether it has responded already. */
  precheck?(request: ServerRequest): Promise<boolean>
  respond(request: ServerRequest): Promise<void>
}

/** A target with its path, which has `:name` segments, or `*` at its end for the rest. */
export interface TargetPath {
  readonly methods: readonly HTTPMethod[]
  readonly path: string
  readonly target: Target
}

/** Finds what responds to a request, and reads its address on the way. */
export type Router = (request: ServerRequest) => Target

/** Longest path parameter, in characters. */
const PARAMETER_LENGTH = 2048

/** A router for paths; `nowhere` is the target of all others. @throws Error for two targets of one path and method */
export function openRouter(paths: readonly TargetPath[], nowhere: Target, names: MountOptions): Router {
  const table = openTable({
    maxParamLength: PARAMETER_LENGTH,
    querystringParser: (text) => readForm(text),
    // Both tell of themselves by having no target.
    onBadUrl: () => undefined,
    onMaxParamLength: () => undefined,
  })
  for (const { methods, path, target } of paths) table.on([...methods], path, () => undefined, target)
  return (request) => {
    const url = readAddress(request, names)
    const found = table.find(request.method as HTTPMethod, url)
    if (found === null) {
      request.query = queryIn(url)
      return nowhere
    }
    if (found.store === null) throw fail('rest_bad_request')
    request.query = found.searchParams as Sent
    request.path = found.params as Readonly<Record<string, string>>
    return found.store as Target
  }
}

function queryIn(url: string): Sent {
  const cut = url.indexOf('?')
  return readForm(cut < 0 ? '' : url.slice(cut + 1))
}
