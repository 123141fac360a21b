import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab, Target } from '../lab.ts'
import type { LoadRequest } from '../load.ts'
import { residentMegabytes } from '../processes.ts'
import { requestsOf } from '../workloads.ts'

/** Something that a client does to take a server away from the others. */
export interface Attack {
  /** As `--only` and figures name it. */
  readonly name: string
  /** Goes on until the signal, from `ATTACKER`; how many requests it has sent. */
  run(target: Target, course: AttackCourse): Promise<number>
}

/** The beginning and the end of an attack. */
export interface AttackCourse {
  /** Ends it. */
  readonly signal: AbortSignal
  /** Called with its first request: before it, times beside it mean nothing. */
  begun(): void
}

/** Address that attacks come from. */
export const ATTACKER = '127.0.0.1'

/** Address of those who want to use the calendar meanwhile: another client. */
const VISITOR = '127.0.0.2'

/** Milliseconds between two visits. */
const PAUSE = 20

/** Seconds of an attack, at least. */
const LEAST = 3

/**
 * Measures an attack: the slowest list of someone else beside it, in milliseconds, and the most memory that the server
 * takes.
 */
export async function measureAttack(lab: Lab, target: Target, attack: Attack): Promise<void> {
  const visit = visitsOf(target)
  for (let round = 0; round < lab.pace.rounds; round += 1) {
    const ending = new AbortController()
    const beginning = Promise.withResolvers<void>()
    const attacking = attack.run(target, { signal: ending.signal, begun: beginning.resolve })
    await Promise.race([beginning.promise, attacking])
    const watched = watch(target, ending.signal)
    const visiting = visitAll(visit, ending.signal)
    await sleep(Math.max(lab.pace.seconds, LEAST) * 1000)
    ending.abort()
    const [times, memory, sent] = await Promise.all([visiting, watched, attacking])
    const slowest = Math.max(...times)
    lab.book.add(`${attack.name}/${target.name}/slowest`, slowest)
    lab.book.add(`${attack.name}/${target.name}/memory`, memory)
    lab.say(
      `${attack.name} on ${target.name}: ${sent} requests; beside them ${times.length} lists, the slowest in ` +
        `${slowest.toFixed(0)} ms; ${memory?.toFixed(0)} MB`,
    )
  }
}

/** Requests one list after the other; milliseconds until its answer, infinite when that is an error. */
type Visit = () => Promise<number>

function visitsOf(target: Target): Visit {
  const requests = requestsOf('first-page-fresh', target)
  let next = 0
  return async () => {
    const request = requests[next % requests.length] as LoadRequest
    next += 1
    const began = performance.now()
    const status = await statusOf(target, request)
    return status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY
  }
}

function statusOf({ origin }: Target, { path }: LoadRequest): Promise<number> {
  return new Promise((resolve) => {
    const request = get(`${origin}${path}`, { localAddress: VISITOR, agent: false }, (response) => {
      response.resume().once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0))
    })
    request.once('error', () => resolve(0))
  })
}

async function visitAll(visit: Visit, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  while (!signal.aborted) {
    times.push(await visit())
    await sleep(PAUSE)
  }
  return times
}

/** Most memory until the signal, in megabytes. */
async function watch({ pid }: Target, signal: AbortSignal): Promise<number | undefined> {
  let most: number | undefined
  while (!signal.aborted) {
    most = Math.max(most ?? 0, (await residentMegabytes(pid)) ?? 0)
    await sleep(100)
  }
  return most
}
