import { KalendsError } from './errors.ts'
import type { Write } from './internal.ts'
import type { Connection } from './site.ts'
import type { Batch } from './types.ts'
import { KINDS, writesOf } from './writes.ts'

const MOST = 100

/**
 * Sends what `collect` calls as one request; all of it is done, or nothing. Returns what `collect` returns, as JSON with
 * items in place of references. @throws batch_too_much before anything is sent
 */
export async function runBatch<T>(connection: Connection, collect: (batch: Batch) => T | Promise<T>): Promise<T> {
  await connection.require('batches')
  const makers: (() => Promise<Write>)[] = []
  const run = (make: () => Promise<Write>): object => referenceTo(`r${makers.push(make) - 1}`)
  const batch = Object.fromEntries(KINDS.map((kind) => [kind, writesOf(connection, kind, run)]))
  const result = JSON.stringify((await collect(batch as unknown as Batch)) ?? null)
  if (makers.length > MOST) {
    throw new KalendsError(`A batch has at most ${MOST} requests, not ${makers.length}.`, { code: 'batch_too_much' })
  }
  const items = makers.length === 0 ? [] : await send(connection, await Promise.all(makers.map((make) => make())))
  return JSON.parse(result, (_name, value) => items[/^\$ref:r(\d+)$/.exec(value)?.[1] as never] ?? value)
}

async function send(connection: Connection, writes: readonly Write[]): Promise<object[]> {
  const requests = writes.map((write, index) => ({ id: `r${index}`, ...write }))
  const url = await connection.url('kalends/v1/batch')
  const { body } = await connection.sender.send({ url, method: 'POST', body: { requests } })
  return body.responses.map((response: { body: object; headers: Record<string, string> }) => {
    connection.remember(response.body, response.headers['etag'])
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
