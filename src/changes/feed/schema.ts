import { flag, integer, list, moment, named, object, open, text, word } from '../../http/openapi/parts.ts'
import type { ResourceKey } from '../../model/resource.ts'

/** The resources whose changes can be followed. */
export const FOLLOWED = ['event', 'venue', 'organizer', 'category', 'tag'] as const satisfies readonly ResourceKey[]

const CURSOR = text('api.changes.cursorContinueSendSince', 'YzE6NDI')

/** One change. */
const CHANGE = object(
  'api.changes.changeItemVisibleCaller',
  {
    seq: integer('api.changes.sequenceNumberChangeLater', 42, { minimum: 1 }),
    at: moment('api.changes.timeChangeUtc', '2026-11-20 18:00:00'),
    resource: word('api.changes.typeItem', FOLLOWED),
    id: integer('api.idItem', 10, { minimum: 1 }),
    action: word('api.changes.whetherItemAppearedChanged', ['created', 'updated', 'deleted']),
    revision: integer('api.changes.revisionItemAfterChange', 1, { minimum: 1 }),
    item: open('api.changes.itemShownListsNow', {}, []),
  },
  ['seq', 'at', 'resource', 'id', 'action', 'revision'],
)

/** A page of changes. */
export const CHANGES = named(
  'Changes',
  object('api.changes.changesInOrder', {
    changes: list('api.changes.changesOldestFirst', CHANGE),
    cursor: CURSOR,
    more: flag('api.changes.whetherMoreChangesRead'),
  }),
)

/** The stream of changes. */
export const CHANGE_STREAM = named(
  'ChangeStream',
  text('api.changes.serverSentEventsOne', 'id: YzE6NDI\ndata: {"seq":42}\n\n'),
)
