import { join } from 'node:path'
import type { DataFolder } from './data.ts'
import { ask, cpuOfEach, type Lab, type Target, type Turn, takeTurns, withBeside } from './lab.ts'
import type { LoadRequest } from './load.ts'
import { READS, requestsOf, type Workload } from './workloads.ts'

/** The servers of a run; those that are undefined are not measured. */
export interface Targets {
  readonly kalends: Target
  readonly noCaches: Target
  readonly big: Target | undefined
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
  ]
  const { ground } = targets.kalends
  const replayed = JSON.stringify(answer)
  const page = Buffer.from(answer.body, 'base64').toString()
  const load = { workload: name, connections }
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
  await takeTurns(lab, { workload: `${name}-uncached`, connections }, turns)
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

/** Requests of a kind. */
const SINGLE = { pages: 500, rare: 500, common: 10 }

/** Measures searches of the big calendar one after the other, beside first pages of the small one that are sent likewise. */
export async function measureSearches(lab: Lab, { noCaches, big }: Targets): Promise<void> {
  if (big === undefined) return
  const note = async (name: string, target: Target, requests: readonly LoadRequest[]): Promise<void> => {
    const used = await cpuOfEach(target, requests)
    lab.book.add(`searches/${name}`, used)
    lab.say(`searches: ${name} ${used?.toFixed(0)} µs of processor time`)
  }
  // From the end, so that an earlier load has not asked for the same.
  const common = requestsOf('search-common', big).slice(-SINGLE.common)
  await note('first-page', noCaches, requestsOf('first-page-fresh', noCaches).slice(-SINGLE.pages))
  await note('rare', big, requestsOf('search-rare', big).slice(-SINGLE.rare))
  await note('common', big, common)
  await note('common-again', big, common)
}
