import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { REQUESTS } from '../src/ops/metrics/catalogue.ts'
import { growth, type Samples, samplesOf } from './support/metrics.ts'
import { administratorOf, ask, EVENT, sending } from './support/processes.ts'
import { kalends, type ServerProcess, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

/** Longest wait for something that other processes do, milliseconds. */
const PATIENCE = 120_000

const HITS = 'kalends_cache_hits_total{kind="answer"}'
const MISSES = 'kalends_cache_misses_total{kind="answer"}'
const PROCESSES = `kalends_processes{engine="${TEST_ENGINE}"}`

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

async function freePort(): Promise<string> {
  const { other, port } = await occupy()
  other.close()
  await once(other, 'close')
  return port
}

/** A server that offers metrics, and where. */
async function start(t: TestContext, flags: readonly string[] = []): Promise<{ server: ServerProcess; at: string }> {
  const port = await freePort()
  const server = await startServer(await newFolder(t), ['--metrics-port', port, ...flags])
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
  assert.deepEqual([hits + misses, hits > 0, samples.get(PROCESSES)], [4, true, 1])
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

test('the metrics of workers are the sum of all of them, those that took a place included', async (t) => {
  const { server, at } = await start(t, ['--workers', '2', '--log-level', 'info'])
  const commits = 'kalends_commits_total'
  const whole = async (fewestCommits = 0): Promise<Samples> => {
    for (const deadline = Date.now() + PATIENCE; ; await sleep(20)) {
      const samples = await scrape(at)
      if (samples.get(PROCESSES) === 2 && (samples.get(commits) ?? 0) >= fewestCommits) return samples
      assert.ok(Date.now() < deadline, 'two workers do not tell their numbers')
    }
  }
  const started = (await whole()).get(commits) ?? 0
  const events = `${server.origin}/cal/events/v1/events`
  const json = sending(administratorOf(server), EVENT)
  // Each on a connection of its own, which any worker takes.
  const alone = { ...json, headers: { ...json.headers, connection: 'close' } }
  // The first write is followed by another commit, which notes that the password was used.
  assert.equal((await ask(events, alone))?.status, 201)
  const before = await whole(started + 2)
  for (let turn = 0; turn < 6; turn += 1) assert.equal((await ask(events, alone))?.status, 201)
  for (let turn = 0; turn < 12; turn += 1) await ask(events, { headers: { connection: 'close' } })
  const after = await whole()
  const written = `${REQUESTS.name}_count{route="/cal/events/v1/events",method="POST",status="2xx"}`
  const grown = growth(before, after, [HITS, MISSES, written, commits])
  assert.equal((grown[HITS] ?? 0) + (grown[MISSES] ?? 0), 12)
  assert.equal(grown[written], 6, 'a write that one worker hands to another is counted once')
  assert.equal(grown[commits], 6)
  assert.equal(after.get('kalends_leads'), 1)
  assert.equal(after.get('kalends_journal_seq'), (before.get('kalends_journal_seq') ?? 0) + 6)
  const [pid] = [...server.problems().matchAll(/"pid":(\d+),"msg":"a worker was started"/g)].map(([, found]) => found)
  process.kill(Number(pid), 'SIGKILL')
  const later = await whole()
  for (const name of [written, commits, 'process_cpu_seconds_total'])
    assert.ok((later.get(name) ?? 0) >= (after.get(name) ?? 0), `${name} has fallen with the end of a worker`)
})

test('a port that is taken keeps the server from starting and is named, with workers and without', async (t) => {
  const { other, port } = await occupy()
  t.after(() => other.close())
  for (const workers of ['1', '2']) {
    const flags = ['--port', '0', '--metrics-port', port, '--workers', workers, '--log-level', 'error']
    await assert.rejects(kalends('serve', ...flags, '--data', await newFolder(t)), {
      code: 1,
      stderr: `kalends: Port ${port} of 127.0.0.1 is in use by another program. Choose one with --metrics-port.\n`,
    })
  }
})
