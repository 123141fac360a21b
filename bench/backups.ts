import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DataFolder } from './data.ts'
import { ask, type Lab, type Target } from './lab.ts'
import type { LoadRequest } from './load.ts'
import { residentMegabytes } from './processes.ts'
import { creates } from './workloads.ts'

const BIN = fileURLToPath(new URL('../bin/kalends.js', import.meta.url))

/** Clients that write while the backup is made. */
const WRITERS = 16

/** More creates than are sent meanwhile. */
const CREATES = 100_000

/** Milliseconds between two looks at a list and at the memory. */
const PAUSE = 50

/** Measures a backup of a calendar while as much is written to it as its server takes, and what readers notice of it. */
export async function measureBackup(lab: Lab, server: Target, data: DataFolder): Promise<void> {
  const target = await mkdtemp(join(tmpdir(), 'kalends-bench-'))
  let isOver = false
  const requests = creates(server.ground, CREATES)
  let next = 0
  let made = 0
  const write = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await ask(server, requests[next++ % CREATES] as LoadRequest)
      if (status === 201) made += 1
    }
  }
  const writers = Array.from({ length: WRITERS }, write)
  try {
    await backUp(lab, { server, data, target })
    lab.book.add('backup/creates-meanwhile', made)
  } finally {
    isOver = true
    await Promise.all(writers)
    await rm(target, { recursive: true, force: true })
  }
}

interface Backing {
  readonly server: Pick<Target, 'origin'>
  readonly data: DataFolder
  readonly target: string
}

async function backUp(lab: Lab, { server, data, target }: Backing): Promise<void> {
  const began = performance.now()
  const database = data.database === undefined ? [] : ['--database', data.database]
  const child = execFile(process.execPath, [BIN, 'backup', target, '--data', data.path, ...database])
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const slowest = { list: 0, megabytes: 0 }
  while (child.exitCode === null && child.signalCode === null) {
    const asked = performance.now()
    await ask(server, { method: 'GET', path: '/cal/events/v1/events' })
    slowest.list = Math.max(slowest.list, performance.now() - asked)
    slowest.megabytes = Math.max(slowest.megabytes, (await residentMegabytes(child.pid ?? 0)) ?? 0)
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, PAUSE))])
  }
  if ((await ended) !== 0) throw new Error('the backup failed')
  const seconds = (performance.now() - began) / 1000
  lab.say(`backup of ${data.events} events beside ${WRITERS} writers: ${seconds.toFixed(1)} s`)
  lab.book.add('backup/seconds', seconds)
  lab.book.add('backup/slowest-list-ms', slowest.list)
  lab.book.add('backup/megabytes', slowest.megabytes)
}
