import type { AnyTool } from '../tool.ts'
import { FIND_REFERENCES } from './find-references.ts'
import { GET_EVENT } from './get-event.ts'
import { LIST_CHANGES } from './list-changes.ts'
import { CHECK_CONFLICTS, PREVIEW_RECURRENCE } from './plans.ts'
import { SEARCH_EVENTS } from './search-events.ts'
import { CANCEL_EVENT, CREATE_EVENT, RESTORE_EVENT, TRASH_EVENT, UPDATE_EVENT } from './writes.ts'

/** All tools in the order in which programs list them. */
export const TOOLS: readonly AnyTool[] = [
  ...[SEARCH_EVENTS, GET_EVENT, FIND_REFERENCES, PREVIEW_RECURRENCE, CHECK_CONFLICTS, LIST_CHANGES],
  ...[CREATE_EVENT, UPDATE_EVENT, CANCEL_EVENT, TRASH_EVENT, RESTORE_EVENT],
]
