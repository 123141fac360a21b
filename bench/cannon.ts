import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'
import type { Load, LoadRequest, Measure } from './load.ts'

// The load generator where wrk is not installed: reads a file with origin and load, prints a Measure as JSON.
const [file = ''] = process.argv.slice(2)
const { origin, load } = JSON.parse(await readFile(file, 'utf8')) as { origin: string; load: Load }
// Every connection of autocannon goes through all requests from the first one, and builds them all before it sends any:
// 64 of them would send the same create at the same time. So each is handed the next of all requests when it sends it.
let sent = 0
const nextRequest = (defaults: autocannon.Request): autocannon.Request => {
  const request = load.requests[sent % load.requests.length]
  sent += 1
  return { ...defaults, ...(request && requestOf(request)) }
}
const result = await autocannon({
  url: origin,
  connections: load.connections,
  duration: load.seconds,
  timeout: 30,
  setupClient: (client) => client.setRequests([{ setupRequest: nextRequest }]),
})
const measure: Measure = {
  rate: (result.requests.total ?? 0) / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  max: result.latency.max,
  errors: result.errors + result['4xx'] + result['5xx'],
}
process.stdout.write(JSON.stringify(measure))

function requestOf({ method, path, authorization, body, ifNoneMatch }: LoadRequest): autocannon.Request {
  const headers: Record<string, string> = {}
  if (authorization !== undefined) headers['authorization'] = authorization
  if (ifNoneMatch !== undefined) headers['if-none-match'] = ifNoneMatch
  if (body !== undefined) headers['content-type'] = 'application/json'
  return { method, path, headers, ...(body !== undefined && { body }) }
}
