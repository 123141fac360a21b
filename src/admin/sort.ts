import { html, type Markup, NOTHING } from '../pages/html.ts'
import { sameAddress } from './address.ts'
import type { PageRequest } from './page-request.ts'

/** How a list is sorted: the parameters of the list in the API. */
export interface Sorting {
  readonly orderby: string
  readonly order: 'asc' | 'desc'
}

/** What the address says of it; the first of the known columns, ascending, where it says nothing. */
export function sortingOf({ query }: Pick<PageRequest, 'query'>, columns: readonly string[]): Sorting {
  const orderby = columns.find((one) => one === query('orderby')) ?? columns[0] ?? ''
  return { orderby, order: query('order') === 'desc' ? 'desc' : 'asc' }
}

/** A heading of a column that sorts by it, and the other way round where it does already. */
export function sortHeading(
  request: Pick<PageRequest, 'http'>,
  { orderby, order }: Sorting,
  { column, text }: { readonly column: string; readonly text: string },
): Markup {
  const isSorted = column === orderby
  const address = sameAddress(request, {
    page: '',
    orderby: column,
    order: isSorted && order === 'asc' ? 'desc' : 'asc',
  })
  const state = isSorted ? html` aria-sort="${order === 'asc' ? 'ascending' : 'descending'}"` : NOTHING
  const arrow = isSorted ? html` <span aria-hidden="true">${order === 'asc' ? '↑' : '↓'}</span>` : NOTHING
  return html`<th scope="col"${state}><a href="${address}">${text}${arrow}</a></th>`
}
