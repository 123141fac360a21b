import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { fail } from '../base/errors.ts'
import { ANONYMOUS, type Caller } from '../http/auth/rights.ts'
import { type CallDeps, callTool, type EndedCall, mayUse } from './call-tool.ts'
import { RefusedRequest } from './failures.ts'
import { type Tool, type ToolContext, tool } from './tool.ts'

const EDITOR: Caller = { id: 1, role: 'editor', name: 'eve' }
const INPUT = z.strictObject({ kind: z.enum(['a', 'b']), limit: z.int().max(50).default(20) })
const OUTPUT = z.strictObject({ id: z.int() })

interface Sketch extends Partial<Pick<Tool<typeof INPUT, typeof OUTPUT>, 'scope' | 'run'>> {
  readonly caller?: Caller
}

/** Calls a tool with arguments; the result with what was noted of the call. */
async function call({ caller = EDITOR, ...own }: Sketch, args: unknown) {
  const ended: EndedCall[] = []
  const reported: unknown[] = []
  const charged: boolean[] = []
  const deps: CallDeps = {
    context: { caller, language: 'en' } as ToolContext,
    charge: (isWrite) => void charged.push(isWrite),
    report: (error) => void reported.push(error),
    ended: (one) => void ended.push(one),
    patience: 20,
  }
  const declared = tool({
    ...{ name: 'x', title: 'X', description: 'X', scope: 'read', annotations: {} },
    ...{ input: INPUT, output: OUTPUT, run: async () => ({ id: 4 }) },
    ...own,
  })
  const { isError, content, structuredContent } = await callTool(deps, declared, args)
  const [block] = content
  const told = JSON.parse(block?.type === 'text' ? block.text : '') as Record<string, unknown>
  return { isError, told, structuredContent, ended, reported, charged }
}

test('a result is there twice: as a structure, and as the same JSON in one text', async () => {
  const { told, structuredContent, ended, charged } = await call({}, { kind: 'a' })
  assert.deepEqual([told, structuredContent], [{ id: 4 }, { id: 4 }])
  assert.deepEqual([ended[0]?.code, ended[0]?.id, charged], ['ok', 4, [false]])
})

test('all wrong arguments are named at once, and nothing is done', async () => {
  let ran = false
  const run = async (): Promise<{ id: number }> => {
    ran = true
    return { id: 1 }
  }
  const { isError, told } = await call({ run }, { kind: 'c', limit: 51, more: 1, 'and more': 2 })
  assert.equal(isError, true)
  assert.equal(told['code'], 'rest_invalid_param')
  assert.equal(told['status'], 400)
  assert.deepEqual(Object.keys(told['params'] as object).sort(), ['and more', 'kind', 'limit', 'more'])
  assert.equal(ran, false)
  assert.equal((await call({}, undefined)).told['code'], 'rest_invalid_param')
})

test('the error of a route is told by its code, a limit with the seconds until it ends', async () => {
  const headers = { 'retry-after': '30' }
  const body = { code: 'precondition_failed', message: 'Read it again.', data: { status: 412, params: { id: 'x' } } }
  const refuse = async (): Promise<never> => {
    throw new RefusedRequest({ status: 412, headers: {}, body })
  }
  const { isError, told, reported } = await call({ run: refuse }, { kind: 'a' })
  assert.equal(isError, true)
  assert.deepEqual(told, {
    code: 'precondition_failed',
    status: 412,
    message: 'Read it again.',
    params: { id: 'x' },
  })
  assert.deepEqual(reported, [])
  const late = await call({ run: () => Promise.reject(fail('rest_too_many_requests', { seconds: 30 })) }, { kind: 'a' })
  assert.equal(late.told['retry_after'], Number(headers['retry-after']))
})

test('nothing of an unexpected error is told, and it is reported', async () => {
  const run = (): Promise<never> => Promise.reject(new Error('a secret of the program'))
  const { isError, told, reported, ended } = await call({ run }, { kind: 'a' })
  assert.equal(isError, true)
  assert.equal(told['code'], 'internal_server_error')
  assert.doesNotMatch(JSON.stringify(told), /secret/)
  assert.equal(reported.length, 1)
  assert.equal(ended[0]?.status, 500)
})

test('a call that takes too long fails: a read was too costly, what became of a write is uncertain', async () => {
  const run = (): Promise<never> => Promise.withResolvers<never>().promise
  assert.equal((await call({ run }, { kind: 'a' })).told['code'], 'rest_query_too_costly')
  const write = await call({ run, scope: 'events:write' }, { kind: 'a' })
  assert.equal(write.told['code'], 'rest_write_uncertain')
  assert.deepEqual(write.charged, [true])
})

test('tools that change something are for roles that may, and for tokens with their scope', async () => {
  const write = { scope: 'events:write' } as const
  const may = (caller: Caller): boolean => mayUse(caller, write)
  assert.ok(may(EDITOR))
  assert.ok(may({ ...EDITOR, role: 'contributor', scopes: ['events:write'] }))
  assert.ok(may({ ...EDITOR, scopes: ['admin'] }))
  assert.ok(!may({ ...EDITOR, scopes: ['read', 'terms:write'] }))
  assert.ok(!may({ ...EDITOR, role: 'subscriber', scopes: ['events:write'] }))
  assert.ok(!may(ANONYMOUS))
  assert.ok(mayUse(ANONYMOUS, { scope: 'read' }))
  const { told } = await call({ ...write, caller: { ...EDITOR, role: 'subscriber' } }, { kind: 'a' })
  assert.deepEqual([told['code'], told['status']], ['rest_forbidden', 403])
})
