/** A parameter or field that a route declares. */
export interface Declared {
  readonly name: string
  /** Type in the words of the index; undefined where none is declared. */
  readonly type: unknown
  readonly required: boolean
}

/** A method of a path, as the index describes it. */
export interface Target {
  readonly method: string
  /** Path below the namespace with `{id}` and `{slug}`. */
  readonly path: string
  readonly namespace: string
  readonly declared: readonly Declared[]
}

interface Endpoint {
  readonly methods: readonly string[]
  readonly args: Readonly<Record<string, { readonly type?: unknown; readonly required?: boolean }>>
}

interface Index {
  readonly namespaces?: readonly string[]
  readonly routes: Readonly<Record<string, { readonly endpoints: readonly Endpoint[] }>>
}

/** `(?P<slug>[^/]+)` of the index. */
const PLACEHOLDER = /\(\?P<(\w+)>(?:\[[^\]]*\]|[^)])*\)/g

/** Every route of every namespace, as the server's own indexes tell. */
export async function targetsOf(origin: string): Promise<Target[]> {
  const root = await indexAt(`${origin}/wp-json`)
  const targets: Target[] = []
  for (const namespace of root.namespaces ?? []) {
    const { routes } = await indexAt(`${origin}/wp-json/${namespace}`)
    for (const [pattern, { endpoints }] of Object.entries(routes)) {
      const path = pattern.slice(namespace.length + 1).replace(PLACEHOLDER, '{$1}')
      for (const { methods, args } of endpoints) {
        const declared = Object.entries(args).map(([name, { type, required = false }]) => ({ name, type, required }))
        for (const method of methods) targets.push({ method, path, namespace, declared })
      }
    }
  }
  return targets
}

/** Ids that each collection of a namespace holds, by its name; `{}` for none. */
export async function idsOf(origin: string, targets: readonly Target[]): Promise<Record<string, number[]>> {
  const ids: Record<string, number[]> = {}
  for (const { namespace, path, method } of targets) {
    const [, collection = '', more] = path.split('/')
    if (method !== 'GET' || more !== undefined || collection in ids) continue
    const answer = await fetch(`${origin}/${namespace}/${collection}?per_page=50&hide_empty=0`)
    ids[collection] = [...(await answer.text()).matchAll(/[[{]"id":(\d+)/g)].map(([, id]) => Number(id))
  }
  return ids
}

async function indexAt(address: string): Promise<Index> {
  const answer = await fetch(address)
  return (await answer.json()) as Index
}

/** Addresses of the site: what its pages link to, from the front page on. */
export async function pagesOf(origin: string): Promise<string[]> {
  const seen = new Set(['/'])
  for (const path of seen) {
    if (seen.size > 60) break
    const text = await (await fetch(origin + path)).text()
    for (const [, href = ''] of text.matchAll(/href="([^"]+)"/g)) {
      const address = URL.parse(href.replaceAll('&amp;', '&'), origin + path)
      if (address?.origin === origin) seen.add(address.pathname + address.search)
    }
  }
  return [...seen]
}
