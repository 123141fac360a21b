import { seriesAt } from '../json-import/series-dates.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, idOfKey } from './raw.ts'
import type { Spool } from './spool.ts'
import { itemById, type Walking } from './walk.ts'

/** How a site refuses to show an event to those without its password. */
const PROTECTED = 'event-password-protected'

/**
 * Ids of events that no list shows (`hide_from_listings`) and that have a password, of a site that shows them to its editors
 * as if they had none: each is asked for as anybody would. One of which nobody can say counts as protected.
 */
export async function lockedHidden(
  { asker, api, concurrency }: Pick<Walking, 'asker' | 'api' | 'concurrency'>,
  spool: Spool,
): Promise<ReadonlySet<number>> {
  const hidden: string[] = []
  for (const key of spool.keys()) if ((await spool.get(key))['hide_from_listings'] === true) hidden.push(key)
  const locked = new Set<number>()
  await forEachAtOnce(hidden, concurrency, async (key) => {
    const { item, status, why } = await itemById('events', idOfKey(key), { asker, api, authorization: undefined })
    if (item !== undefined || (status !== 0 && !why.includes(PROTECTED))) return
    const event = await spool.get(key)
    const series = seriesAt({ members: event, place: { file: '', path: '' } })
    locked.add(series?.id ?? idOf(event) ?? 0)
  })
  return locked
}
