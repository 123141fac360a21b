import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createServer } from '../../src/http/server.ts'
import { openEndpoint } from '../../src/mcp/index.ts'
import { openTestApp } from '../support/app.ts'
import { serverParts } from '../support/http.ts'
import { PLAIN_SITE } from '../support/mcp.ts'
import { fixtureServer } from '../support/mcp-fixtures.ts'

const SUITE = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const BASELINE = join(import.meta.dirname, 'conformance-baseline.yml')

/** What is run against the product, by revision. */
const OF_PRODUCT = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    ...['server-stateless', 'tools-list', 'resources-list', 'sep-2164-resource-not-found', 'caching'],
    ...['dns-rebinding-protection', 'http-header-validation'],
  ],
}

/** What is run against the tools and resources of the suite, behind our HTTP. */
const OF_FIXTURES = {
  '2025-11-25': ['tools-call-with-logging', 'tools-call-sampling', 'tools-call-elicitation'],
  '2026-07-28': [
    ...['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error', 'with-progress'].map(
      (name) => `tools-call-${name}`,
    ),
    ...['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ],
}

/** Runs a scenario of the suite; what it printed, if it failed otherwise than the baseline says. */
async function failureOf(url: string, revision: string, scenario: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const flags = ['--url', url, '--scenario', scenario, '--spec-version', revision, '--expected-failures', BASELINE]
  execFile(process.execPath, [SUITE, 'server', ...flags], (error, output, problems) => {
    const isRun = /Passed: \d+\/\d+/.test(output)
    resolve(error === null && isRun ? undefined : `${revision} ${scenario}:\n${output}${problems}`)
  })
  return promise
}

/** Two at a time: each takes half a second. */
async function failuresOf(url: string, scenarios: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const left = Object.entries(scenarios).flatMap(([revision, names]) => names.map((name) => [revision, name] as const))
  const failures: string[] = []
  const run = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      failures.push((await failureOf(url, ...next)) ?? '')
  }
  await Promise.all([run(), run()])
  return failures.join('')
}

test('the conformance suite finds nothing in the product but what the baseline lists', async (t) => {
  const { origin } = await openTestApp(t)
  assert.equal(await failuresOf(`${origin}/mcp`, OF_PRODUCT), '')
})

test('its own tools and resources work behind our HTTP', async () => {
  const limits = { bodyLimit: 262_144, anonymousBodyLimit: 262_144 }
  const own = { isPrivate: false, host: '127.0.0.1', site: PLAIN_SITE, metadata: () => '', count: () => undefined }
  const server = createServer({
    ...serverParts([]),
    further: (deps) => {
      const target = { name: '/mcp', ...limits, ...openEndpoint(deps, { ...own, serverFor: fixtureServer }) }
      return [{ methods: ['GET', 'POST', 'DELETE'], path: '/mcp', target }]
    },
  })
  after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  assert.equal(await failuresOf(`http://127.0.0.1:${port}/mcp`, OF_FIXTURES), '')
})
