import { listOf } from './paging.ts'
import type { Connection } from './site.ts'
import type { Entries, Kind, Kinds } from './types.ts'
import { writesOf } from './writes.ts'

/** One kind of items. Terms have neither slugs nor a trash, which their type says. */
export function resourceOf<K extends Kind>(connection: Connection, kind: K): Entries<K> {
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
