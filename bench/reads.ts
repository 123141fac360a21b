import { join } from 'node:path'
import type { DataFolder } from './data.ts'
import { ask, type Lab, type Target, type Turn, takeTurns, timeEach, withBeside } from './lab.ts'
import { percentile } from './statistics.ts'
import { READS, requestsOf, WARM_UP, type Workload } from './workloads.ts'

/** The servers of a run; those that are undefined are not measured. */
export interface Targets {
  readonly kalends: Target
  readonly noCaches: Target
  readonly big: Target | undefined
  readonly peer: Target | undefined
  readonly folder: DataFolder
}

/** Measures one workload of `READS` with what stands beside it. */
export async function measureRead(lab: Lab, workload: Workload, targets: Targets): Promise<void> {
  const { name, connections, beside } = workload
  const turn = (target: Target | undefined): Turn[] =>
    target === undefined ? [] : [{ target, requests: workload.requests(target.ground) }]
  const requests = workload.requests(targets.kalends.ground)
  const [first] = requests
  if (first === undefined) return
  const answer = await ask(targets.kalends, first)
  if (answer.status >= 400) {
    lab.say(`${name}: not measured, the server answers ${answer.status}`)
    return
  }
  const own = [
    ...turn(targets.kalends),
    ...(beside.includes('no-caches') ? turn(targets.noCaches) : []),
    ...(beside.includes('big') ? turn(targets.big) : []),
    ...(beside.includes('peer') ? turn(targets.peer) : []),
  ]
  const { ground } = targets.kalends
  const replayed = JSON.stringify(answer)
  const page = Buffer.from(answer.body, 'base64').toString()
  const load = { workload: name, connections, ...(workload.warmUp !== undefined && { warmUp: workload.warmUp }) }
  const measured = (turns: readonly Turn[]): Promise<void> => takeTurns(lab, load, turns)
  const withFloor = async (turns: readonly Turn[]): Promise<void> => {
    if (!beside.includes('floor')) return measured(turns)
    const database = join(targets.folder.path, 'kalends.db')
    return withBeside('floor', { argv: [database], content: page }, ({ origin, pid }) =>
      measured([...turns, { target: { name: 'floor', origin, pid, ground }, requests }]),
    )
  }
  if (!beside.includes('raw')) return withFloor(own)
  await withBeside('raw', { argv: [], content: replayed }, ({ origin, pid }) =>
    withFloor([...own, { target: { name: 'raw', origin, pid, ground }, requests }]),
  )
}

/** Measures a workload on calendars of two sizes whose servers keep nothing: both make everything from rows. */
export async function measureGrowth(lab: Lab, workload: Workload, sizes: readonly Target[]): Promise<void> {
  const { name, connections } = workload
  const turns = sizes.map((target) => ({ target, requests: workload.requests(target.ground) }))
  await takeTurns(lab, { workload: `${name}-uncached`, connections, warmUp: WARM_UP }, turns)
}

/** Measures 304 for a tag that still holds, beside `node:http` that sends the same 304. */
export async function measureNotModified(lab: Lab, { kalends }: Targets): Promise<void> {
  const [page] = READS[0]?.requests(kalends.ground) ?? []
  const tag = page && (await ask(kalends, page)).headers['etag']
  if (page === undefined || tag === undefined) return
  const requests = [{ ...page, ifNoneMatch: tag }]
  const content = JSON.stringify(await ask(kalends, { ...page, ifNoneMatch: tag }))
  await withBeside('raw', { argv: [], content }, ({ origin, pid }) =>
    takeTurns(lab, { workload: 'not-modified', connections: 8 }, [
      { target: kalends, requests },
      { target: { ...kalends, name: 'raw', origin, pid }, requests },
    ]),
  )
}

/** Different rare words and, of each common word, one search. */
const COLD = { rare: 1000, common: 10 }

/** Measures single searches one after the other, each for the first time and then again. */
export async function measureSearches(lab: Lab, target: Target): Promise<void> {
  const [rare, common] = ['search-rare', 'search-common'].map((name) => requestsOf(name, target))
  if (rare === undefined || common === undefined) return
  // From the end, so that a load before has not asked for the same.
  const rareTimes = await timeEach(target, rare.slice(-COLD.rare))
  lab.book.add(`search-rare/${target.name}/p99-cold`, percentile(rareTimes, 0.99))
  const cold = common.slice(-COLD.common)
  lab.book.add(`search-common/${target.name}/max-cold`, Math.max(...(await timeEach(target, cold))))
  lab.book.add(`search-common/${target.name}/max-again`, Math.max(...(await timeEach(target, cold))))
  const shown = ['search-rare', 'search-common'].flatMap((name) =>
    ['p99-cold', 'max-cold', 'max-again'].flatMap((unit) => {
      const times = lab.book.figures.get(`${name}/${target.name}/${unit}`)
      return times === undefined ? [] : [`${name} ${unit} ${times.map((one) => one.toFixed(1)).join(' ')} ms`]
    }),
  )
  lab.say(`single searches on ${target.name}: ${shown.join(', ')}`)
}
