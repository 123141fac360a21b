import { rm } from 'node:fs/promises'
import { copyOf, type DataFolder } from './data.ts'
import { ask, type Lab, type Target } from './lab.ts'
import { type LoadRequest, sendLoad } from './load.ts'
import { cpuSeconds, startKalends } from './processes.ts'
import { requestsOf, seriesCreates } from './workloads.ts'

/** Dates of each series. */
const DATES = 1_000

/** Series of a round whose processor time is taken together, and those before the first round. */
const SERIES = { round: 3, warmUp: 4 }

/** More than a run creates while others read. */
const MOST = 1_000

/** Measures the processor time of creating a series of 1,000 dates, and how long others wait while such are created. */
export async function measureSeries(lab: Lab, folder: DataFolder, ground: Target['ground']): Promise<void> {
  const copy = await copyOf(folder)
  const server = await startKalends(copy, [])
  const target = { name: 'kalends', origin: server.origin, pid: server.pid, ground }
  const requests = seriesCreates(ground, { count: MOST, dates: DATES })[Symbol.iterator]()
  try {
    await create(target, requests, SERIES.warmUp)
    for (let round = 0; round < lab.pace.rounds; round += 1) {
      const before = (await cpuSeconds(server.pid)) ?? Number.NaN
      await create(target, requests, SERIES.round)
      const used = ((((await cpuSeconds(server.pid)) ?? Number.NaN) - before) / SERIES.round) * 1_000
      if (!Number.isNaN(used)) lab.book.add('series/kalends/cpu-ms', used)
      await measureReaders(lab, target, requests)
    }
  } finally {
    await server.stop()
    await rm(copy.path, { recursive: true, force: true })
  }
  const times = lab.book.figures.get('series/kalends/cpu-ms') ?? []
  lab.say(`series of ${DATES} dates: ${times.map((one) => one.toFixed(0)).join(' ')} ms of processor time`)
}

/** Measures the slowest of many events by id alone, and while series are created one after the other. */
async function measureReaders(lab: Lab, target: Target, requests: Iterator<LoadRequest>): Promise<void> {
  const reads = requestsOf('by-id', target)
  const load = { requests: reads, connections: 1, seconds: lab.pace.seconds }
  const alone = await sendLoad(target.origin, load)
  const writing = { going: true }
  // A create that is refused ends both; the load is awaited first, so that nothing is left that sends.
  const [beside, count] = await bothOf(
    sendLoad(target.origin, load).finally(() => {
      writing.going = false
    }),
    createWhile(target, requests, writing),
  )
  lab.book.add('series/kalends/max-alone', alone.max)
  lab.book.add('series/kalends/max-beside', beside.max)
  lab.book.add('series/kalends/max-above', beside.max - alone.max)
  const slowest = `${alone.max.toFixed(1)} ms alone, ${beside.max.toFixed(1)} ms`
  lab.say(`event by id, slowest: ${slowest} beside ${count} series that were created`)
}

/** What two things that go on together come to, when both have ended. @throws what the first of them that failed threw */
async function bothOf<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

async function createWhile(
  target: Target,
  requests: Iterator<LoadRequest>,
  writing: { readonly going: boolean },
): Promise<number> {
  let count = 0
  for (; writing.going; count += 1) await create(target, requests, 1)
  return count
}

/** Creates so many series one after the other. @throws Error when one is refused, or none is left */
async function create(target: Target, requests: Iterator<LoadRequest>, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const next = requests.next()
    if (next.done === true) throw new Error(`more than ${MOST} series were created`)
    const { status, body } = await ask(target, next.value)
    if (status !== 201) throw new Error(`a series was answered ${status}: ${Buffer.from(body, 'base64')}`)
  }
}
