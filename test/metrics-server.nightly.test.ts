import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from './support/free-port.ts'
import { type Samples, samplesOf } from './support/metrics.ts'
import { kalends, type ServerProcess, startServer } from './support/server.ts'

const HITS = 'kalends_cache_hits_total{kind="answer"}'
const MISSES = 'kalends_cache_misses_total{kind="answer"}'

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-metrics-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Somebody who listens on a free port. */
async function occupy(): Promise<{ other: Server; port: string }> {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  return { other, port: String((other.address() as AddressInfo).port) }
}

/** A server that offers metrics, and where. */
async function start(t: TestContext, flags: readonly string[] = []): Promise<{ server: ServerProcess; at: string }> {
  const port = await freePort()
  const server = await startServer(await newFolder(t), ['--metrics-port', String(port), ...flags])
  t.after(() => server.stop('SIGTERM'))
  return { server, at: `http://127.0.0.1:${port}/metrics` }
}

async function scrape(at: string): Promise<Samples> {
  const answer = await fetch(at)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return samplesOf(await answer.text())
}

test('metrics are at an address of their own and nowhere else, as long as the server lives', async (t) => {
  const { server, at } = await start(t)
  for (let turn = 0; turn < 4; turn += 1) await fetch(`${server.origin}/cal/events/v1/events`)
  const samples = await scrape(at)
  const [hits = 0, misses = 0] = [samples.get(HITS), samples.get(MISSES)]
  assert.deepEqual([hits + misses, hits > 0, samples.get('kalends_leads')], [4, true, 1])
  assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 1e7)
  assert.equal((await fetch(at, { method: 'HEAD' })).status, 200)
  for (const [url, method] of [
    [at.replace('metrics', ''), 'GET'],
    [`${at}/more`, 'GET'],
    [at, 'POST'],
    [`${server.origin}/metrics`, 'GET'],
  ] as const) {
    const answer = await fetch(url, { method })
    assert.equal(answer.status, 404, `${method} ${url}`)
    assert.doesNotMatch(await answer.text(), /kalends_/)
  }
  assert.equal(await server.stop('SIGTERM'), 0)
  await assert.rejects(fetch(at))
})

test('a port that is taken keeps the server from starting and is named', async (t) => {
  const { other, port } = await occupy()
  t.after(() => other.close())
  const flags = ['--port', '0', '--metrics-port', port, '--log-level', 'error']
  await assert.rejects(kalends('serve', ...flags, '--data', await newFolder(t)), {
    code: 1,
    stderr: `kalends: Port ${port} of 127.0.0.1 is used by another program. Choose a different one with --metrics-port.\n`,
  })
})
