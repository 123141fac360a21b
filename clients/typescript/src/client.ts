import { runBatch } from './batch.ts'
import { changesOf } from './changes.ts'
import { KINDS } from './kinds.ts'
import { mirrorInto } from './mirror.ts'
import { openSender } from './request.ts'
import { resourceOf } from './resources.ts'
import { Connection } from './site.ts'
import type { Client, Image, ImageTexts, Kind, Options } from './types.ts'

/** A client of the site at `base`: any of its pages, its REST root, or one of its namespaces. Nothing is sent yet. */
export function kalends(base: string | URL, options: Options = {}): Client {
  const url = new URL(base)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const login = username === '' ? {} : { login: [decodeURIComponent(username), decodeURIComponent(password)] as const }
  const connection = new Connection(url, openSender({ ...login, ...options }))
  const resources = Object.fromEntries(KINDS.map((kind) => [kind, resourceOf(connection, kind)]))
  const client: Client = {
    ...(resources as unknown as Pick<Client, Kind>),
    media: { upload: (file, texts) => upload(connection, file, texts) },
    site: () => connection.site(),
    changes: (changes = {}) => changesOf(connection, changes),
    mirror: (store, mirror = {}) => mirrorInto(connection, store, mirror),
    batch: (collect) => runBatch(connection, collect),
  }
  return client
}

async function upload(connection: Connection, file: Blob, { title, alt }: ImageTexts = {}): Promise<Image> {
  await connection.require('uploads')
  const body = new FormData()
  body.set('file', file)
  for (const [name, text] of Object.entries({ title, alt_text: alt })) if (text !== undefined) body.set(name, text)
  return connection.item({ url: await connection.url('kalends/v1/media'), method: 'POST', body })
}
