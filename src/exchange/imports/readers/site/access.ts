import { fail } from '../../../../base/errors.ts'
import { mayGoTo } from '../../../../base/outgoing/credentials.ts'
import { isObject } from '../json/members.ts'
import { type EnteredSite, elsewhere, reasonOf, type SiteApi } from './discover.ts'
import type { SiteClient } from './site-client.ts'

/** What the site lets us see. */
export interface Access {
  /** Whether unpublished items are shown. */
  readonly isEditor: boolean
  /** Why not, although there were credentials; '' when there is nothing to say. */
  readonly problem: string
  /** Whether there are credentials that did not arrive, or do not open everything: what the site hides may be there. Absent otherwise. */
  readonly areLost?: boolean
}

/** Statuses that editors see; without the parameter a site leaves out items in the trash. */
export const EVERY_STATUS = 'publish,future,draft,pending,private,trash'

/** Parameters for events of all time: without them a list shows what is coming. */
export const ALL_TIME = { start_date: '1000-01-01 00:00:00', end_date: '9999-12-31 23:59:59' } as const

/** Finds out whether credentials arrive and what they open. @throws site_refuses when they are wrong */
export async function findAccess(
  client: SiteClient,
  api: SiteApi,
  { address, authorization }: EnteredSite,
): Promise<Access> {
  if (authorization === undefined) return { isEditor: false, problem: '' }
  if (!mayGoTo(api.root, address)) {
    const problem = `${elsewhere(api.root)}; only published items were imported`
    return { isEditor: false, problem, areLost: true }
  }
  const url = api.at('/events', { status: 'draft', per_page: 1 })
  const asked = await client.ask(url, { want: 'json', authorization, isUsable: isObject })
  if (!asked.ok) throw fail('site_not_found', { address: api.root, reason: asked.why })
  const { status } = asked.response
  if (status === 401) throw fail('site_refuses', { address: api.root, reason: reasonOf(asked.json) })
  const isEmpty = status === 404 && reasonOf(asked.json).includes('archive-page-not-found')
  if (status === 200 || isEmpty) return { isEditor: true, problem: '' }
  const me = await client.ask(api.at('/users/me', {}, 'wp/v2'), { want: 'json', authorization, isUsable: isObject })
  const isKnown = me.ok && me.response.status === 200
  const problem = isKnown
    ? 'the user may not see unpublished items: only published ones were imported'
    : 'the credentials did not arrive (a proxy or server in between may take the Authorization header away): only published items were imported'
  return { isEditor: false, problem, areLost: true }
}
