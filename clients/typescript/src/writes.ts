import { Conflict } from './errors.ts'
import type { Connection } from './site.ts'
import type { Kind, Kinds, Target, TrashWrites, WriteOptions } from './types.ts'

/** A write as a batch lists it. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Sends a write, or adds it to a batch. It is made only then, as it may have to read the item. */
type Run = (make: () => Promise<Write>) => unknown

export function writesOf<K extends Kind>(connection: Connection, kind: K, run: Run): TrashWrites<K> {
  const change = async (method: Write['method'], target: Target, { ifMatch }: WriteOptions): Promise<Write> => {
    const path = `/${kind}/${idOf(target)}`
    const tag = ifMatch ?? (await tagOf(connection, path, target))
    return { method, path, headers: tag ? { 'If-Match': tag } : {} }
  }
  const update = (target: Target, values: Kinds[K][3], options: WriteOptions = {}): unknown => {
    const body = options.scope === undefined ? values : { ...values, scope: options.scope }
    return run(async () => ({ ...(await change('PATCH', target, options)), body }))
  }
  const remove = (target: Target, options: WriteOptions & { permanent?: boolean } = {}): unknown => {
    const { scope, permanent } = options
    const query = new URLSearchParams({ ...(permanent && { force: 'true' }), ...(scope && { scope }) }).toString()
    return run(async () => {
      const { path, ...write } = await change('DELETE', target, options)
      return { ...write, path: query === '' ? path : `${path}?${query}` }
    })
  }
  const create = (body: object): unknown => run(async () => ({ method: 'POST', path: `/${kind}`, body }))
  const restore = (target: Target): unknown => update(target, { status: 'draft' } as Kinds[K][3])
  return { create, update, remove, restore } as TrashWrites<K>
}

/** In a batch, an item that is created there has a reference as its ID. */
function idOf(target: Target): string {
  return String(typeof target === 'object' ? target.id : target)
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
  if (lengthOf(one) !== lengthOf(other)) return false
  const members: Readonly<Record<string, unknown>> = { ...other }
  return Object.entries(one).every(([name, value]) => !(name in members) || agree(value, members[name]))
}

function lengthOf(value: object): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}
