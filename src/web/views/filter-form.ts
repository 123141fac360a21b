import { html, type Markup, when } from '../html.ts'
import { sentFilters } from './question.ts'
import type { ViewParts } from './view.ts'

/** The filters of a list as a form: it is folded on phones, and sends what the list of events takes. */
export function filterForm(view: ViewParts, words: string): Markup {
  const { here, scope, incoming } = view
  const { say } = here
  const textOf = (name: string): string => {
    const value = incoming.query[name]
    return typeof value === 'string' ? value : ''
  }
  const sent = sentFilters(incoming).filter(([name]) => name !== 'search')
  const isUsed = words !== '' || sent.length > 0 || textOf('start_date') !== '' || textOf('starts_before') !== ''
  return html`<details class="filter"${when(isUsed, () => html` open`)}>
<summary>${say('Filter')}</summary>
<form action="${here.link(scope.home)}">
<label>${say('Search')} <input type="search" name="search" value="${words || textOf('search')}" maxlength="200"></label>
<label>${say('From')} <input type="date" name="start_date" value="${dateOf(textOf('start_date'))}"></label>
<label>${say('To')} <input type="date" name="starts_before" value="${dateOf(textOf('starts_before'))}"></label>
${sent.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${say('Show events')}</button>
${when(isUsed, () => html`<a href="${here.link(scope.home)}">${say('Clear all')}</a>`)}
</form>
</details>`
}

/** A date field takes nothing else. */
function dateOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''
}
