import { Conflict } from './errors.ts'
import type { Write } from './internal.ts'
import type { Connection } from './site.ts'
import type { Kind, RemoveOptions, Target, TrashWrites, WriteOptions } from './types.ts'

export const KINDS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const satisfies readonly Kind[]

/** Sends a write, or adds it to a batch. It is made only then, as it may have to read the item. */
type Run = (make: () => Promise<Write>) => unknown

export function writesOf<K extends Kind>(connection: Connection, kind: K, run: Run): TrashWrites<K> {
  const change = async (method: Write['method'], target: Target, { ifMatch }: WriteOptions): Promise<Write> => {
    // In a batch, an item that is created there has a reference as its ID.
    const path = `/${kind}/${typeof target === 'object' ? target.id : target}`
    const tag = ifMatch ?? (await tagOf(connection, path, target))
    return { method, path, headers: tag ? { 'If-Match': tag } : {} }
  }
  const update = (target: Target, values: object, { scope, ...options }: WriteOptions = {}): unknown =>
    run(async () => ({ ...(await change('PATCH', target, options)), body: { ...values, ...(scope && { scope }) } }))
  const remove = (target: Target, { scope, permanent, ...options }: RemoveOptions = {}): unknown => {
    const query = new URLSearchParams({ ...(permanent && { force: 'true' }), ...(scope && { scope }) }).toString()
    return run(async () => {
      const { path, ...write } = await change('DELETE', target, options)
      return { ...write, path: query === '' ? path : `${path}?${query}` }
    })
  }
  const create = (body: object): unknown => run(async () => ({ method: 'POST', path: `/${kind}`, body }))
  const restore = (target: Target): unknown => update(target, { status: 'draft' })
  return { create, update, remove, restore } as TrashWrites<K>
}

/**
 * The tag of the object that was read. One of a list has none: its item is read, and must be as the list showed it.
 * @throws Conflict
 */
async function tagOf(connection: Connection, path: string, target: Target): Promise<string | undefined> {
  if (typeof target !== 'object' || path.includes('$ref:')) return undefined
  const known = connection.tags.get(target)
  if (known !== undefined) return known
  const item = await connection.item({ url: await connection.url(path) })
  if (agree(target, item)) return connection.tags.get(item)
  throw new Conflict('The item has changed since it was read.', { code: 'precondition_failed', status: 412 })
}

/** Whether all members that both have are the same: lists show less of an item, and of what it embeds. */
function agree(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return one === other
  if (Array.isArray(one) && one.length !== (other as readonly unknown[]).length) return false
  const members: Readonly<Record<string, unknown>> = { ...other }
  return Object.entries(one).every(([name, value]) => !(name in members) || agree(value, members[name]))
}
