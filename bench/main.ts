import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openOrganizers } from '../src/organizers/index.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openStorage } from '../src/storage/open.ts'
import { acquireWriterLock } from '../src/storage/writer-lock.ts'
import { openTerms } from '../src/terms/index.ts'
import { openVenues } from '../src/venues/index.ts'
import { planFor, seed } from './seed.ts'

const { values } = parseArgs({
  options: { data: { type: 'string' }, events: { type: 'string', default: '100000' }, from: { type: 'string' } },
})
if (values.data === undefined)
  throw new Error('usage: node bench/main.ts --data FOLDER [--events 100000] [--from 2026-01-01]')
const folder = resolve(values.data)
await mkdir(folder, { recursive: true })
const lock = acquireWriterLock(folder)
if (lock === undefined) throw new Error(`${folder} is in use: stop the server first`)

const site = {
  name: 'Kalends',
  zone: 'UTC',
  host: 'bench.example',
  currencySymbol: '$',
  currencyPosition: 'prefix',
  perPageMax: 50,
} as const
const now = (): number => Date.now()
const storage = await openStorage({ database: `sqlite:${join(folder, 'kalends.db')}`, now })
await migrate(storage, { now })
const parts = { storage, site, isUser: async (): Promise<boolean> => true }
const terms = openTerms(parts)
const shelves = {
  venue: openVenues(parts).shelf,
  organizer: openOrganizers(parts).shelf,
  category: terms.category,
  tag: terms.tag,
}
const owner = { id: 1, role: 'administrator', name: 'bench' } as const
const began = now()
const from = `${values.from ?? new Date(began).toISOString().slice(0, 10)} 00:00:00`
await seed(
  { storage, shelves, owner, siteZone: site.zone, now: began },
  planFor(Number(values.events), from),
  (done) => {
    if (done % 10_000 === 0) process.stdout.write(`${done} events, ${((now() - began) / 1000).toFixed(1)} s\n`)
  },
)
await storage.close()
lock.release()
process.stdout.write(`seeded ${values.events} events into ${folder} in ${((now() - began) / 1000).toFixed(1)} s\n`)
