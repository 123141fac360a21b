import type { CacheStats } from '../../http/cache/response-cache.ts'
import type { Refused } from '../../http/server.ts'
import type { StorageStats } from '../../storage/engine.ts'

/** What a process knows of itself: numbers that its parts count anyway, read when someone asks. */
export interface Numbers {
  /** Undefined without a cache. */
  readonly cache: CacheStats | undefined
  readonly storage: StorageStats
  /** What the server turned away. */
  readonly refused: Refused
  /** Calls of MCP tools so far, by what became of them. */
  readonly toolCalls: readonly { readonly tool: string; readonly outcome: string; readonly count: number }[]
  /** Highest number of the journal that is known. */
  readonly seq: number
  /** Whether this process does the work in the background. */
  readonly isLeading: boolean
  /** Mails by what became of them, with the age of the oldest in seconds; `[]` in a process that sends none. */
  readonly mails: readonly { readonly result: string; readonly count: number; readonly age: number }[]
}

/** A value, and what its labels say of it; `[value]` where a metric has no labels. */
export type MetricValue = readonly [value: number, labels?: Readonly<Record<string, string>>]

/** One metric as Prometheus knows it. */
export interface Metric {
  /** `kalends_`, what is measured, and its unit; counters end in `_total`. */
  readonly name: string
  readonly type: 'counter' | 'gauge'
  /** One line without a full stop. */
  readonly help: string
  /** Names of its labels; absent where it has none. */
  readonly labels?: readonly string[]
  /** The values now; `[]` where a process has no such thing. */
  read(numbers: Numbers): readonly MetricValue[]
}

/** Requests that routes have answered; cached responses are counted by the cache and never timed. */
export const REQUESTS = {
  name: 'kalends_http_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its response, excluding cached responses',
  labels: ['route', 'method', 'status'],
  /** Upper ends, in seconds. */
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
} as const

/**
 * Milliseconds between two looks at the delay of the event loop, which the values hold: with the usual 10 these looks
 * take a hundredth of a processor from a server that does nothing.
 */
export const LAG_PRECISION = 50

/** A value of the cache for each kind of entry. */
function ofCache(read: (stats: CacheStats['responses']) => number): Metric['read'] {
  return ({ cache }) => (cache ? [ofKind('answer', read(cache.responses)), ofKind('text', read(cache.fragments))] : [])
}

function ofKind(kind: string, value: number): MetricValue {
  return [value, { kind }]
}

const KIND = ['kind'] as const

const CACHE: readonly Metric[] = [
  {
    name: 'kalends_cache_hits_total',
    type: 'counter',
    help: 'Cached responses sent, and cached event fragments used',
    labels: KIND,
    read: ofCache(({ hits }) => hits),
  },
  {
    name: 'kalends_cache_misses_total',
    type: 'counter',
    help: 'Lookups without a fresh entry',
    labels: KIND,
    read: ofCache(({ misses }) => misses),
  },
  {
    name: 'kalends_cache_evictions_total',
    type: 'counter',
    help: 'Evicted entries; if it grows steadily, --cache-size is too small',
    labels: KIND,
    read: ofCache(({ evicted }) => evicted),
  },
  {
    name: 'kalends_cache_entries',
    type: 'gauge',
    help: 'Entries now, fresh or stale',
    labels: KIND,
    read: ofCache(({ count }) => count),
  },
  {
    name: 'kalends_cache_bytes',
    type: 'gauge',
    help: 'Memory of these entries; each kind may use half of --cache-size',
    labels: KIND,
    read: ofCache(({ size }) => size),
  },
]

const REFUSED: Metric = {
  name: 'kalends_refused_total',
  type: 'counter',
  help: 'Connections and requests above the limits (503), and malformed requests (400, 408, 431)',
  labels: ['kind'],
  read: ({ refused: { connections, requests, malformed } }) => [
    [connections, { kind: 'connection' }],
    [requests, { kind: 'request' }],
    [malformed, { kind: 'malformed' }],
  ],
}

const WRITES: readonly Metric[] = [
  {
    name: 'kalends_write_jobs_total',
    type: 'counter',
    help: 'Writes started, including failed ones',
    read: ({ storage }) => [[storage.jobs]],
  },
  {
    name: 'kalends_commits_total',
    type: 'counter',
    help: 'Durable commits; on SQLite, queued writes share one',
    read: ({ storage }) => [[storage.commits]],
  },
  {
    name: 'kalends_commit_seconds_total',
    type: 'counter',
    help: 'Time of these commits',
    read: ({ storage }) => [[storage.commitTime / 1000]],
  },
  {
    name: 'kalends_writes_waiting',
    type: 'gauge',
    help: 'Writes queued or running in this process',
    read: ({ storage }) => [[storage.writesWaiting]],
  },
  {
    name: 'kalends_journal_seq',
    type: 'gauge',
    help: 'Number of the newest change known to this process',
    read: ({ seq }) => [[seq]],
  },
  {
    name: 'kalends_leads',
    type: 'gauge',
    help: '1 in the process that does the background work, such as scheduled publication',
    read: ({ isLeading }) => [[isLeading ? 1 : 0]],
  },
]

const READS: readonly Metric[] = [
  {
    name: 'kalends_reads_total',
    type: 'counter',
    help: 'Reading statements; long ones are offloaded',
    labels: ['lane'],
    read: ({ storage }) => [
      [storage.readsInline, { lane: 'inline' }],
      [storage.readsOffloaded, { lane: 'offloaded' }],
    ],
  },
  {
    name: 'kalends_reads_waiting',
    type: 'gauge',
    help: 'Queued reads: long ones wait for a process (SQLite), all wait for a connection (PostgreSQL)',
    read: ({ storage }) => [[storage.readsWaiting]],
  },
  {
    name: 'kalends_reads_given_up_total',
    type: 'counter',
    help: 'Reads without a result: refused because the queue was full, timed out, or dropped because their client disconnected',
    labels: ['reason'],
    read: ({ storage }) => [
      [storage.readsRefused, { reason: 'refused' }],
      [storage.readsTimedOut, { reason: 'timed_out' }],
      [storage.readsDropped, { reason: 'dropped' }],
    ],
  },
  {
    name: 'kalends_database_connections',
    type: 'gauge',
    help: 'Connections to PostgreSQL, by pool',
    labels: ['pool', 'state'],
    read: ({ storage }) =>
      storage.pools.flatMap(({ name: pool, open, idle }): MetricValue[] => [
        [open - idle, { pool, state: 'busy' }],
        [idle, { pool, state: 'idle' }],
      ]),
  },
  {
    name: 'kalends_replica',
    type: 'gauge',
    help: '1 for the current state of the replica: used, behind, away, promoted; unknown until the first probe',
    labels: ['state'],
    read: ({ storage: { replica } }) =>
      replica === undefined ? [] : REPLICA_STATES.map((state): MetricValue => [state === replica ? 1 : 0, { state }]),
  },
]

const REPLICA_STATES = ['unknown', 'used', 'behind', 'away', 'promoted'] as const

const MAILS: readonly Metric[] = [
  {
    name: 'kalends_mails',
    type: 'gauge',
    help: 'Mails of the last 30 days: waiting, sent, dropped or failed',
    labels: ['result'],
    read: ({ mails }) => mails.map(({ result, count }): MetricValue => [count, { result }]),
  },
  {
    name: 'kalends_mail_oldest_waiting_seconds',
    type: 'gauge',
    help: 'Age of the oldest mail that waits',
    read: ({ mails }) => mails.filter(({ result }) => result === 'waiting').map(({ age }): MetricValue => [age]),
  },
]

const TOOL_CALLS: Metric = {
  name: 'kalends_mcp_calls_total',
  type: 'counter',
  help: 'Calls of MCP tools: ok, refused because of the caller, or failed',
  labels: ['tool', 'outcome'],
  read: ({ toolCalls }) => toolCalls.map(({ tool, outcome, count }): MetricValue => [count, { tool, outcome }]),
}

/** Every metric of ours but `REQUESTS`. */
export const METRICS: readonly Metric[] = [REFUSED, ...CACHE, ...WRITES, ...READS, ...MAILS, TOOL_CALLS]
