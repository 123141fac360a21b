import type { TestApp } from '../../test/support/app.ts'

/** A request, and what makes it what its name says. */
export interface Journey {
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

/** The requests that are traced. */
export const JOURNEYS = [
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
] as const satisfies readonly Journey[]

/**
 * Prepares an empty calendar for a request, and returns what sends it. What is prepared by the first request of a kind is no
 * part of a request, such as the process that searches; neither are texts that are cached already.
 */
export async function prepare(app: TestApp, journey: Journey): Promise<() => Promise<void>> {
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
  await create('An evening at the theatre')
  const { id } = JSON.parse(await create('An evening at the museum')) as { id: number }
  for (const path of ['/events?per_page=5', ...(journey.before ?? [])])
    await send(path, { headers: headers(journey.as) })
  const { method = 'GET', json } = journey
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const path = journey.path.replace('EVENT', String(id))
  return async () => void (await send(path, { method, headers: headers(journey.as), ...body }))
}
