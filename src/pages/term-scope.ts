import { slugify } from '../base/text/slug.ts'
import type { Incoming } from '../http/route.ts'
import type { TermKey } from '../model/resource.ts'
import { prose, summaryOf } from './content.ts'
import type { PagesDeps } from './deps.ts'
import { html } from './html.ts'
import { contextOf } from './page-context.ts'
import type { Scope } from './scope.ts'

/** A category or tag as a scope of views; undefined where this caller sees none of that slug. */
export async function termScope(
  { reader, lookups }: PagesDeps,
  incoming: Incoming,
  { key, slug }: { readonly key: TermKey; readonly slug: string },
): Promise<Scope | undefined> {
  const lookup = lookups[key]
  const term = await lookup.bySlug(reader, slugify(slug))
  if (term === undefined || !(await lookup.isSeenBy(reader, term, incoming.caller))) return undefined
  const { urls, say } = contextOf(incoming)
  const [shown] = await lookup.shownOf(reader, [term], urls)
  const home = (shown?.url ?? '').slice(urls.page('').length)
  const intro = html`<div class="profile"><div class="words">
<p class="kind">${say(key === 'category' ? 'common.category' : 'common.tag')}</p>
<h1>${term.name}</h1>
${prose(term.description)}</div></div>`
  return {
    base: key === 'category' ? home : `/events/tag/${term.slug}/`,
    home,
    filter: { [key === 'category' ? 'categories' : 'tags']: String(term.id) },
    data: { [key === 'category' ? 'categories' : 'tags']: term.slug },
    name: term.name,
    intro,
    summary: summaryOf(term),
    dependencies: [{ of: key }],
    isPrivate: false,
  }
}
