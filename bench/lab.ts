import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FigureBook } from './figures.ts'
import type { Ground } from './ground.ts'
import { type LoadRequest, sendLoad } from './load.ts'
import { type BenchServer, cpuSeconds, startBeside } from './processes.ts'
import type { RecordedAnswer } from './raw.ts'

/** A server that is measured. */
export interface Target {
  /** As figures name it. */
  readonly name: string
  readonly origin: string
  /** Of its process; undefined when it is not ours. */
  readonly pid: number | undefined
  readonly ground: Ground
}

/** How long and how often. */
export interface Pace {
  readonly seconds: number
  readonly rounds: number
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
  /** Seconds of the same load before the first round; 1 unless it says otherwise. */
  readonly warmUp?: number
}

/** Measures the same workload on several targets that take turns, so that a slow minute of the machine slows all. */
export async function takeTurns(
  lab: Lab,
  { workload, connections, warmUp = 1 }: Subject,
  turns: readonly Turn[],
): Promise<void> {
  const { pace, book } = lab
  for (const { target, requests } of turns) await sendLoad(target.origin, { requests, connections, seconds: warmUp })
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const { target, requests } of turns) {
      const before = await cpuOf(target)
      const load = { requests: turned(requests, (round + 1) / (pace.rounds + 1)), connections, seconds: pace.seconds }
      const measure = await sendLoad(target.origin, load)
      const used = ((await cpuOf(target)) ?? Number.NaN) - (before ?? Number.NaN)
      const name = `${workload}/${target.name}`
      for (const unit of ['rate', 'p50', 'p99', 'errors'] as const) book.add(`${name}/${unit}`, measure[unit])
      const answers = measure.rate * pace.seconds
      if (!Number.isNaN(used) && answers > 0) book.add(`${name}/cpu`, (used / answers) * 1e6)
    }
  }
  lab.say(`${workload}: ${turns.map(({ target }) => summary(lab, workload, target.name)).join(', ')}`)
}

/** The same list, begun elsewhere: what an earlier round has asked for may have been kept. */
function turned(requests: readonly LoadRequest[], share: number): readonly LoadRequest[] {
  const start = Math.floor(requests.length * share)
  return [...requests.slice(start), ...requests.slice(0, start)]
}

function summary({ book }: Lab, workload: string, target: string): string {
  const rates = book.figures.get(`${workload}/${target}/rate`) ?? []
  const errors = (book.figures.get(`${workload}/${target}/errors`) ?? []).reduce((sum, one) => sum + one, 0)
  return `${target} ${rates.map((rate) => Math.round(rate)).join(' ')}/s${errors > 0 ? ` (${errors} errors)` : ''}`
}

async function cpuOf({ pid }: Target): Promise<number | undefined> {
  return pid === undefined ? undefined : cpuSeconds(pid)
}

/** Asks a target once. */
export async function ask(target: Pick<Target, 'origin'>, request: LoadRequest): Promise<RecordedAnswer> {
  const headers = {
    // As the load does, which takes nothing compressed: a replayed response has the length of what is sent.
    'accept-encoding': 'identity',
    ...(request.authorization !== undefined && { authorization: request.authorization }),
    ...(request.ifNoneMatch !== undefined && { 'if-none-match': request.ifNoneMatch }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
  }
  const { method, body = null } = request
  const answer = await fetch(target.origin + request.path, { method, headers, body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const kept = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name))
  return { status: answer.status, headers: Object.fromEntries(kept), body: bytes.toString('base64') }
}

const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** Milliseconds that each of the requests takes, one after the other. @throws Error on an answer of status 400 and above */
export async function timeEach(target: Target, requests: readonly LoadRequest[]): Promise<number[]> {
  const times: number[] = []
  for (const request of requests) {
    const began = performance.now()
    const { status } = await ask(target, request)
    times.push(performance.now() - began)
    if (status >= 400) throw new Error(`${request.path} answers ${status}`)
  }
  return times
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
