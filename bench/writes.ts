import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { copyOf, type DataFolder } from './data.ts'
import { type Lab, type Target, takeTurns } from './lab.ts'
import { type LoadRequest, type Measure, sendLoad } from './load.ts'
import { pinned, SERVER_CORE } from './pinning.ts'
import { startKalends } from './processes.ts'
import { creates, mixed, updates, WARM_UP } from './workloads.ts'

/** Clients that write at the same time. */
const WRITERS = 16

/** Connections of the mixed load. */
const CROWD = 64

/** Creates for each second of a round: more than a server answers, so that every title is new. */
const MOST_CREATES = 2_000

/** Updates that are sent in turn. */
const UPDATES = 20_000

/** Measures creates beside the same statements on the bare database, updates, and reads and writes together. */
export async function measureWrites(lab: Lab, folder: DataFolder, ground: Target['ground']): Promise<void> {
  const copy = await copyOf(folder)
  const server = await startKalends(copy, [])
  const target: Target = { name: 'kalends', origin: server.origin, pid: server.pid, ground }
  try {
    await measureCreates(lab, target, folder)
    const changes = { target, requests: updates(ground, UPDATES) }
    await takeTurns(lab, { workload: 'update', connections: WRITERS, warmUp: WARM_UP }, [changes])
    await takeTurns(lab, { workload: 'mixed', connections: CROWD }, [{ target, requests: mixed(ground) }])
  } finally {
    await server.stop()
    await rm(copy.path, { recursive: true, force: true })
  }
}

async function measureCreates(lab: Lab, target: Target, folder: DataFolder): Promise<void> {
  const { seconds, rounds } = lab.pace
  const requests = creates(target.ground, (WARM_UP + rounds * seconds) * MOST_CREATES)
  const load = async (from: number, duration: number): Promise<Measure> => {
    const part = requests.slice(from * MOST_CREATES, (from + duration) * MOST_CREATES)
    return sendLoad(target.origin, { requests: part, connections: WRITERS, seconds: duration })
  }
  await load(0, WARM_UP)
  const grounds: BareGround[] = []
  try {
    for (const ruler of RULERS) grounds.push(await recordBare(folder, requests.slice(0, seconds * MOST_BARE), ruler))
    for (let round = 0; round < rounds; round += 1) {
      const measure = await load(WARM_UP + round * seconds, seconds)
      for (const unit of ['rate', 'p50', 'p99', 'errors'] as const)
        lab.book.add(`create/kalends/${unit}`, measure[unit])
      for (const bare of grounds) {
        const { rate, statements } = await bareCreates(bare, seconds)
        lab.book.add(`create/${bare.name}/rate`, rate)
        lab.book.add(`create/${bare.name}/statements`, statements)
      }
    }
  } finally {
    for (const bare of grounds) await bare.remove()
  }
  const shown = ['kalends', ...RULERS.map(({ name }) => name)].map((name) => {
    const rates = lab.book.figures.get(`create/${name}/rate`) ?? []
    return `${name} ${rates.map((rate) => Math.round(rate)).join(' ')}/s`
  })
  lab.say(`create: ${shown.join(', ')}`)
}

const BARE = fileURLToPath(new URL('./bare-creates.ts', import.meta.url))

/** Creates that are recorded for each second of a round: more than the bare database executes. */
const MOST_BARE = 5_000

/** What creates are compared with: the statements that the application executes when so many clients create at a time. */
interface Ruler {
  readonly name: string
  readonly clients: number
}

const RULERS: readonly Ruler[] = [
  // Everything that a create takes. The bar is held against this one; when it was set one such create was repeated.
  { name: 'bare', clients: 1 },
  // Without what the application saves where creates share a commit, such as writing the search index once for all.
  { name: 'bare-shared', clients: WRITERS },
]

/** What the bare database does, see `bare-creates.ts`. */
export interface BareCreates {
  /** Creates a second. */
  readonly rate: number
  readonly creates: number
  /** Statements of one create, those that creates share divided among them. */
  readonly statements: number
}

/** A recording of creates, and a calendar as it was before them. */
interface BareGround {
  readonly name: string
  readonly folder: DataFolder
  /** File of the recording. */
  readonly tape: string
  /** Removes both. */
  remove(): Promise<void>
}

async function recordBare(
  folder: DataFolder,
  requests: readonly LoadRequest[],
  { name, clients }: Ruler,
): Promise<BareGround> {
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
      await runBare(['record', recorded.path, tape, list, String(clients)])
    } finally {
      await rm(recorded.path, { recursive: true, force: true })
    }
    return { name, folder: ground, tape, remove }
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
