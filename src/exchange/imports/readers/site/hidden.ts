import type { Skipped } from '../../types.ts'
import { type Access, EVERY_STATUS } from './access.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, idOfKey, keyOf, objectsIn } from './raw.ts'
import { isGone, itemById, type Walking } from './walk.ts'

/** What hidden events are looked for with; `spool` has those of the lists. */
interface HiddenDeps extends Walking {
  readonly access: Access
}

/**
 * Adds events that no list shows (`hide_from_listings`), where the general API of the site lists the IDs of all
 * (`wp/v2`): those that its lists do not have are asked for. What could not be read although the site names it.
 */
export async function addHidden(deps: HiddenDeps): Promise<readonly Skipped[]> {
  const { spool, concurrency, access } = deps
  const listed = new Set(spool.keys().map(idOfKey))
  const unread: Skipped[] = []
  const wanted = [...(await namedElsewhere(deps))].filter((id) => !listed.has(id))
  await forEachAtOnce(wanted, concurrency, async (id) => {
    const query = access.isEditor ? { context: 'edit' } : {}
    const { item, status, why } = await itemById('events', id, { ...deps, query })
    const key = item === undefined ? undefined : keyOf(item)
    // What else is in no list may be the whole of which lists show parts under other IDs.
    if (item?.['hide_from_listings'] === true && key !== undefined && idOfKey(key) === id) await spool.put(key, item)
    else if (item === undefined && !isGone({ status }) && status !== 401 && status !== 403)
      unread.push({ what: `event ${id}`, why })
  })
  return unread
}

/** Most pages of IDs, which has each so many. */
const PAGE_LIMIT = 1_000
const PER_PAGE = 100

/** IDs of all events as the general API of the site lists them, which hides none; none where it has no such list. */
async function namedElsewhere(deps: HiddenDeps): Promise<ReadonlySet<number>> {
  const { client, api, authorization, access } = deps
  const ids = new Set<number>()
  if (api.isKalends) return ids
  const status = access.isEditor ? { status: EVERY_STATUS } : {}
  for (let page = 1; page <= PAGE_LIMIT; page += 1) {
    const query = { ...status, _fields: 'id', per_page: PER_PAGE, page }
    const isUsable = (json: unknown): boolean => typeof json === 'object'
    const asked = await client.ask(api.at('/tribe_events', query, 'wp/v2'), { want: 'json', authorization, isUsable })
    if (!asked.ok || asked.response.status !== 200 || !Array.isArray(asked.json)) break
    for (const item of objectsIn(asked.json)) ids.add(idOf(item) ?? 0)
    const pages = asked.response.headers['x-wp-totalpages']
    if (pages === undefined ? asked.json.length < PER_PAGE : page >= Number(pages)) break
  }
  ids.delete(0)
  return ids
}
