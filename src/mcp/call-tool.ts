import type { CallToolResult } from '@modelcontextprotocol/server'
import { type Failure, fail } from '../base/errors.ts'
import { type Caller, forbidden, hasScope, mayCreateEntries } from '../http/auth/rights.ts'
import { failureOf, RefusedRequest, type ToolFailure } from './failures.ts'
import type { AnyTool, ToolContext } from './tool.ts'

/** Milliseconds that a call may take. */
const PATIENCE = 10_000

/** How a call ended. */
export interface EndedCall {
  readonly tool: AnyTool
  /** `ok`, or the code of the error. */
  readonly code: string
  /** 200, or the status of the error. */
  readonly status: number
  /** Of the item that was changed; undefined where none is named. */
  readonly id: number | undefined
}

/** What a call needs beside what its tool works with. */
export interface CallDeps {
  readonly context: ToolContext
  /** Counts a call. @throws rest_too_many_requests */
  charge(isWrite: boolean): void
  /** Logs an unexpected error. */
  report(error: unknown): void
  /** Told of each call, once. */
  ended(call: EndedCall): void
  /** Milliseconds that it may take; 10 seconds if absent. */
  readonly patience?: number
}

/** Whether a tool changes something. */
export function isWriteTool({ scope }: Pick<AnyTool, 'scope'>): boolean {
  return scope !== 'read'
}

/** Whether a caller may use a tool; for which items, its routes decide. */
export function mayUse(caller: Caller, { scope }: Pick<AnyTool, 'scope'>): boolean {
  return scope === 'read' || (hasScope(caller, scope) && mayCreateEntries(caller.role))
}

/** Calls a tool. Whatever goes wrong is a result that says so by a code: a program may be able to mend it. */
export async function callTool(deps: CallDeps, tool: AnyTool, args: unknown): Promise<CallToolResult> {
  const called = await outcomeOf(deps, tool, args)
  const { code, status } = 'failure' in called ? called.failure : { code: 'ok', status: 200 }
  const id = ('result' in called ? idIn(called.result) : undefined) ?? idIn(args)
  deps.ended({ tool, code, status, id })
  if ('failure' in called) return { content: [{ type: 'text', text: JSON.stringify(called.failure) }], isError: true }
  return { content: [{ type: 'text', text: called.text }], structuredContent: called.result }
}

type Outcome = { readonly result: Record<string, unknown>; readonly text: string } | { readonly failure: ToolFailure }

async function outcomeOf(deps: CallDeps, tool: AnyTool, args: unknown): Promise<Outcome> {
  try {
    if (!mayUse(deps.context.caller, tool)) throw forbidden(deps.context.caller)
    deps.charge(isWriteTool(tool))
    const result = await inTime(deps, tool, readArguments(tool, args))
    return { result, text: JSON.stringify(result) }
  } catch (error) {
    return { failure: toldOf(error, deps) }
  }
}

/** What is told of whatever was thrown; it is logged where nothing has said so yet. */
export function toldOf(error: unknown, { report, context }: Pick<CallDeps, 'report' | 'context'>): ToolFailure {
  if (!(error instanceof RefusedRequest)) report(error)
  return failureOf(error, context.language)
}

/** Wrong arguments that are named, and the longest name. */
const [NAMED, NAME_SHOWN] = [20, 64]

/** The arguments as the schema of a tool reads them. @throws rest_invalid_param that names all wrong ones */
function readArguments({ input }: AnyTool, args: unknown): unknown {
  const read = input.safeParse(args ?? {})
  if (read.success) return read.data
  const params = new Map<string, string>()
  for (const { path, message, ...issue } of read.error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    for (const key of keys) {
      const name = [...path, ...(key === undefined ? [] : [key])].join('.').slice(0, NAME_SHOWN) || 'arguments'
      const text = key === undefined ? message : 'There is no such argument'
      if (params.size < NAMED && !params.has(name)) params.set(name, text)
    }
  }
  const names = Array.from(params.keys()).join(', ')
  throw fail('rest_invalid_param', { params: names }, { params: Object.fromEntries(params) })
}

async function inTime({ context, patience = PATIENCE }: CallDeps, tool: AnyTool, args: unknown) {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const tooLate = (): Failure => fail(isWriteTool(tool) ? 'rest_write_uncertain' : 'rest_query_too_costly')
  const timer = setTimeout(() => reject(tooLate()), patience)
  try {
    return (await Promise.race([tool.run(context, args), late])) as Record<string, unknown>
  } finally {
    clearTimeout(timer)
  }
}

function idIn(value: unknown): number | undefined {
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : undefined
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}
