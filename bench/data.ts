import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { addFirstAdministrator } from '../src/accounts/users/index.ts'
import { storeZoneVersion } from '../src/calendar/events/index.ts'
import { openOrganizers } from '../src/calendar/organizers/index.ts'
import { NO_IMAGES } from '../src/calendar/shared/image.ts'
import { openTerms } from '../src/calendar/terms/index.ts'
import { openVenues } from '../src/calendar/venues/index.ts'
import { loadSecret } from '../src/http/auth/secret.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openStorage } from '../src/storage/open.ts'
import { sync } from '../src/storage/sync.ts'
import { planFor, type SeedPlan, type SeedShape, seed } from './seed.ts'

/** A data folder for a server of the benchmark. */
export interface DataFolder {
  readonly path: string
  readonly events: number
  /** Value of an Authorization header of its administrator. */
  readonly authorization: string
}

/** Settings of the seeded site; the server is started with the same ones. */
export const SITE = {
  name: 'Benchmark',
  zone: 'Europe/Berlin',
  host: 'bench.example',
  currencySymbol: '€',
  currencyPosition: 'prefix',
  perPageMax: 50,
} as const

/** To be raised when `seed` makes other data of the same plan. */
const EDITION = 5

/** Folder of the seeded data folders: KALENDS_BENCH_DATA, else in the cache folder of the user; outside the project. */
function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env['KALENDS_BENCH_DATA'] || join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'kalends-bench')
}

/** The year before `now`, with which the seeded events start. */
export function firstYear(now: number): number {
  return new Date(now).getUTCFullYear() - 1
}

/**
 * A seeded data folder, made if there is none of this size yet. The events start with the year before `now` and last
 * five years by default.
 */
export async function seededFolder(events: number, now: number, shape?: SeedShape): Promise<DataFolder> {
  const year = firstYear(now)
  const often = shape?.dates === undefined ? '' : `-of-${shape.dates}-dates`
  const spread = shape === undefined ? '' : `-over-${shape.days}-days${shape.isShort ? '-short' : ''}${often}`
  const path = join(cacheFolder(process.env), `${events}-events-from-${year}${spread}-edition-${EDITION}`)
  const known = await noteOf(path)
  if (known !== undefined) return { path, events, authorization: known }
  const draft = `${path}.making`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const authorization = await fill(draft, planFor(events, `${year}-01-01 00:00:00`, shape))
  await writeFile(join(draft, NOTE), authorization)
  await rm(path, { recursive: true, force: true })
  await rename(draft, path)
  return { path, events, authorization }
}

/** File with the header of the administrator of this throw-away calendar. */
const NOTE = 'bench-authorization'

async function noteOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(path, NOTE), 'utf8')
  } catch {
    return undefined
  }
}

let copies = 0

/** A copy that may be written to; remove it with `rm`. */
export async function copyOf(folder: DataFolder): Promise<DataFolder> {
  copies += 1
  const path = `${folder.path}.copy-${process.pid}-${copies}`
  await rm(path, { recursive: true, force: true })
  // Not the socket and the lock of a server that reads the folder meanwhile.
  await cp(folder.path, path, { recursive: true, filter: (file) => !/\.(sock|lock|db-shm)$/.test(file) })
  await flush(path)
  return { ...folder, path }
}

/** Has the disk take all files of a folder now: otherwise the first commit that is measured waits for them. */
async function flush(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (entry.isFile()) await sync(join(entry.parentPath, entry.name))
}

async function fill(path: string, plan: SeedPlan): Promise<string> {
  const now = (): number => Date.now()
  const began = now()
  const say = (text: string): void =>
    void process.stderr.write(`${text} after ${((now() - began) / 1000).toFixed(1)} s\n`)
  const storage = await openStorage({ database: `sqlite:${join(path, 'kalends.db')}`, synchronous: 'NORMAL', now })
  try {
    await migrate(storage, { now })
    await storeZoneVersion(storage)
    const parts = { storage, site: SITE, isUser: async (): Promise<boolean> => true, pictures: NO_IMAGES }
    const terms = openTerms(parts)
    const lookups = {
      venue: openVenues(parts).lookup,
      organizer: openOrganizers(parts).lookup,
      category: terms.category,
      tag: terms.tag,
    }
    const user = await addFirstAdministrator({ storage, now, secret: await loadSecret('', path) })
    if (user === undefined) throw new Error(`${path} has users already`)
    const owner = { id: 1, role: 'administrator', name: user.name } as const
    const target = { storage, lookups, owner, siteZone: SITE.zone, now: began }
    const onProgress = (done: number): void => {
      if (done % 50_000 === 0) say(`${done} of ${plan.events} events`)
    }
    await seed(target, plan, { onProgress })
    return `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`
  } finally {
    await storage.close()
    say(`seeded ${plan.events} events`)
  }
}
