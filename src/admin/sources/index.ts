/** The pages of the calendars that are followed. */

import type { AdminPage } from '../page-request.ts'
import { SOURCE_LIST } from './list.ts'
import { SOURCE_PAGES } from './page.ts'

export { sourcesOf } from './list.ts'
export { problemText, SOURCES_PATH } from './words.ts'

/** The pages of the calendars that are followed. */
export const SOURCES_PAGES: readonly AdminPage[] = [SOURCE_LIST, ...SOURCE_PAGES]
