import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { atEnd, type TestScope } from './at-end.ts'

const RECORDED = join(import.meta.dirname, '../fixtures/recorded')
/** What it shows at most on a page. */
const CAP = 2

type Item = Readonly<Record<string, unknown>> & { readonly id: number }

/** A site of The Events Calendar on a free port, and the files of a folder for pages that use a client. */
export interface TecSite {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
}

/** Opens a site that answers as recorded ones do: totals are texts, a page without a venue has an empty list. */
export async function openTecSite(t: TestScope, files: string): Promise<TecSite> {
  const server = createServer((request, response) => answer(request, response, files)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, async () => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function answer(request: IncomingMessage, response: ServerResponse, files: string): void {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const path = url.pathname.replace(/\/$/, '')
  if (path.startsWith('/files')) {
    sendFile(response, join(files, path.slice('/files'.length)))
    return
  }
  const [status, body] = request.method === 'GET' ? responseTo(path, url) : [405, { code: 'rest_no_route' }]
  const link = `<${url.origin}/wp-json/>; rel="https://api.w.org/"`
  response.writeHead(status, { 'content-type': 'application/json', link })
  response.end(JSON.stringify(body))
}

function responseTo(path: string, url: URL): readonly [number, unknown] {
  if (path === '') return [200, {}]
  if (path === '/wp-json') {
    return [200, { name: 'Harbour', timezone_string: '', gmt_offset: 1, namespaces: ['tribe/events/v1', 'wp/v2'] }]
  }
  const [, kind = '', id] = /^\/wp-json\/tribe\/events\/v1\/(\w+)(?:\/(?:by-slug\/)?([\w-]+))?$/.exec(path) ?? []
  const items = itemsOf(kind)
  if (id === undefined) return listOf(kind, items, url)
  const found = items.find((item) => String(item.id) === id || item['slug'] === id)
  return found === undefined ? [404, { code: 'rest_not_found' }] : [200, found]
}

function sendFile(response: ServerResponse, path: string): void {
  const type = path.endsWith('js') ? 'text/javascript' : 'text/html'
  response.writeHead(200, { 'content-type': type })
  response.end(path.endsWith('.ico') ? '' : readFileSync(path))
}

function listOf(kind: string, items: readonly Item[], url: URL): readonly [number, unknown] {
  const page = Number(url.searchParams.get('page') ?? 1)
  const size = Math.min(CAP, Number(url.searchParams.get('per_page') ?? 10))
  const shown = items.slice((page - 1) * size, page * size)
  const isPost = kind !== 'categories' && kind !== 'tags'
  if (shown.length === 0 && page > 1 && isPost) {
    return [404, { code: 'event-archive-page-not-found', message: 'None', data: { status: 404 } }]
  }
  const address = `${url.origin}${url.pathname}/`
  const next = page * size < items.length ? { next_rest_url: `${address}?page=${page + 1}&status=any` } : {}
  return [200, { [kind]: shown, rest_url: address, ...next, total: String(items.length) }]
}

/** Items of a kind; venues, organizers and terms are those that the events show. */
function itemsOf(kind: string): readonly Item[] {
  const { events } = JSON.parse(readFileSync(join(RECORDED, 'harbour-events.json'), 'utf8')) as {
    events: readonly Item[]
  }
  if (kind === 'events') return events
  const member = kind === 'venues' ? 'venue' : kind === 'organizers' ? 'organizer' : kind
  const shown = events.flatMap((event) => [event[member] ?? []].flat() as unknown as readonly Item[])
  return [...new Map(shown.map((item) => [item.id, item])).values()]
}
