import { rm } from 'node:fs/promises'
import { NAMESPACE } from '../src/base/config/namespaces.ts'
import { copyOf, type DataFolder } from './data.ts'
import { explore } from './ground.ts'
import type { Target } from './lab.ts'
import { startKalends } from './processes.ts'

/** What runs while a server of its own serves a copy of a calendar, with all cores; the copy goes afterwards. */
export async function onCopy(folder: DataFolder, step: (target: Target) => Promise<void>): Promise<void> {
  const copy = await copyOf(folder)
  try {
    const server = await startKalends(copy, [], 'all cores')
    try {
      const { origin, pid } = server
      const { authorization } = folder
      const ground = await explore(`${origin}/${NAMESPACE}`, { authorization, now: Date.now() })
      await step({ name: 'attacked', origin, pid, ground })
    } finally {
      await server.stop()
    }
  } finally {
    await rm(copy.path, { recursive: true, force: true })
  }
}
