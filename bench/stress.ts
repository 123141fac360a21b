import { rm } from 'node:fs/promises'
import { copyOf, type DataFolder } from './data.ts'
import { ask, type Lab, type Target } from './lab.ts'
import { type LoadRequest, sendLoad } from './load.ts'
import { residentMegabytes, startKalends } from './processes.ts'
import { mixed, requestsOf } from './workloads.ts'

/** Measures a cheap request alone, and while searches for common words run one after the other. */
export async function measureStall(lab: Lab, target: Target): Promise<void> {
  const load = { requests: requestsOf('by-id', target), connections: 1, seconds: Math.max(lab.pace.seconds, 3) }
  const searches = requestsOf('search-common', target)
  for (let round = 0; round < lab.pace.rounds; round += 1) {
    const alone = await sendLoad(target.origin, load)
    const searching = { going: true }
    const background = searchOn(target, searches.slice(round * 200), searching)
    const beside = await sendLoad(target.origin, load)
    searching.going = false
    const count = await background
    lab.book.add(`stall/${target.name}/p99-alone`, alone.p99)
    lab.book.add(`stall/${target.name}/p99-beside`, beside.p99)
    lab.book.add(`stall/${target.name}/p99-above`, beside.p99 - alone.p99)
    lab.say(`stall: p99 ${alone.p99.toFixed(2)} ms alone, ${beside.p99.toFixed(2)} ms beside ${count} searches`)
  }
}

async function searchOn(
  target: Target,
  searches: readonly LoadRequest[],
  searching: { readonly going: boolean },
): Promise<number> {
  let count = 0
  for (const search of searches) {
    if (!searching.going) break
    await ask(target, search)
    count += 1
  }
  return count
}

/** Measures from the start of the process to the first answer of a list. */
export async function measureColdStart(lab: Lab, folder: DataFolder, target: Target): Promise<void> {
  const [page] = requestsOf('first-page', target)
  if (page === undefined) return
  const copy = await copyOf(folder)
  try {
    for (let round = 0; round < lab.pace.rounds; round += 1) {
      const began = performance.now()
      const server = await startKalends(copy, [])
      await ask(server, page)
      lab.book.add(`cold-start/${target.name}/ms`, performance.now() - began)
      lab.book.add(`cold-start/${target.name}/memory`, await residentMegabytes(server.pid))
      await server.stop()
    }
  } finally {
    await rm(copy.path, { recursive: true, force: true })
  }
  const times = lab.book.figures.get(`cold-start/${target.name}/ms`) ?? []
  lab.say(`cold start with ${folder.events} events: ${times.map((one) => one.toFixed(0)).join(' ')} ms`)
}

/** Seconds between two looks at the memory. */
const STEP = 5

/** Loads a calendar for minutes with reads of all kinds, so that it can be used again, and watches the server's memory. */
export async function soak(lab: Lab, target: Target, minutes: number): Promise<void> {
  const { pid } = target
  if (pid === undefined) return
  const reads = mixed(target.ground).filter((one) => one.method === 'GET')
  const requests = [...reads, ...requestsOf('search-rare', target).slice(0, 1_000)]
  const memory: number[] = []
  const steps = Math.ceil((minutes * 60) / STEP)
  for (let step = 0; step < steps; step += 1) {
    const shifted = [...requests.slice((step * 997) % requests.length), ...requests]
    const { rate, errors } = await sendLoad(target.origin, { requests: shifted, connections: 16, seconds: STEP })
    memory.push((await residentMegabytes(pid)) ?? Number.NaN)
    if (step % 12 === 0)
      lab.say(
        `soak: ${Math.round(rate)}/s, ${errors} errors, ${memory.at(-1)?.toFixed(0)} MB after ${(step + 1) * STEP} s`,
      )
  }
  const third = memory[Math.floor(steps * 0.3)]
  const end = memory.at(-1)
  for (const megabytes of memory) lab.book.add('soak/big/memory', megabytes)
  lab.book.add('soak/big/most-memory', Math.max(...memory))
  if (third !== undefined && end !== undefined) lab.book.add('soak/big/memory-growth', end / third)
}
