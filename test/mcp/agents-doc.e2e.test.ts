import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { TOOLS } from '../../src/mcp/tools/index.ts'
import { openTestApp } from '../support/app.ts'
import { connectMcp } from '../support/mcp.ts'
import { tokenOf } from '../support/tokens.ts'

const DOC = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8')
const EXAMPLE = 'https://calendar.example/mcp'

/** Where the program of a snippet connects to, and with which header. */
interface Setting {
  readonly url: string
  readonly authorization: string
}

/** One entry of a file with servers, as any of the programs has it. */
interface Entry {
  readonly type?: string
  readonly url?: string
  readonly serverUrl?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

function ofFile(text: string): Setting {
  const { mcpServers, servers } = JSON.parse(text) as Record<string, Record<string, Entry>>
  const { url, serverUrl, headers, args = [], env = {} } = (mcpServers ?? servers)?.['kalends'] ?? {}
  const [, , bridged = '', , header = ''] = args
  const sent = headers?.['Authorization'] ?? header.replace(/^Authorization:/, '')
  return {
    url: url ?? serverUrl ?? bridged,
    authorization: sent.replace(/\$\{(KALENDS_AUTHORIZATION)\}/, (_all, name: string) => env[name] ?? ''),
  }
}

function ofCommand(text: string): Setting {
  const [, url = '', authorization = ''] =
    /^claude mcp add --transport http kalends (\S+) --header "Authorization: (.*)"\n$/.exec(text) ?? []
  return { url, authorization }
}

const app = await openTestApp({ after })

test('each program that is set up as the guide says connects and sees all tools', async (t) => {
  const { token } = await tokenOf(app, 'editor', 'read', 'events:write')
  const snippets = [...DOC.matchAll(/^```(json|sh)\n(.*?)^```/gms)]
  assert.equal(snippets.length, 6)
  for (const [snippet, language, text = ''] of snippets) {
    const { url, authorization } = language === 'json' ? ofFile(text) : ofCommand(text)
    assert.equal(url, EXAMPLE, snippet)
    const header = authorization.replace(
      /\$KALENDS_TOKEN|\$\{(?:env:KALENDS_TOKEN|KALENDS_TOKEN|input:kalends-token)\}|TOKEN$/,
      token,
    )
    const client = await connectMcp(t, { origin: app.origin, headers: { authorization: header } })
    assert.equal((await client.listTools()).tools.length, TOOLS.length, snippet)
  }
})

test('the guide names each tool with what it needs', () => {
  const [, reading = '', writing = ''] = /\n\|---\|---\|\n(.*)\n(.*)\n/.exec(DOC) ?? []
  for (const { name, scope } of TOOLS) assert.ok((scope === 'read' ? reading : writing).includes(`\`${name}\``), name)
})
