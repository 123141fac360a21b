/** The pages of webhooks. */

import type { AdminPage } from '../page-request.ts'
import { WEBHOOK_LIST } from './list.ts'
import { WEBHOOK_PAGE } from './page.ts'

/** The pages of webhooks. */
export const WEBHOOKS_PAGES: readonly AdminPage[] = [WEBHOOK_LIST, WEBHOOK_PAGE]
