import type { EventWithRelations } from '../../calendar/events/index.ts'
import { categoryColour } from '../cards.ts'
import { todayIn } from '../dates.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import { categoriesAhead } from '../store.ts'
import type { Filtered } from './filters.ts'
import { sentDates, sentFilters } from './question.ts'

/** Most categories that are looked at, and pills before the others are in a menu. */
const LOOKED_AT = 200
const OFFERED = 14

/**
 * The categories as pills, those with coming events first; nothing where there is no choice, and below categories, venues and
 * the like. `running` are events that have started already.
 */
export async function categoryPills(
  { view, at }: Filtered,
  running: readonly Pick<EventWithRelations, 'categories'>[],
): Promise<Markup> {
  const { scope, deps, incoming, context } = view
  if (Object.keys(scope.filter).some((name) => name !== 'featured')) return NOTHING
  const terms = await deps.lookups.category.used(deps.reader, LOOKED_AT)
  const [, sent = ''] = sentFilters(incoming).find(([name]) => name === 'categories') ?? []
  if (terms.length < 2 && sent === '') return NOTHING
  const ahead = await categoriesAhead(deps.reader, todayIn(deps.site.zone, incoming.now))
  const now = new Set(running.flatMap(({ categories }) => categories.map(({ id }) => id)))
  const isComing = ({ id }: { readonly id: number }): boolean => ahead.has(id) || now.has(id)
  const sorted = [...terms.filter(isComing), ...terms.filter((one) => !isComing(one))]
  const others = [...sentFilters(incoming).filter(([name]) => name !== 'categories'), ...sentDates(incoming)]
  const pills = sorted.map((term) => {
    const isOn = [term.slug, String(term.id), term.name].includes(sent)
    const address = at(isOn ? others : [...others, ['categories', term.slug]])
    return html`<li><a class="${categoryColour(term)}" href="${address}"${when(isOn, () => html` aria-current="true"`)}>${term.name}</a></li>\n`
  })
  const more = when(
    pills.length > OFFERED,
    () =>
      html`<li><details class="menu"><summary class="chip">${context.say('pages.allCategories')}</summary><ul>${pills.slice(OFFERED)}</ul></details></li>\n`,
  )
  return html`<nav aria-label="${context.say('fields.categories')}"><ul class="cats">${pills.slice(0, OFFERED)}${more}</ul></nav>\n`
}
