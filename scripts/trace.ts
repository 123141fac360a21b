// npm run trace: what one request goes through. Each request below is sent once to a server in this process, and every
// function of src/ that it enters is recorded until its response has arrived:
//   npm run trace                    the number of functions and files, and how often the next function lies in another file
//   npm run trace -- cold-search     that request, with the files in order
//   npm run trace -- PATCH --all     that request, with every function
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Entry, entriesOf, instrument, quiet } from './tracing/instrument.ts'

/** A request, and what makes it what its name says. */
interface Journey {
  readonly name: string
  /** Below the namespace, or an address of the site where it ends in `/`. */
  readonly path: string
  readonly as?: 'administrator'
  readonly method?: string
  readonly json?: unknown
  /** Sent before it is traced. */
  readonly before?: readonly string[]
  readonly hasNoCache?: boolean
}

const PLACE = { start_date: '2026-12-01 10:00:00', end_date: '2026-12-01 12:00:00' }

const JOURNEYS: readonly Journey[] = [
  { name: 'cached-list', path: '/events?per_page=7', before: ['/events?per_page=7', '/events?per_page=7'] },
  { name: 'cold-list', path: '/events?per_page=6' },
  { name: 'cold-search', path: '/events?search=museum', before: ['/events?search=theatre'] },
  {
    name: 'search-uncached-signed-in',
    path: '/events?search=museum',
    as: 'administrator',
    before: ['/events?search=theatre'],
    hasNoCache: true,
  },
  { name: 'by-id', path: '/events/EVENT', hasNoCache: true },
  {
    name: 'PATCH',
    path: '/events/EVENT',
    as: 'administrator',
    method: 'PATCH',
    json: { title: 'A day at the museum' },
  },
  {
    name: 'event-page',
    path: '/event/an-evening-at-the-museum/',
    before: ['/event/an-evening-at-the-theatre/'],
  },
  {
    name: 'POST',
    path: '/events',
    as: 'administrator',
    method: 'POST',
    json: { title: 'Night of the museum', ...PLACE },
  },
  {
    name: 'POST-with-venue',
    path: '/events',
    as: 'administrator',
    method: 'POST',
    json: { title: 'Night of the museum', ...PLACE, venue: { venue: 'Town museum', city: 'Bern' } },
  },
]

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } })
const chosen = JOURNEYS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
if (chosen.length === 0) throw new Error(`there are ${JOURNEYS.map(({ name }) => name).join(', ')}`)
instrument(root, join(root, 'src'))

console.log('request                     functions  files  changes of file')
for (const journey of chosen) show(journey.name, await trace(journey))

async function trace(journey: Journey): Promise<readonly Entry[]> {
  const steps: (() => Promise<void>)[] = []
  // Only now, because only what is loaded after the preparation reports.
  const { openTestApp } = await import('../test/support/app.ts')
  const scope = { after: (step: () => Promise<void>) => steps.push(step) }
  const app = await openTestApp(scope, journey.hasNoCache === true ? { cacheSize: '0' } : {})
  const headers = (as?: 'administrator'): Record<string, string> => ({
    'content-type': 'application/json',
    ...(as && { authorization: app.authorization(as) }),
  })
  const send = async (path: string, init: RequestInit): Promise<string> => {
    const response = await fetch(
      path.endsWith('/') ? `${app.origin}${path}` : `${app.origin}/cal/events/v1${path}`,
      init,
    )
    const body = await response.text()
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${response.status} ${body}`)
    return body
  }
  const create = (title: string): Promise<string> =>
    send('/events', {
      method: 'POST',
      headers: headers('administrator'),
      body: JSON.stringify({ title, ...PLACE, venue: { venue: `${title}, the house` } }),
    })
  try {
    await create('An evening at the theatre')
    const { id } = JSON.parse(await create('An evening at the museum')) as { id: number }
    // What is prepared by the first request of a kind is no part of a request, such as the process that searches; neither
    // are texts that are cached already, nor what continues in the background after a write.
    for (const path of ['/events?per_page=5', ...(journey.before ?? [])])
      await send(path, { headers: headers(journey.as) })
    const { method = 'GET', json } = journey
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    await quiet()
    const path = journey.path.replace('EVENT', String(id))
    return await entriesOf(async () => {
      await send(path, { method, headers: headers(journey.as), ...body })
    })
  } finally {
    for (const step of steps) await step()
  }
}

function show(name: string, entries: readonly Entry[]): void {
  const inAnother = entries.filter(({ file }, index) => file !== entries[index - 1]?.file)
  const files = new Set(entries.map(({ file }) => file))
  const numbers = [entries.length, files.size, inAnother.length]
  console.log(
    `${name.padEnd(28)}${numbers.map((number, index) => String(number).padStart([9, 7, 17][index] ?? 0)).join('')}`,
  )
  if (positionals.length === 0) return
  const shown = values.all === true ? entries : inAnother
  for (const { file, line, name: of } of shown) console.log(`  ${file}:${line} ${of}`)
}
