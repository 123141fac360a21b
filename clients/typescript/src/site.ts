import { Unsupported } from './errors.ts'
import type { Outgoing, Query, Sender } from './internal.ts'
import { unlessAborted } from './request.ts'
import type { Site } from './types.ts'

/** Sends requests below the namespaces of a site, which is found by the first of them. */
export class Connection {
  readonly sender: Sender
  /** ETag of each item that was read alone. */
  readonly tags = new WeakMap<object, string>()
  readonly #base: URL
  #site: Promise<Site> | undefined

  constructor(base: URL, sender: Sender) {
    this.#base = base
    this.sender = sender
  }

  /** Who aborts it stops waiting for the site, which others may wait for as well. */
  site(signal?: AbortSignal): Promise<Site> {
    this.#site ??= findSite(this.#base, this.sender).catch((error) => {
      this.#site = undefined
      throw error
    })
    return unlessAborted(this.#site, signal)
  }

  /** @throws Unsupported on a site that is not a Kalends site */
  async require(what: string, signal?: AbortSignal): Promise<void> {
    const { kind } = await this.site(signal)
    if (kind !== 'kalends') throw new Unsupported(`This site does not support ${what}.`, { code: 'unsupported' })
  }

  /** Address of a path; below the namespace of events unless it names another one. */
  async url(path: string, query: Query = {}, signal?: AbortSignal): Promise<URL> {
    const { root, namespace } = await this.site(signal)
    const url = new URL(root + (path.startsWith('/') ? namespace + path : path))
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`)
    return url
  }

  /** The item of a response, with its tag. */
  async item<T extends object>(request: Outgoing): Promise<T> {
    const { body, headers } = await this.sender.send(request)
    this.remember(body, headers.get('ETag'))
    return body
  }

  /** Keeps the tag of an item. Proxies that compress a response make it a weak one, and writes need a strong one. */
  remember(item: object, tag: string | null | undefined): void {
    if (tag) this.tags.set(item, tag.replace(/^W\//, ''))
  }
}

/** The `Link` of any page of a site names the root of its REST interface; usually that is `wp-json/`. */
async function findSite(base: URL, { open, send }: Sender): Promise<Site> {
  const root = await findRoot(base, open)
  const { name, namespaces = [], timezone_string, gmt_offset = 0 } = (await send({ url: new URL(root) })).body ?? {}
  const kind = namespaces.includes('kalends/v1') ? 'kalends' : 'tec'
  const namespace = kind === 'kalends' ? 'cal/events/v1' : 'tribe/events/v1'
  if (!namespaces.includes(namespace)) throw new Unsupported('This site has no events.', { code: 'unsupported' })
  const timezone = timezone_string || `UTC${gmt_offset < 0 ? '' : '+'}${gmt_offset}`
  return { kind, root, namespace, name, timezone }
}

/** Browsers do not show pages of other origins to scripts, only their REST interface. */
async function findRoot(base: URL, open: Sender['open']): Promise<string> {
  const response = await open(base, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
  await response?.body?.cancel().catch(() => undefined)
  const page = new URL(response?.url || base)
  // Credentials go nowhere else: not to another host, and not unencrypted.
  if (base.protocol === 'https:') page.protocol = 'https:'
  const link = /<([^>]*)>; *rel="?https:\/\/api\.w\.org\/"?/.exec(response?.headers.get('Link') ?? '')?.[1]
  const root = new URL(link ?? 'none:', page)
  if (page.protocol === 'https:') root.protocol = 'https:'
  return root.host === page.host
    ? root.href
    : `${page.origin}${page.pathname.replace(/\/wp-json(\/.*)?$|\/$/, '')}/wp-json/`
}
