import assert from 'node:assert/strict'
import type { AnySchema, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Role } from '../../src/http/auth/rights.ts'
import type { TestApp } from './app.ts'
import type { TestScope } from './at-end.ts'
import { connectMcp, type McpHeaders } from './mcp.ts'

/** How a call of a tool ended: its result, or the failure that it names. */
export interface Called {
  readonly isError: boolean
  // Tests look into results of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly body: any
}

/** A program that calls tools; each result is compared with the schema of its tool, and its length with the limit. */
export interface ToolCaller {
  /** Names of the tools that are listed. */
  readonly tools: readonly string[]
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Called>
  /** A call that succeeds. */
  result(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Called['body']>
  /** The code of a call that fails. */
  code(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>
  /** The text of a resource. */
  read(uri: string): Promise<string>
}

/** Most bytes of a result. */
const RESULT_LIMIT = 25_000

/** A program with the credentials of a role, of nobody, or with some headers. */
export async function toolCaller(t: TestScope, app: TestApp, as: Role | 'anonymous' | McpHeaders): Promise<ToolCaller> {
  const headers = typeof as === 'object' ? as : as === 'anonymous' ? {} : { authorization: app.authorization(as) }
  const client = await connectMcp(t, { origin: app.origin, headers })
  const { tools } = await client.listTools()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  const validators = new Map<string, ValidateFunction>(
    tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema as AnySchema)]),
  )
  const call: ToolCaller['call'] = async (name, args = {}) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: { ...args } })
    const [block, ...others] = content as { type: string; text: string }[]
    assert.deepEqual([block?.type, others], ['text', []])
    const body = JSON.parse(block?.text ?? '')
    if (isError) return { isError, body }
    assert.deepEqual(body, structuredContent)
    const validate = validators.get(name)
    assert.ok(validate?.(body), `${name}: ${JSON.stringify(validate?.errors)}`)
    const bytes = Buffer.byteLength(JSON.stringify(body))
    assert.ok(bytes <= RESULT_LIMIT, `${name}: ${bytes} bytes`)
    return { isError, body }
  }
  return {
    tools: tools.map(({ name }) => name),
    call,
    result: async (name, args) => {
      const { isError, body } = await call(name, args)
      assert.equal(isError, false, `${name}: ${JSON.stringify(body)}`)
      return body
    },
    code: async (name, args) => {
      const { isError, body } = await call(name, args)
      assert.equal(isError, true, `${name} succeeded`)
      return body.code
    },
    read: async (uri) => {
      const { contents } = await client.readResource({ uri })
      const [first] = contents as { text: string }[]
      return first?.text ?? ''
    },
  }
}
