import type { Incoming } from '../http/dispatch.ts'
import type { PageAnswer } from '../http/page.ts'
import { queryText } from '../http/urls.ts'
import { RESOURCES, type TermKey } from '../model/resource.ts'
import { slugify } from '../text/slug.ts'
import { summaryOf } from './content.ts'
import { nextEvents } from './event-list.ts'
import { html, layOut, NOTHING, trusted } from './layout.ts'
import { missingPage } from './missing.ts'
import type { WebParts } from './parts.ts'

/** Number of events on the page of a category or tag. */
const SHOWN = 20

const KINDS = { category: 'Category', tag: 'Tag' } as const

/** The page of a category or tag with its next events; those of a category include the ones of the categories below. */
export async function termPage(
  parts: WebParts,
  incoming: Incoming,
  wanted: { readonly key: TermKey; readonly slug: string },
): Promise<PageAnswer> {
  const { reader, lookups } = parts
  const { urls } = incoming
  const { key } = wanted
  const lookup = lookups[key]
  const term = await lookup.bySlug(reader, slugify(wanted.slug))
  if (term === undefined || !(await lookup.isSeenBy(reader, term, incoming.caller))) return missingPage(parts, incoming)
  const { collection } = RESOURCES[key]
  const of = key === 'category' ? { categories: [term.id] } : { tags: [term.id] }
  const { list, calendar } = await nextEvents(parts, incoming, { limit: SHOWN, of })
  const [shown] = await lookup.shownOf(reader, [term], urls)
  const about = term.description === '' ? NOTHING : html`<p>${trusted(term.description)}</p>\n`
  const body = html`<p class="kind">${KINDS[key]}</p>\n<h1>${term.name}</h1>\n${about}${list}`
  return layOut({
    title: term.name,
    parts,
    urls,
    body,
    data: `${urls.api('/events/')}?${queryText([[collection, term.slug]])}`,
    calendar,
    canonical: shown?.url ?? '',
    summary: summaryOf({ description: term.description }),
  })
}
