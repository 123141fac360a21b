import { KalendsError } from './errors.ts'
import { KINDS } from './kinds.ts'
import type { Connection } from './site.ts'
import type { Batch, Write } from './types.ts'
import { writesOf } from './writes.ts'

const MOST = 100

/**
 * Sends what `collect` calls as one request; all of it is done, or nothing. Returns what `collect` returns, with items
 * in place of references. @throws batch_too_much before anything is sent
 */
export async function runBatch<T>(connection: Connection, collect: (batch: Batch) => T): Promise<T> {
  await connection.require('batches')
  const makers: (() => Promise<Write>)[] = []
  const references = new Map<unknown, number>()
  const run = (make: () => Promise<Write>): unknown => {
    const reference = referenceTo(`r${makers.length}`)
    references.set(reference, makers.length)
    makers.push(make)
    return reference
  }
  const batch = Object.fromEntries(KINDS.map((kind) => [kind, writesOf(connection, kind, run)]))
  const result = collect(batch as unknown as Batch)
  if (makers.length > MOST) {
    throw new KalendsError(`A batch has at most ${MOST} requests, not ${makers.length}.`, { code: 'batch_too_much' })
  }
  const items = makers.length === 0 ? [] : await send(connection, await Promise.all(makers.map((make) => make())))
  return resolved(result, (value) => items[references.get(value) ?? -1]) as T
}

async function send(connection: Connection, writes: readonly Write[]): Promise<object[]> {
  const requests = writes.map((write, index) => ({ id: `r${index}`, ...write }))
  const url = await connection.url('kalends/v1/batch')
  const { body } = await connection.sender.send({ url, method: 'POST', body: { requests } })
  return body.responses.map((response: { body: object; headers: Record<string, string> }) => {
    const tag = response.headers['etag']
    if (tag !== undefined) connection.tags.set(response.body, tag)
    return response.body
  })
}

/** Stands for an item that does not exist yet: each of its members is sent as `$ref:ID.member`. */
function referenceTo(path: string): object {
  const get = (_: object, name: string | symbol): unknown => {
    if (name === 'toJSON' || name === Symbol.toPrimitive) return () => `$ref:${path}`
    return typeof name === 'symbol' || name === 'then' ? undefined : referenceTo(`${path}.${name}`)
  }
  return new Proxy({}, { get })
}

/** A copy of lists and plain objects in which `find` has replaced values. */
function resolved(value: unknown, find: (value: unknown) => unknown): unknown {
  const found = find(value)
  if (found !== undefined) return found
  if (Array.isArray(value)) return value.map((one) => resolved(one, find))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, find)]))
}
