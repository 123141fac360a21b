import assert from 'node:assert/strict'
import type { SiteImportInput, SiteReport } from '../../src/exchange/imports/readers/site/types.ts'
import type { TestApp } from './app.ts'
import type { Json } from './json-import.ts'
import type { MadeItem, MadeSite } from './made-site.ts'

/** Imports a made site as the command does, as fast as it can. */
export async function importMade(
  { app }: TestApp,
  site: MadeSite,
  input: Partial<SiteImportInput> = {},
): Promise<SiteReport> {
  assert.ok(app.importSite)
  const usual = {
    rate: 0,
    concurrency: 3,
    backoff: 1,
    vanished: 'keep',
    dryRun: false,
    allow: ['127.0.0.1'],
  } as const
  return app.importSite({ address: site.origin, ...usual, ...input }, () => undefined)
}

/** Credentials that a made site takes. */
export const EDITOR = { user: 'admin', password: 'secret' } as const

/** All events that editors see, by their start. */
export async function eventsOf(app: TestApp): Promise<Json[]> {
  const events: Json[] = []
  const window = { start_date: '2000-01-01', end_date: '2099-12-31', per_page: 50 }
  for (let page = 1; ; page += 1) {
    const query = { ...window, status: 'publish,draft,private,trash', page }
    const { status, body } = await app.call('administrator', 'GET', '/events', { query })
    if (status !== 200) return events
    events.push(...body.events)
  }
}

/** An event of a made site, a day after the one with the number before. */
export function madeEvent(id: number, more: Readonly<Record<string, unknown>> = {}): MadeItem {
  const day = new Date(Date.UTC(2026, 0, 1 + id)).toISOString().slice(0, 10)
  const start_date = `${day} 19:00:00`
  return {
    id,
    global_id: `there.example?id=${id}`,
    global_id_lineage: [`there.example?id=${id}`],
    author: '1',
    status: 'publish',
    date_utc: '2025-12-01 10:00:00',
    modified_utc: '2025-12-02 10:00:00',
    url: `http://there.example/event/e-${id}/`,
    title: `Event ${id}`,
    description: `<p>About ${id}</p>`,
    slug: `e-${id}`,
    image: false,
    all_day: false,
    start_date,
    end_date: `${day} 21:00:00`,
    timezone: 'America/New_York',
    cost: '',
    website: '',
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    ...more,
  }
}

/** So many events of a made site, from ID 1000 on. */
export function madeEvents(count: number): MadeItem[] {
  return Array.from({ length: count }, (_none, index) => madeEvent(1000 + index))
}

/** IDs, sorted. */
export function idsIn(items: readonly Json[]): number[] {
  return items.map(({ id }) => Number(id)).sort((one, other) => one - other)
}
