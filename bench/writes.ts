import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { copyOf, type DataFolder } from './data.ts'
import { ask, type Lab, type Target, takeTurns, withBeside } from './lab.ts'
import type { LoadRequest } from './load.ts'
import { pinned, SERVER_CORE } from './pinning.ts'
import { startKalends } from './processes.ts'
import { creates, mixed, requestsOf, updates } from './workloads.ts'

/** Clients that write at the same time. */
const WRITERS = 16

/** Connections of the mixed load. */
const CROWD = 64

/** Creates for each second of a round: more than a server answers, so that every title is new. */
const MOST_CREATES = 2_000

/** Updates that are sent in turn. */
const UPDATES = 20_000

/** Measures creates beside the same statements on the bare database, and reads and writes together. */
export function measureWrites(lab: Lab, folder: DataFolder, ground: Target['ground']): Promise<void> {
  return onWritable(folder, ground, async (target) => {
    await measureCreates(lab, target, folder)
    await measureMixed(lab, target)
  })
}

/** Measures updates, each to another title. */
export function measureUpdates(lab: Lab, folder: DataFolder, ground: Target['ground']): Promise<void> {
  return onWritable(folder, ground, (target) =>
    takeTurns(lab, { workload: 'update', connections: WRITERS }, [{ target, requests: updates(ground, UPDATES) }]),
  )
}

/** Runs a step with a server on a copy of a folder. */
async function onWritable(
  folder: DataFolder,
  ground: Target['ground'],
  step: (target: Target) => Promise<void>,
): Promise<void> {
  const copy = await copyOf(folder)
  try {
    const { origin, pid, stop } = await startKalends(copy, [])
    try {
      await step({ name: 'kalends', origin, pid, ground })
    } finally {
      await stop()
    }
  } finally {
    await rm(copy.path, { recursive: true, force: true })
  }
}

/** Nineteen reads to a create, beside `node:http` that answers all of them with a first page. */
async function measureMixed(lab: Lab, target: Target): Promise<void> {
  const requests = mixed(target.ground)
  const [page] = requestsOf('first-page', target)
  if (page === undefined) return
  const content = JSON.stringify(await ask(target, page))
  await withBeside('raw', { argv: [], content }, ({ origin, pid }) =>
    takeTurns(lab, { workload: 'mixed', connections: CROWD }, [
      { target, requests },
      { target: { ...target, name: 'raw', origin, pid }, requests },
    ]),
  )
}

async function measureCreates(lab: Lab, target: Target, folder: DataFolder): Promise<void> {
  const { seconds, rounds, warmUp } = lab.pace
  // Each round starts at a part of its own.
  const requests = creates(target.ground, (rounds + 1) * Math.max(seconds, warmUp) * MOST_CREATES)
  const bare = await recordBare(folder, requests.slice(0, seconds * MOST_BARE))
  const besides = async (): Promise<void> => {
    const { cpu, statements } = await bareCreates(bare, seconds)
    lab.book.add('create/bare/cpu', cpu)
    lab.book.add('create/bare/statements', statements)
  }
  try {
    const subject = { workload: 'create', connections: WRITERS, besides }
    await takeTurns(lab, subject, [{ target, requests }])
  } finally {
    await bare.remove()
  }
  const shown = (lab.book.figures.get('create/bare/cpu') ?? []).map((time) => Math.round(time))
  lab.say(`create: bare ${shown.join(' ')} µs`)
}

const BARE = fileURLToPath(new URL('./bare-creates.ts', import.meta.url))

/** Creates that are recorded for each second of a round. */
const MOST_BARE = 500

/** What the bare database does, see `bare-creates.ts`. */
export interface BareCreates {
  /** Microseconds of processor time of one create. */
  readonly cpu: number
  readonly creates: number
  /** Statements of one create, those that creates share divided among them. */
  readonly statements: number
}

/** A recording of creates, and a calendar as it was before them. */
interface BareGround {
  readonly folder: DataFolder
  /** File of the recording. */
  readonly tape: string
  /** Removes both. */
  remove(): Promise<void>
}

/** Records creates that are sent one by one, so that nothing of theirs is shared. */
async function recordBare(folder: DataFolder, requests: readonly LoadRequest[]): Promise<BareGround> {
  const [ground, files] = [await copyOf(folder), await mkdtemp(join(tmpdir(), 'kalends-bare-'))]
  const remove = async (): Promise<void> => {
    for (const path of [ground.path, files]) await rm(path, { recursive: true, force: true })
  }
  const [tape, list] = [join(files, 'tape'), join(files, 'requests.json')]
  try {
    await writeFile(list, JSON.stringify(requests))
    await runBare(['settle', ground.path])
    const recorded = await copyOf(ground)
    try {
      await runBare(['record', recorded.path, tape, list, '1'])
    } finally {
      await rm(recorded.path, { recursive: true, force: true })
    }
    return { folder: ground, tape, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function bareCreates({ folder, tape }: BareGround, seconds: number): Promise<BareCreates> {
  const copy = await copyOf(folder)
  try {
    return JSON.parse(await runBare(['replay', copy.path, tape, String(seconds), String(WRITERS)])) as BareCreates
  } finally {
    await rm(copy.path, { recursive: true, force: true })
  }
}

async function runBare(argv: readonly string[]): Promise<string> {
  const [program, ...parameters] = pinned(SERVER_CORE, [process.execPath, BARE, ...argv])
  return (await promisify(execFile)(program, parameters)).stdout
}
