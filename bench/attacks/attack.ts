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
  /** Called with its first request: until then, nothing beside it means anything. */
  begun(): void
}

/** Address that attacks come from. */
export const ATTACKER = '127.0.0.1'

/** Address of those who want to use the calendar meanwhile: another client. */
const VISITOR = '127.0.0.2'

/** Requests that are timed before an attack; how many in a row have to be quick again after it. */
const COUNTS = { before: 20, after: 5 } as const

/** Milliseconds: longest time that is waited for a server to be as before; pause between two visits. */
const TIMES = { recovery: 60_000, pause: 20 } as const

/** What visitors ask for, another one each time: a list, and a search. */
const VISITS = { plain: 'first-page-fresh', search: 'search-rare' } as const

type Kind = keyof typeof VISITS

/**
 * Measures what visitors notice of an attack: the slowest list and search beside it, the memory of the server, and how
 * long it takes after the end of the attack until both are as quick as before.
 */
export async function measureAttack(lab: Lab, target: Target, attack: Attack): Promise<void> {
  const visits = { plain: visitsOf('plain', target), search: visitsOf('search', target) }
  for (let round = 0; round < lab.pace.rounds; round += 1) {
    const quick = { plain: await quickest(visits.plain), search: await quickest(visits.search) }
    const ending = new AbortController()
    const beginning = Promise.withResolvers<void>()
    const attacking = attack.run(target, { signal: ending.signal, begun: beginning.resolve })
    await Promise.race([beginning.promise, attacking])
    const watched = watch(target, ending.signal)
    const beside = [visitAll(visits.plain, ending.signal), visitAll(visits.search, ending.signal)] as const
    await sleep(Math.max(lab.pace.seconds, 3) * 1000)
    ending.abort()
    const ended = performance.now()
    await Promise.all([untilQuick(visits.plain, quick.plain), untilQuick(visits.search, quick.search)])
    const recovery = performance.now() - ended
    const after = (target.pid === undefined ? undefined : await residentMegabytes(target.pid)) ?? Number.NaN
    const [plain, search] = await Promise.all(beside)
    const figures = { plain: Math.max(...plain), search: Math.max(...search), recovery, memory: await watched }
    for (const [unit, value] of Object.entries({ ...figures, 'memory-after': after }))
      lab.book.add(`${attack.name}/${target.name}/${unit}`, value)
    lab.say(
      `${attack.name} on ${target.name}: ${await attacking} requests; beside them ${plain.length} lists took up to ${plain.length === 0 ? 'ever' : figures.plain.toFixed(0)} ms ` +
        `and ${search.length} searches up to ${figures.search.toFixed(0)} ms (alone ${quick.plain.toFixed(0)} and ${quick.search.toFixed(0)}); ` +
        `as before after ${recovery.toFixed(0)} ms; ${figures.memory?.toFixed(0)} MB, then ${after.toFixed(0)}`,
    )
  }
}

/** Visits one request after the other; milliseconds until its answer, for ever when that is an error. */
type Visit = () => Promise<number>

function visitsOf(kind: Kind, target: Target): Visit {
  const requests = requestsOf(VISITS[kind], target)
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

async function quickest(visit: Visit): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < COUNTS.before; count += 1) times.push(await visit())
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

async function visitAll(visit: Visit, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  while (!signal.aborted) {
    times.push(await visit())
    await sleep(TIMES.pause)
  }
  return times
}

/** Until visits take no more than three times as long as before, and 20 ms for a machine that does other things. */
async function untilQuick(visit: Visit, before: number): Promise<void> {
  const limit = performance.now() + TIMES.recovery
  for (let inRow = 0; inRow < COUNTS.after && performance.now() < limit; ) {
    inRow = (await visit()) <= before * 3 + 20 ? inRow + 1 : 0
  }
}

/** Most memory until the signal, in megabytes. */
async function watch({ pid }: Target, signal: AbortSignal): Promise<number | undefined> {
  let most: number | undefined
  while (pid !== undefined && !signal.aborted) {
    most = Math.max(most ?? 0, (await residentMegabytes(pid)) ?? 0)
    await sleep(100)
  }
  return most
}
