import autocannon from 'autocannon'

/** A request of a load. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query, without origin. */
  readonly path: string
  readonly authorization?: string
  /** JSON. */
  readonly body?: string
  readonly ifNoneMatch?: string
  /** Encodings that the client accepts; `identity` if absent. */
  readonly acceptEncoding?: string
}

/** Requests that are sent in turn, starting over after the last one, over connections that stay open. */
export interface Load {
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
}

/** The result of a load; latencies in milliseconds. */
export interface Measure {
  readonly answers: number
  /** Answers a second. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** Answers of status 400 and above, and requests without an answer. */
  readonly errors: number
}

/** Sends a load with autocannon, from this process. */
export async function sendLoad(origin: string, { requests, connections, seconds }: Load): Promise<Measure> {
  // Every connection of autocannon goes through all requests from the first one, so that 64 of them would send the same
  // create at the same time. Here each gets the next of all requests when it sends it.
  let sent = 0
  const nextRequest = (defaults: autocannon.Request): autocannon.Request => {
    const request = requests[sent % requests.length]
    sent += 1
    return { ...defaults, ...(request && requestOf(request)) }
  }
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: 30,
    setupClient: (client) => client.setRequests([{ setupRequest: nextRequest }]),
  })
  const answers = result.requests.total ?? 0
  return {
    answers,
    rate: answers / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result['4xx'] + result['5xx'],
  }
}

function requestOf(request: LoadRequest): autocannon.Request {
  const { method, path, body } = request
  return { method, path, headers: headersOf(request), ...(body !== undefined && { body }) }
}

/** The headers of a request, apart from those of the connection. */
export function headersOf(request: LoadRequest): Record<string, string> {
  const { authorization, ifNoneMatch, body, acceptEncoding } = request
  return {
    ...(authorization !== undefined && { authorization }),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
  }
}
