import { flag, integer, list, moment, named, object, open, text, word } from '../../http/openapi/parts.ts'
import type { ResourceKey } from '../../model/resource.ts'

/** The resources whose changes can be followed. */
export const FOLLOWED = ['event', 'venue', 'organizer', 'category', 'tag'] as const satisfies readonly ResourceKey[]

const CURSOR = text('Where to go on: the next request sends it as since', 'YzE6NDI')

/** One change. */
const CHANGE = object(
  'A change of an item, as the caller sees it',
  {
    seq: integer('Number of the change; a later change has a higher one', 42, { minimum: 1 }),
    at: moment('When it was made, in UTC', '2026-11-20 18:00:00'),
    resource: word('Kind of the item', FOLLOWED),
    id: integer('Identifier of the item', 10, { minimum: 1 }),
    action: word('Whether the item has appeared, changed or disappeared for the caller', [
      'created',
      'updated',
      'deleted',
    ]),
    revision: integer('Revision of the item after the change', 1, { minimum: 1 }),
    item: open('The item as lists show it now; absent once it is gone', {}, []),
  },
  ['seq', 'at', 'resource', 'id', 'action', 'revision'],
)

/** A page of changes. */
export const CHANGES = named(
  'Changes',
  object('Changes in their order', {
    changes: list('The changes, oldest first', CHANGE),
    cursor: CURSOR,
    more: flag('Whether there are further changes to read now'),
  }),
)

/** The stream of changes. */
export const CHANGE_STREAM = named(
  'ChangeStream',
  text('Server-Sent Events: one for each change, whose id is the cursor after it', 'id: YzE6NDI\ndata: {"seq":42}\n\n'),
)
