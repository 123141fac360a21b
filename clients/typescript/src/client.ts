import { runBatch } from './batch.ts'
import { changesOf } from './changes.ts'
import { mirrorInto } from './mirror.ts'
import { listOf } from './paging.ts'
import { openSender } from './request.ts'
import { Connection } from './site.ts'
import type { Client, Entries, Image, ImageTexts, Kind, Kinds, Options } from './types.ts'
import { KINDS, writesOf } from './writes.ts'

/**
 * A client of the site at `base`: any of its pages, its REST root, or one of its namespaces. Nothing is sent yet.
 * @throws TypeError when `base` is no address, or the token cannot be sent
 */
export function kalends(base: string | URL, options: Options = {}): Client {
  // `localhost:3000` is an address with the scheme `localhost`. The error of URL would quote credentials.
  if (!/^https?:\/\//i.test(`${base}`) || !URL.canParse(base))
    throw new TypeError('base must be an address such as https://calendar.example')
  const url = new URL(base)
  const login = [decodeURIComponent(url.username), decodeURIComponent(url.password)] as const
  Object.assign(url, { username: '', password: '' })
  const connection = new Connection(url, openSender({ ...(login[0] && { login }), ...options }))
  const resources = Object.fromEntries(KINDS.map((kind) => [kind, resourceOf(connection, kind)]))
  return {
    ...(resources as unknown as Pick<Client, Kind>),
    media: { upload: (file, texts) => upload(connection, file, texts) },
    site: () => connection.site(),
    changes: (changes = {}) => changesOf(connection, changes),
    mirror: (store, mirror = {}) => mirrorInto(connection, store, mirror),
    batch: (collect) => runBatch(connection, collect),
  }
}

/** One kind of items. Terms have neither slugs nor a trash, which their type says. */
function resourceOf<K extends Kind>(connection: Connection, kind: K): Entries<K> {
  return {
    list: (filter = {} as Kinds[K][1]) => listOf(connection, kind, filter),
    get: async (id, { password } = {}) => {
      const name = typeof id === 'object' ? `by-slug/${encodeURIComponent(id.slug)}` : id
      return connection.item({ url: await connection.url(`/${kind}/${name}`, { password }) })
    },
    ...writesOf(connection, kind, async (make) => {
      await connection.require('writing')
      const { path, ...write } = await make()
      return connection.item({ url: await connection.url(path), ...write })
    }),
  }
}

async function upload(connection: Connection, file: Blob, { title, alt }: ImageTexts = {}): Promise<Image> {
  await connection.require('uploads')
  const body = new FormData()
  body.set('file', file)
  for (const [name, text] of Object.entries({ title, alt_text: alt })) if (text !== undefined) body.set(name, text)
  return connection.item({ url: await connection.url('kalends/v1/media'), method: 'POST', body })
}
