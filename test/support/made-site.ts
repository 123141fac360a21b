import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd, type TestScope } from './at-end.ts'

/** An item as a site answers it. */
export type MadeItem = Readonly<Record<string, unknown>> & { readonly id: number | string }

/** What a made site has; tests change it while it runs. */
export interface MadeContent {
  events: MadeItem[]
  venues: MadeItem[]
  organizers: MadeItem[]
  categories: MadeItem[]
  tags: MadeItem[]
  users: MadeItem[]
  /** IDs of all events as its general list has them; refused if absent. */
  posts?: MadeItem[]
  /** What its library says of images; refused if absent. */
  media?: MadeItem[]
  /** Bytes by path, perhaps with a query. */
  readonly images: Map<string, Buffer>
}

/** What goes wrong with a response. */
export type Trouble =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'cut' | 'half' | 'reset' | 'page' | 'notice' | 'mark' }
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  | {
      readonly kind: 'list'
      change(items: readonly MadeItem[], total: number): { items: readonly MadeItem[]; total?: number }
    }

/** A site of someone else that speaks the interface as sites in the wild do, on 127.0.0.1. */
export interface MadeSite {
  readonly origin: string
  readonly content: MadeContent
  /** Paths with queries that were asked for, in their order. */
  readonly asked: string[]
  /** Says what goes wrong with a request; `tries` counts those for the same address. */
  trouble: (path: string, tries: number) => Trouble | undefined
  /** Basic credentials that it takes; undefined takes none, as if something took them away. */
  credentials: string | undefined
  /** Whether its user sees everything. */
  isEditor: boolean
  /** Header of its pages that names the API; the link in the page when ''. */
  announcedBy: 'root' | 'link' | 'html' | 'nothing'
  /** `/wp-json`, or '?' for addresses with `rest_route`. */
  prefix: string
}

/** Most items of a page. */
const CAP = 50

/** Opens a made site. */
export async function openMadeSite(t: TestScope): Promise<MadeSite> {
  const site: MadeSite = {
    origin: '',
    content: { events: [], venues: [], organizers: [], categories: [], tags: [], users: [], images: new Map() },
    asked: [],
    trouble: () => undefined,
    credentials: 'admin:secret',
    isEditor: true,
    announcedBy: 'root',
    prefix: '/wp-json',
  }
  const tries = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    site.asked.push(path)
    tries.set(path, (tries.get(path) ?? 0) + 1)
    answer(site, { request, response, trouble: site.trouble(path, tries.get(path) ?? 1) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  atEnd(t, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return Object.assign(site, { origin: `http://127.0.0.1:${port}` })
}

interface Answering {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly trouble: Trouble | undefined
}

function answer(site: MadeSite, { request, response, trouble }: Answering): void {
  if (trouble?.kind === 'hold')
    void trouble.until.then(() => answerAsAsked(site, { request, response, trouble: undefined }))
  else if (trouble?.kind === 'reset') request.socket.resetAndDestroy()
  else if (trouble?.kind === 'status') response.writeHead(trouble.status, trouble.headers).end('<h1>Trouble</h1>')
  else if (trouble?.kind === 'page')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>One moment, please</html>')
  else answerAsAsked(site, { request, response, trouble })
}

function answerAsAsked(site: MadeSite, { request, response, trouble }: Answering): void {
  const url = new URL(request.url ?? '/', site.origin)
  const { images } = site.content
  const image = images.get(decodeURI(url.pathname + url.search)) ?? images.get(decodeURI(url.pathname))
  const route = routeOf(site, url)
  if (image !== undefined) send(response, { bytes: image, type: 'image/png', trouble })
  else if (url.pathname.startsWith('/up/')) response.writeHead(404).end('<h1>Not found</h1>')
  else if (route === undefined) page(site, response)
  else {
    const { status, body } = api(site, { route, url, request, trouble })
    const text = `${trouble?.kind === 'mark' ? '\uFEFF' : ''}${trouble?.kind === 'notice' ? NOTICE : ''}${JSON.stringify(body)}`
    send(response, { bytes: Buffer.from(text), type: 'application/json', trouble, status })
  }
}

const NOTICE = '<br />\n<b>Notice</b>:  Undefined index: cost in <b>/srv/x.php</b> on line <b>12</b><br />\n'

interface Sent {
  readonly bytes: Buffer
  readonly type: string
  readonly trouble: Trouble | undefined
  readonly status?: number
}

function send(response: ServerResponse, { bytes, type, trouble, status = 200 }: Sent): void {
  const headers = { 'content-type': type, 'content-length': bytes.length }
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  if (trouble?.kind === 'cut') response.writeHead(status, headers).write(half, () => response.destroy())
  else if (trouble?.kind === 'half') response.writeHead(status, { 'content-type': type }).end(half)
  else response.writeHead(status, headers).end(bytes)
}

/** Path below the prefix; undefined for pages. */
function routeOf({ prefix }: MadeSite, url: URL): string | undefined {
  if (prefix === '?') return url.searchParams.get('rest_route') ?? undefined
  return url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : undefined
}

function page(site: MadeSite, response: ServerResponse): void {
  const rest = site.prefix === '?' ? `${site.origin}/?rest_route=/` : `${site.origin}${site.prefix}/`
  const headers = {
    root: { 'x-tec-api-root': `${rest}tribe/events/v1/` },
    link: { link: `<${rest}>; rel="https://api.w.org/"` },
    html: {},
    nothing: {},
  }[site.announcedBy]
  const link = site.announcedBy === 'html' ? `<link rel='https://api.w.org/' href='${rest}' />` : ''
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<html><head>${link}</head></html>`)
}

interface Asking {
  readonly route: string
  readonly url: URL
  readonly request: IncomingMessage
  readonly trouble: Trouble | undefined
}

interface Told {
  readonly status: number
  readonly body: unknown
}

function api(site: MadeSite, { route, url, request, trouble }: Asking): Told {
  const isLogged = isLoggedIn(site, request)
  if (isLogged === 'wrong') return refused(401, 'incorrect_password')
  const isEditor = isLogged && site.isEditor
  if (route === '/' || route === '')
    return { status: 200, body: { namespaces: ['tribe/events/v1'], timezone_string: 'America/New_York' } }
  if (route === '/wp/v2/users') return { status: 200, body: site.content.users }
  if (route === '/wp/v2/users/me' && isLogged) return { status: 200, body: { id: 1 } }
  const { posts, media } = site.content
  if (route === '/wp/v2/tribe_events' && posts !== undefined) return { status: 200, body: posts }
  if (route === '/wp/v2/media' && media !== undefined) return { status: 200, body: media }
  if (route.startsWith('/wp/v2/')) return refused(401, 'rest_not_logged_in')
  const [, name = '', id] = /^\/tribe\/events\/v1(?:\/(\w+)(?:\/(\d+))?)?\/?$/.exec(route) ?? ['', 'none']
  if (name === '') return { status: 200, body: { namespace: 'tribe/events/v1', routes: {} } }
  const all = site.content[name as 'events']
  if (!Array.isArray(all)) return refused(404, 'rest_no_route')
  const status = url.searchParams.get('status')
  if (status !== null && !isEditor) return refused(400, 'rest_invalid_param')
  const opened = isEditor && url.searchParams.get('context') === 'edit'
  const shown = all.map((item) => (item['password'] === undefined || opened ? bare(item) : redacted(item)))
  if (id !== undefined) {
    const item = shown.find((one) => String(one.id) === id)
    const isHidden = !isEditor && item !== undefined && (item['status'] ?? 'publish') !== 'publish'
    if (isHidden) return refused(403, `${name.slice(0, -1)}-not-accessible`)
    return item === undefined ? refused(404, 'not-found') : { status: 200, body: item }
  }
  const states = (status ?? 'publish').split(',')
  const listed = shown.filter(
    (item) => item['hide_from_listings'] !== true && states.includes(String(item['status'] ?? 'publish')),
  )
  return listOf({ name, listed, url, trouble })
}

function bare({ password: _own, ...item }: MadeItem): MadeItem {
  return item as MadeItem
}

function redacted(item: MadeItem): MadeItem {
  return { ...bare(item), description: '', venue: [], all_day: null }
}

function refused(status: number, code: string): Told {
  return { status, body: { code, message: code, data: { status } } }
}

function isLoggedIn({ credentials }: MadeSite, { headers }: IncomingMessage): boolean | 'wrong' {
  const { authorization } = headers
  if (authorization === undefined || credentials === undefined) return false
  return authorization === `Basic ${Buffer.from(credentials).toString('base64')}` || 'wrong'
}

interface Listing {
  readonly name: string
  readonly listed: readonly MadeItem[]
  readonly url: URL
  readonly trouble: Trouble | undefined
}

function listOf({ name, listed, url, trouble }: Listing): Told {
  const asked = Number(url.searchParams.get('page') ?? 1)
  const size = Math.min(CAP, Number(url.searchParams.get('per_page') ?? 10))
  const items = listed.slice((asked - 1) * size, asked * size)
  const isTerm = name === 'categories' || name === 'tags'
  if (asked > 1 && items.length === 0 && !isTerm) return refused(404, `${name.slice(0, -1)}-archive-page-not-found`)
  const plain = { items, total: listed.length }
  const changed = trouble?.kind === 'list' ? { ...plain, ...trouble.change(items, listed.length) } : plain
  const { total } = changed
  return { status: 200, body: { [name]: changed.items, total, total_pages: Math.ceil(total / size) } }
}
