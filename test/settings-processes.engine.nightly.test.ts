import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../src/storage/open.ts'
import { visitorAt } from './support/admin.ts'
import { knowPassword } from './support/known-password.ts'
import { databaseOf, kalends, openDataFolder, startServer } from './support/server.ts'
import { eventually } from './support/webhook-receiver.ts'

const WORKERS = 3

/** Pages at once, each on a connection of its own, and how often: one worker alone hardly ever responds to all. */
const AT_ONCE = 60
const ROUNDS = 12

test('settings hold in every process of a server', { timeout: 300_000 }, async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'ada', '--role', 'administrator', '--email', 'ada@example.org', '--data', data)
  const storage = await openStorage({ database: await databaseOf(data) })
  await knowPassword({ storage, secret: '', now: Date.now }, 'ada')
  await storage.close()
  const server = await startServer(data, ['--workers', String(WORKERS), '--log-level', 'info'])
  const ada = await visitorAt(server.origin, 'ada')
  const look = async (): Promise<string> => {
    const response = await fetch(`${server.origin}/events/`, { headers: { connection: 'close' } })
    assert.equal(response.status, 200)
    return response.text()
  }
  const everywhere = async (holds: (page: string) => boolean): Promise<boolean> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pages = await Promise.all(Array.from({ length: AT_ONCE }, look))
      if (!pages.every(holds)) return false
    }
    return true
  }
  // Cached by all of them, with the settings of the start.
  await eventually('all workers', () => server.problems().split('a worker answers').length > WORKERS)
  assert.ok(await everywhere((page) => !page.includes('/submit/')))
  const { to } = await ada.submit('/admin/settings', { siteName: 'Harbour diary', submissions: 'yes' })
  assert.match(to, /done=saved$/)
  const isNew = (page: string): boolean => page.includes('Harbour diary') && page.includes('/submit/')
  await eventually('the settings in all processes', () => everywhere(isNew))
})
