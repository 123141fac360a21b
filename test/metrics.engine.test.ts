import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { METRICS, REQUESTS } from '../src/ops/metrics/catalogue.ts'
import { openTestApp } from './support/app.ts'
import { askMcp } from './support/mcp.ts'
import { growth, type Samples, samplesOf } from './support/metrics.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

// The number says only that they are asked for: what listens is the command.
const { app, call, origin } = await openTestApp({ after }, { metricsPort: '1' })
const LEAST = { title: 'Board meeting', start_date: '2026-11-22 10:00:00', end_date: '2026-11-22 12:00:00' }

async function scrape(): Promise<Samples> {
  return samplesOf((await app.metrics?.text()) ?? assert.fail('no metrics'))
}

/** How much these samples grow while something is done. */
async function grown(names: readonly string[], step: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape()
  await step()
  return growth(before, await scrape(), names)
}

async function make(): Promise<number> {
  const made = await call('administrator', 'POST', '/events', { json: LEAST })
  assert.equal(made.status, 201)
  return made.body.id
}

function requests(route: string, method: string, status: string): string {
  return `${REQUESTS.name}_count{route="${route}",method="${method}",status="${status}"}`
}

const HITS = 'kalends_cache_hits_total{kind="answer"}'
const MISSES = 'kalends_cache_misses_total{kind="answer"}'
const EVENT = '/cal/events/v1/events/:id'

test('a server that nobody asks for metrics has none', async (t) => {
  const other = await openTestApp(t)
  assert.equal(other.app.metrics, undefined)
})

test('an answer that is made is a miss and is timed, one that is kept is a hit and is not', async () => {
  const id = await make()
  const made = requests(EVENT, 'GET', '2xx')
  const read = async (headers = {}) => call('anonymous', 'GET', `/events/${id}`, { headers })
  assert.deepEqual(await grown([HITS, MISSES, made], read), { [HITS]: 0, [MISSES]: 1, [made]: 1 })
  assert.deepEqual(await grown([HITS, MISSES, made], read), { [HITS]: 1, [MISSES]: 0, [made]: 0 })
  const etag = (await read()).headers.get('etag')
  const again = async () => assert.equal((await read({ 'if-none-match': etag })).status, 304)
  assert.deepEqual(await grown([HITS, made], again), { [HITS]: 1, [made]: 0 })
  const samples = await scrape()
  assert.ok((samples.get('kalends_cache_entries{kind="answer"}') ?? 0) >= 1)
  assert.ok((samples.get('kalends_cache_bytes{kind="answer"}') ?? 0) > 2000)
})

test('a list that is put together from kept texts is a miss of an answer and a hit of each text', async () => {
  await make()
  const list = (page: string) => async () => call('anonymous', 'GET', `/events?per_page=1&${page}`)
  await list('page=1')()
  const hits = 'kalends_cache_hits_total{kind="text"}'
  assert.deepEqual(await grown([MISSES, hits], list('page=1&strict_dates=0')), { [MISSES]: 1, [hits]: 1 })
})

test('a write is a job and a commit, and what was kept of the item a miss', async () => {
  const id = await make()
  const read = async () => call('anonymous', 'GET', `/events/${id}`)
  await read()
  const jobs = 'kalends_write_jobs_total'
  const commits = 'kalends_commits_total'
  const seq = 'kalends_journal_seq'
  const written = requests(EVENT, 'PATCH', '2xx')
  const change = async () => call('administrator', 'PATCH', `/events/${id}`, { json: { title: 'Changed' } })
  assert.deepEqual(await grown([jobs, commits, seq, written], change), {
    [jobs]: 1,
    [commits]: 1,
    [seq]: 1,
    [written]: 1,
  })
  assert.deepEqual(await grown([HITS, MISSES], read), { [HITS]: 0, [MISSES]: 1 })
})

test('requests are told apart by route, method and class of status, and addresses of nothing are one route', async () => {
  const missing = requests(EVENT, 'GET', '4xx')
  const refused = requests('/cal/events/v1/events', 'POST', '4xx')
  const nowhere = requests('none', 'GET', '4xx')
  const head = requests('/kalends/v1/health', 'HEAD', '2xx')
  const step = async () => {
    for (const id of [2_000_000, 2_000_001]) await call('anonymous', 'GET', `/events/${id}`)
    await call('anonymous', 'POST', '/events', { json: LEAST })
    for (const path of ['/nothing', '/events/x/y/z']) await call('anonymous', 'GET', path)
    await call('anonymous', 'HEAD', `${origin}/kalends/v1/health`)
  }
  const names = [missing, refused, nowhere, head]
  assert.deepEqual(Object.values(await grown(names, step)), [2, 1, 2, 1])
})

test('the time of an answer is in its buckets and its sum', async () => {
  const labels = 'route="/cal/events/v1/tags",method="GET",status="2xx"'
  for (let number = 1; number <= 3; number += 1)
    await call('anonymous', 'GET', '/tags', { query: { page: '1', number } })
  const samples = await scrape()
  const counts = REQUESTS.buckets.map((le) => samples.get(`${REQUESTS.name}_bucket{le="${le}",${labels}}`) ?? -1)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  )
  assert.equal(samples.get(`${REQUESTS.name}_bucket{le="+Inf",${labels}}`), 3)
  const sum = samples.get(`${REQUESTS.name}_sum{${labels}}`) ?? 0
  assert.ok(sum > 0 && sum < 60, String(sum))
})

test('every metric of the catalogue that this process has is there, with its labels', async () => {
  await askMcp({ origin }, 'tools/call', { name: 'find_references', arguments: { kind: 'tag' } })
  const names = [...(await scrape()).keys()]
  // This calendar has no replica, and no mail server.
  const here = METRICS.filter(({ name }) => !/^kalends_(replica|mail)/.test(name))
  for (const { name, labels = [] } of here) {
    if (name === 'kalends_database_connections' && TEST_ENGINE === 'sqlite') continue
    const start = labels.length === 0 ? name : `${name}{${labels[0]}="`
    assert.ok(
      names.some((one) => one === start || (labels.length > 0 && one.startsWith(start))),
      name,
    )
  }
  const ours = new Set([...METRICS, REQUESTS].map(({ name }) => name))
  for (const one of names.filter((name) => name.startsWith('kalends_'))) {
    const [base = ''] = one.split('{')
    assert.ok(ours.has(base) || ours.has(base.replace(/_(bucket|sum|count)$/, '')), one)
  }
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
    assert.ok(names.includes(name), name)
})

test('names are those that Prometheus asks for: ours in front, counters with _total at the end, no full stops', () => {
  for (const { name, type, help } of METRICS) {
    assert.match(name, /^kalends_[a-z_]+$/)
    assert.equal(name.endsWith('_total'), type === 'counter', name)
    assert.doesNotMatch(help, /[.\n|]/, name)
  }
  assert.equal(new Set([...METRICS, REQUESTS].map(({ name }) => name)).size, METRICS.length + 1)
})

test('one process leads, and the connections to its database are counted', async () => {
  let samples = await scrape()
  // What works in the background writes now and then, too.
  while (samples.get('kalends_writes_waiting') !== 0) samples = await scrape()
  assert.equal(samples.get('kalends_leads'), 1)
  const pool = ['busy', 'idle'].map((state) =>
    samples.get(`kalends_database_connections{pool="read",state="${state}"}`),
  )
  if (TEST_ENGINE === 'sqlite') assert.deepEqual(pool, [undefined, undefined])
  else assert.ok((pool[1] ?? 0) >= 1, 'no idle connection')
})
