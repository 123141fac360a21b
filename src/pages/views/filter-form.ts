import { html, type Markup, NOTHING, when } from '../html.ts'
import { sentFilters } from './question.ts'
import type { ViewRequest } from './view.ts'

/** Most categories that are offered. */
const OFFERED = 200

/** The filters of a list as a form: it is folded on phones, and sends what the list of events takes. `words` were searched for. */
export async function filterForm(view: ViewRequest, words: string): Promise<Markup> {
  const { context, scope, incoming } = view
  const { say } = context
  const textOf = (name: string): string => {
    const value = incoming.query[name]
    return typeof value === 'string' ? value : ''
  }
  const categories = await categoryField(view)
  const fields = categories === NOTHING ? ['search'] : ['search', 'categories']
  const hidden = sentFilters(incoming).filter(([name]) => !fields.includes(name))
  const sent = sentFilters(incoming).filter(([name]) => name !== 'search' && name !== 'embed')
  const isDated = textOf('start_date') !== '' || textOf('starts_before') !== ''
  const isUsed = words !== '' || sent.length > 0 || textOf('search') !== '' || isDated
  // What was searched for stands in the head of the page.
  const isOpen = words === '' ? isUsed : sent.length > 0 || isDated
  return html`<details class="filter"${when(isOpen, () => html` open`)}>
<summary>${say('common.filter')}</summary>
<form action="${context.link(scope.home)}" target="_self">
<label>${say('common.search')} <input type="search" name="search" value="${words || textOf('search')}" maxlength="200"></label>
${categories}<label>${say('pages.from')} <input type="date" name="start_date" value="${dateOf(textOf('start_date'))}"></label>
<label>${say('pages.to')} <input type="date" name="starts_before" value="${dateOf(textOf('starts_before'))}"></label>
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${say('pages.showEvents')}</button>
${when(isUsed, () => html`<a href="${context.link(scope.home)}">${say('pages.clearFilters')}</a>`)}
</form>
</details>`
}

/** The categories that events have, to choose from; nothing where there is no choice, or the page is that of one. */
async function categoryField({ context, scope, incoming, deps }: ViewRequest): Promise<Markup> {
  if (scope.filter['categories'] !== undefined) return NOTHING
  const terms = await deps.lookups.category.used(deps.reader, OFFERED)
  const [, sent = ''] = sentFilters(incoming).find(([name]) => name === 'categories') ?? []
  if (terms.length < 2 && sent === '') return NOTHING
  const chosen = terms.find(({ slug, id, name }) => [slug, String(id), name].includes(sent))
  const other = sent !== '' && chosen === undefined ? [[sent, sent] as const] : []
  const offers = [
    ['', context.say('pages.allCategories')] as const,
    ...other,
    ...terms.map((one) => [one.slug, one.name] as const),
  ]
  const current = chosen?.slug ?? sent
  const options = offers.map(
    ([value, name]) => html`<option value="${value}"${when(value === current, () => html` selected`)}>${name}</option>`,
  )
  return html`<label>${context.say('common.category')} <select name="categories">${options}</select></label>\n`
}

/** A date field takes nothing else. */
function dateOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''
}
