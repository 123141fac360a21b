import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerOf } from '../../../test/support/http.ts'
import { nextTurn } from '../../base/background.ts'
import { Failure } from '../../base/errors.ts'
import { lasting, onBehalfOf } from '../../base/requester.ts'
import type { Transaction } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import { Expansions } from './expansions.ts'

const ANYBODY = callerOf('anonymous')

/** Longer than any test: here nothing waits too long. */
const PATIENCE = 600_000

function open() {
  const expansions = new Expansions({ storage: { pause: () => nextTurn() }, patience: PATIENCE })
  const order: string[] = []
  const ends = new Map<string, () => void>()
  /** Starts work of a client that continues until it is ended. */
  const start = (
    name: string,
    { client = 'a', caller = ANYBODY, kind = 'run' as 'run' | 'compare' } = {},
  ): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(name, resolve)
    return onBehalfOf(lasting(client), () =>
      expansions[kind](caller, async () => {
        order.push(name)
        await promise
      }),
    )
  }
  const end = (name: string): void => ends.get(name)?.()
  return { expansions, order, start, end }
}

test('callers without credentials are served one at a time, their addresses in turn, others beside them', async () => {
  const { order, start, end } = open()
  const all = [start('a1'), start('a2'), start('a3'), start('b1', { client: 'b' })]
  all.push(start('editor', { caller: callerOf('editor') }))
  await nextTurn(3)
  assert.deepEqual(order, ['a1', 'editor'])
  for (const name of ['a1', 'a2', 'b1', 'a3', 'editor']) {
    end(name)
    await nextTurn(3)
  }
  await Promise.all(all)
  assert.deepEqual(order, ['a1', 'editor', 'a2', 'b1', 'a3'])
})

test('so many of one address wait, and further ones are refused; another address still has room', async () => {
  const { start, end, order } = open()
  const running = start('first')
  const waiting = Array.from({ length: 16 }, (_, index) => start(`waiting ${index}`))
  await assert.rejects(start('too many'), (error) => error instanceof Failure && error.code === 'rest_too_busy')
  const other = start('other', { client: 'b' })
  end('first')
  for (let index = 0; index < 16; index += 1) end(`waiting ${index}`)
  end('other')
  await Promise.all([running, ...waiting, other])
  assert.equal(order.length, 18)
})

test('comparing with what is stored has places of its own: two of one client, eight in all, and so many wait', async () => {
  const { order, start, end } = open()
  const all = [start('dates')]
  const compare = (name: string, client: string): void => void all.push(start(name, { client, kind: 'compare' }))
  for (const client of ['a', 'b', 'c', 'd', 'e']) for (const turn of [1, 2, 3]) compare(`${client}${turn}`, client)
  await nextTurn(3)
  assert.deepEqual(order, ['dates', 'a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2'])
  for (const turn of [4, 5, 6, 7, 8, 9, 10]) compare(`a${turn}`, 'a')
  const ninth = start('a11', { kind: 'compare' })
  await assert.rejects(ninth, (error) => error instanceof Failure && error.code === 'rest_too_busy')
  while (order.length < 23) {
    for (const name of order) end(name)
    await nextTurn(3)
  }
  for (const name of order) end(name)
  await Promise.all(all)
})

test('inside of a transaction nothing waits for the work of others', async () => {
  const { expansions, order, start, end } = open()
  const editor = callerOf('editor')
  const running = start('running', { caller: editor })
  // Nothing of it is used.
  const tx = {} as Transaction
  await insideTransaction(tx, () => expansions.run(editor, async () => void order.push('in a batch')))
  await insideTransaction(tx, () => expansions.compare(editor, async () => void order.push('compared')))
  assert.deepEqual(order, ['running', 'in a batch', 'compared'])
  end('running')
  await running
})
