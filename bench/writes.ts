import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { copyOf, type DataFolder } from './data.ts'
import { type Lab, type Target, takeTurns } from './lab.ts'
import { sendLoad } from './load.ts'
import { pinned, SERVER_CORE } from './pinning.ts'
import { startKalends } from './processes.ts'
import { creates, mixed, updates } from './workloads.ts'

/** Clients that write at the same time. */
const WRITERS = 16

/** Connections of the mixed load. */
const CROWD = 64

/** More creates than a run sends, so that every title is new. */
const CREATES = 20_000

/** Measures creates beside the same statements on the bare database, updates, and reads and writes together. */
export async function measureWrites(lab: Lab, folder: DataFolder, ground: Target['ground']): Promise<void> {
  const copy = await copyOf(folder)
  const server = await startKalends(copy, [])
  const target: Target = { name: 'kalends', origin: server.origin, pid: server.pid, ground }
  try {
    await measureCreates(lab, target, folder)
    const changes = { target, requests: updates(ground, CREATES) }
    await takeTurns(lab, { workload: 'update', connections: WRITERS }, [changes])
    await takeTurns(lab, { workload: 'mixed', connections: CROWD }, [{ target, requests: mixed(ground) }])
  } finally {
    await server.stop()
    await rm(copy.path, { recursive: true, force: true })
  }
}

async function measureCreates(lab: Lab, target: Target, folder: DataFolder): Promise<void> {
  const { seconds, rounds } = lab.pace
  const requests = creates(target.ground, CREATES)
  await sendLoad(target.origin, { requests: requests.slice(0, 500), connections: WRITERS, seconds: 1 })
  for (let round = 0; round < rounds; round += 1) {
    const part = requests.slice(Math.floor((round * CREATES) / rounds), Math.floor(((round + 1) * CREATES) / rounds))
    const measure = await sendLoad(target.origin, { requests: part, connections: WRITERS, seconds })
    for (const unit of ['rate', 'p50', 'p99', 'errors'] as const) lab.book.add(`create/kalends/${unit}`, measure[unit])
    const bare = await bareCreates(folder, JSON.stringify(part[0]), seconds)
    lab.book.add('create/bare/rate', bare.rate)
    lab.book.add('create/bare/statements', bare.statements)
  }
  const shown = ['kalends', 'bare'].map((name) => {
    const rates = lab.book.figures.get(`create/${name}/rate`) ?? []
    return `${name} ${rates.map((rate) => Math.round(rate)).join(' ')}/s`
  })
  lab.say(`create: ${shown.join(', ')}`)
}

const BARE = fileURLToPath(new URL('./bare-creates.ts', import.meta.url))

/** What the bare database does, see `bare-creates.ts`. */
export interface BareCreates {
  /** Creates a second. */
  readonly rate: number
  /** Statements of one create. */
  readonly statements: number
}

async function bareCreates(folder: DataFolder, request: string, seconds: number): Promise<BareCreates> {
  const copy = await copyOf(folder)
  try {
    const argv = [BARE, copy.path, request, String(seconds), String(WRITERS)] as const
    const [program, ...parameters] = pinned(SERVER_CORE, [process.execPath, ...argv])
    const { stdout } = await promisify(execFile)(program, parameters)
    return JSON.parse(stdout) as BareCreates
  } finally {
    await rm(copy.path, { recursive: true, force: true })
  }
}
