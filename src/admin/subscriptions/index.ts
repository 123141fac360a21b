/** The pages of the calendars that are followed. */

import type { AdminPage } from '../page-request.ts'
import { LIST_PAGE } from './list.ts'
import { ITEM_PAGES } from './page.ts'

export { subscriptionsOf } from './list.ts'
export { problemText, SUBSCRIPTIONS_PATH } from './words.ts'

/** The pages of the calendars that are followed. */
export const SUBSCRIPTIONS_PAGES: readonly AdminPage[] = [LIST_PAGE, ...ITEM_PAGES]
