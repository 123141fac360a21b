import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FigureBook } from './figures.ts'
import type { Ground } from './ground.ts'
import { headersOf, type Load, type LoadRequest, type Measure, sendLoad } from './load.ts'
import { type BenchServer, processorTime, startBeside } from './processes.ts'
import type { RecordedAnswer } from './raw.ts'

/** A server that is measured. */
export interface Target {
  /** As figures name it. */
  readonly name: string
  readonly origin: string
  /** Of its process. */
  readonly pid: number
  readonly ground: Ground
}

/** How long and how often. */
export interface Pace {
  readonly seconds: number
  readonly rounds: number
  /** Most seconds of load before the first round. */
  readonly warmUp: number
}

/** What measuring works with. */
export interface Lab {
  readonly pace: Pace
  readonly book: FigureBook
  say(text: string): void
}

/** A load of one target in every round. */
export interface Turn {
  readonly target: Target
  readonly requests: readonly LoadRequest[]
}

/** What is measured in turns. */
export interface Subject {
  /** First part of the names of its figures. */
  readonly workload: string
  readonly connections: number
  /** Measured after the targets in every round. */
  besides?(): Promise<void>
}

/** Measures the same workload on several targets that take turns, so that a slow minute of the machine slows all. */
export async function takeTurns(
  lab: Lab,
  { workload, connections, besides }: Subject,
  turns: readonly Turn[],
): Promise<void> {
  const { pace } = lab
  for (const turn of turns) await warmUp(pace, connections, turn)
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const { target, requests } of turns) {
      const load = { requests: turned(requests, (round + 1) / (pace.rounds + 1)), connections, seconds: pace.seconds }
      await measureLoad(lab, `${workload}/${target.name}`, { target, load })
    }
    await besides?.()
  }
  lab.say(`${workload}: ${turns.map(({ target }) => summary(lab, workload, target.name)).join(', ')}`)
}

/** Answers after which V8 has compiled what a workload runs. */
const WARM = 5_000

/** Loads a target until it is as fast as it gets: by answers, since machines differ, but for a limited time. */
async function warmUp(pace: Pace, connections: number, { target, requests }: Turn): Promise<void> {
  let answers = 0
  for (let second = 0; second < pace.warmUp && answers < WARM; second += 1) {
    const rest = turned(requests, (answers % requests.length) / requests.length)
    const measure = await sendLoad(target.origin, { requests: rest, connections, seconds: 1 })
    answers += Math.max(measure.answers, 1)
  }
}

async function measureLoad(
  { book }: Lab,
  name: string,
  { target, load }: { readonly target: Target; readonly load: Load },
): Promise<void> {
  let measure: Measure | undefined
  const used = await processorTime(target.pid, async () => {
    measure = await sendLoad(target.origin, load)
  })
  for (const unit of ['rate', 'p50', 'p99', 'errors'] as const) book.add(`${name}/${unit}`, measure?.[unit])
  const answers = measure?.answers ?? 0
  if (used !== undefined && answers > 0) book.add(`${name}/cpu`, used / answers)
}

/** The same list, started elsewhere: what an earlier round has asked for may have been kept. */
function turned(requests: readonly LoadRequest[], share: number): readonly LoadRequest[] {
  const start = Math.floor(requests.length * share)
  return [...requests.slice(start), ...requests.slice(0, start)]
}

function summary({ book }: Lab, workload: string, target: string): string {
  const times = book.figures.get(`${workload}/${target}/cpu`) ?? []
  const errors = (book.figures.get(`${workload}/${target}/errors`) ?? []).reduce((sum, one) => sum + one, 0)
  return `${target} ${times.map((time) => Math.round(time)).join(' ')} µs${errors > 0 ? ` (${errors} errors)` : ''}`
}

/** Sends a request once. The body is returned as it was transferred, whatever its encoding. */
export async function ask({ origin }: Pick<Target, 'origin'>, request: LoadRequest): Promise<RecordedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RecordedAnswer>()
  const { method, path, body } = request
  send(origin + path, { method, headers: headersOf(request) }, (response) => {
    const kept = Object.entries(response.headers).filter(([name]) => !OF_THE_CONNECTION.has(name))
    const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
    buffer(response).then(
      (bytes) => resolve({ status: response.statusCode ?? 0, headers, body: bytes.toString('base64') }),
      reject,
    )
  })
    .once('error', reject)
    .end(body)
  return promise
}

const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/**
 * Microseconds of processor time that a request takes when they are sent one after the other; undefined where the system
 * does not report it. @throws Error on an answer of status 400 and above
 */
export async function cpuOfEach(target: Target, requests: readonly LoadRequest[]): Promise<number | undefined> {
  const used = await processorTime(target.pid, async () => {
    for (const request of requests) {
      const { status, body } = await ask(target, request)
      if (status >= 400) throw new Error(`${request.path} answers ${status}: ${Buffer.from(body, 'base64')}`)
    }
  })
  return used === undefined ? undefined : used / requests.length
}

/** Runs a step with a server beside, which is given something in a file and stopped at the end. */
export async function withBeside<T>(
  name: 'raw' | 'floor',
  { argv, content }: { readonly argv: readonly string[]; readonly content: string },
  step: (server: BenchServer) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-bench-'))
  const file = join(folder, 'content.json')
  await writeFile(file, content)
  const server = await startBeside(name, [...argv, file])
  try {
    return await step(server)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
