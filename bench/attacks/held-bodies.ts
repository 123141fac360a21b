import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NAMESPACE } from '../../src/config/namespaces.ts'
import { copyOf, type DataFolder } from '../data.ts'
import { explore, type Ground } from '../ground.ts'
import type { Lab } from '../lab.ts'
import { LOAD_CORE, pinned } from '../pinning.ts'
import { type BenchServer, residentMegabytes, startKalends } from '../processes.ts'

/** How bodies are held. */
interface Attack {
  /** Last part of the names of its figures. */
  readonly name: string
  readonly bytes: number
  readonly isKnown: boolean
}

const CONNECTIONS = 800

const ATTACKS: readonly Attack[] = [
  { name: 'anonymous-2mb', bytes: 2_000_000, isKnown: false },
  { name: 'anonymous-64k', bytes: 65_536, isKnown: false },
  { name: 'signed-in-2mb', bytes: 2_000_000, isKnown: true },
]

/** Time that an attack lasts, and after which the server must be as before, in seconds. */
const [LENGTH, REST] = [8, 5]

const HOLD = fileURLToPath(new URL('./hold.ts', import.meta.url))

/** Measures a plain list and the memory of a server before, while and after bodies are held on 800 connections. */
export async function measureHeldBodies(lab: Lab, folder: DataFolder): Promise<void> {
  for (const attack of ATTACKS) {
    const copy = await copyOf(folder)
    const server = await startKalends(copy, [], 'all cores')
    try {
      const ground = await explore(`${server.origin}/${NAMESPACE}`, {
        authorization: folder.authorization,
        now: Date.now(),
      })
      await measure(lab, { attack, server, ground })
    } finally {
      await server.stop()
      await rm(copy.path, { recursive: true, force: true })
    }
  }
}

interface Attacked {
  readonly attack: Attack
  readonly server: BenchServer
  readonly ground: Ground
}

async function measure(lab: Lab, { attack, server, ground }: Attacked): Promise<void> {
  const look = (part: string, seconds: number): Promise<Look> =>
    watch(lab, `held-bodies-${attack.name}/${part}`, { server, seconds })
  const before = await look('before', 2)
  const { origin } = server
  const { bytes, isKnown } = attack
  const argv = [origin, CONNECTIONS, bytes, isKnown ? (ground.authorization ?? '') : ''].map(String)
  const [program, ...parameters] = pinned(LOAD_CORE, [process.execPath, HOLD, ...argv])
  const attacker = spawn(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'] })
  const during = await look('during', LENGTH)
  await end(attacker)
  await sleep(REST * 1000)
  const after = await look('after', 2)
  const told = [before, during, after].map(
    ({ slowest, median, memory }) => `${median.toFixed(1)} ms (${slowest.toFixed(0)} at most), ${memory.toFixed(0)} MB`,
  )
  lab.say(`held bodies, ${attack.name}: before ${told[0]}; beside ${told[1]}; after ${told[2]}`)
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

interface Look {
  /** Milliseconds. */
  readonly median: number
  readonly slowest: number
  /** Most megabytes. */
  readonly memory: number
}

/** Asks for a list that is kept and for one that is made, in turn, and looks at the memory. */
async function watch(
  { book }: Lab,
  name: string,
  { server, seconds }: { readonly server: BenchServer; readonly seconds: number },
): Promise<Look> {
  const times: number[] = []
  let memory = 0
  let errors = 0
  for (const began = performance.now(); performance.now() - began < seconds * 1000; await sleep(20)) {
    const start = performance.now()
    const fresh = times.length % 2 === 0 ? '' : `?page=${1 + (times.length % 50)}`
    const answer = await fetch(`${server.origin}/${NAMESPACE}/events${fresh}`)
    await answer.arrayBuffer()
    if (answer.status !== 200) errors += 1
    times.push(performance.now() - start)
    memory = Math.max(memory, (await residentMegabytes(server.pid)) ?? Number.NaN)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const look = { median: sorted[sorted.length >> 1] ?? Number.NaN, slowest: sorted.at(-1) ?? Number.NaN, memory }
  book.add(`${name}/p50`, look.median)
  book.add(`${name}/slowest`, look.slowest)
  book.add(`${name}/memory`, memory)
  book.add(`${name}/errors`, errors)
  return look
}
