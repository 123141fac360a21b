import { fail } from '../../base/errors.ts'
import type { BatchBounds } from './bounds.ts'

/** The bodies of the responses so far, by the ID of their request, and what bounds their repetition. */
export interface EarlierBodies {
  readonly bodies: ReadonlyMap<string, unknown>
  readonly bounds: Pick<BatchBounds, 'refer'>
}

const WHOLE = /^\$ref:([\w-]{1,64})\.([\w.-]{1,200})$/

/** Inside a path: a dot belongs to a reference only where the name of a member follows. */
const INSIDE = /\$ref:([\w-]{1,64})\.([\w-]{1,200}(?:\.[\w-]{1,200}){0,9})/g

/** A body whose texts `$ref:ID.member` are replaced by members of earlier responses. @throws batch_unknown_reference, batch_too_much */
export function resolveBody(value: unknown, earlier: EarlierBodies): unknown {
  if (typeof value === 'string') {
    const found = WHOLE.exec(value)
    return found === null ? value : memberOf(earlier, { id: found[1] ?? '', path: found[2] ?? '' })
  }
  if (Array.isArray(value)) return value.map((item) => resolveBody(item, earlier))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveBody(item, earlier)]))
}

/** A path whose references are replaced, percent-encoded. @throws batch_unknown_reference, batch_too_much */
export function resolvePath(path: string, earlier: EarlierBodies): string {
  return path.replace(INSIDE, (_text, id: string, member: string) => {
    const value = memberOf(earlier, { id, path: member })
    // Without it the path would name something else: a whole list in place of one of its items.
    if (typeof value === 'object') throw fail('batch_unknown_reference', { reference: `${id}.${member}` })
    return encodeURIComponent(String(value))
  })
}

/** Members of members are separated by dots, items of lists are numbered from 0: `venue.id`, `tags.0.id`. */
function memberOf(
  { bodies, bounds }: EarlierBodies,
  { id, path }: { readonly id: string; readonly path: string },
): unknown {
  let value = bodies.get(id)
  for (const name of path.split('.')) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    value = isThere ? Reflect.get(value as object, name) : undefined
  }
  if (value === undefined) throw fail('batch_unknown_reference', { reference: `${id}.${path}` })
  bounds.refer(value)
  return value
}
