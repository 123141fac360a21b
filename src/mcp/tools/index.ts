import type { AnyTool } from '../tool.ts'
import { CANCEL_EVENT } from './cancel-event.ts'
import { CHECK_CONFLICTS } from './check-conflicts.ts'
import { CREATE_EVENT } from './create-event.ts'
import { FIND_REFERENCES } from './find-references.ts'
import { GET_EVENT } from './get-event.ts'
import { LIST_CHANGES } from './list-changes.ts'
import { PREVIEW_RECURRENCE } from './preview-recurrence.ts'
import { RESTORE_EVENT } from './restore-event.ts'
import { SEARCH_EVENTS } from './search-events.ts'
import { TRASH_EVENT } from './trash-event.ts'
import { UPDATE_EVENT } from './update-event.ts'

/** All tools in the order in which programs list them. */
export const TOOLS: readonly AnyTool[] = [
  SEARCH_EVENTS,
  GET_EVENT,
  FIND_REFERENCES,
  PREVIEW_RECURRENCE,
  CHECK_CONFLICTS,
  LIST_CHANGES,
  CREATE_EVENT,
  UPDATE_EVENT,
  CANCEL_EVENT,
  TRASH_EVENT,
  RESTORE_EVENT,
]
