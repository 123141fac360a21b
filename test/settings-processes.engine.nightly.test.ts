import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../src/storage/open.ts'
import { visitorAt } from './support/admin.ts'
import { knowPassword } from './support/known-password.ts'
import { databaseOf, kalends, openDataFolder, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { eventually } from './support/webhook-receiver.ts'

test('settings hold in every server of a calendar', {
  timeout: 300_000,
  skip: TEST_ENGINE === 'sqlite' && 'a SQLite calendar has one server',
}, async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'ada', '--role', 'administrator', '--email', 'ada@example.org', '--data', data)
  const storage = await openStorage({ database: await databaseOf(data) })
  await knowPassword({ storage, secret: '', now: Date.now }, 'ada')
  await storage.close()
  const servers = [await startServer(data), await startServer(data)]
  const ada = await visitorAt(servers[0]?.origin ?? '', 'ada')
  const everywhere = async (holds: (page: string) => boolean): Promise<boolean> => {
    const pages = await Promise.all(servers.map(async ({ origin }) => (await fetch(`${origin}/events/`)).text()))
    return pages.every(holds)
  }
  // Cached by both of them, with the settings of the start.
  assert.ok(await everywhere((page) => !page.includes('/submit/')))
  const { to } = await ada.submit('/admin/settings', { siteName: 'Harbour diary', submissions: 'yes' })
  assert.match(to, /done=saved$/)
  const isNew = (page: string): boolean => page.includes('Harbour diary') && page.includes('/submit/')
  await eventually('the settings in both servers', () => everywhere(isNew))
})
