import { z } from 'zod'
import { ask, EVENTS } from '../ask.ts'
import { event, FIELDS, id, ifMatch, scope, TIMES } from '../schemas.ts'
import { tool } from '../tool.ts'
import { ARGUMENTS, bodyOf, ifMatchOf } from './event-fields.ts'
import { eventResult } from './get-event.ts'

const { timezone, all_day, ...clearable } = z.strictObject(FIELDS).shape

const CHANGES = z
  .strictObject({
    ...{ ...TIMES, timezone, all_day },
    status: z.enum(['draft', 'pending', 'publish']),
    ...{
      description: clearable.description.nullable(),
      excerpt: clearable.excerpt.nullable(),
      venue: clearable.venue.nullable(),
      organizers: clearable.organizers.nullable(),
      categories: clearable.categories.nullable(),
      tags: clearable.tags.nullable(),
      cost: clearable.cost.nullable(),
      website: clearable.website.nullable(),
      image: clearable.image.nullable(),
      online: clearable.online.nullable(),
      recurrence: clearable.recurrence.nullable(),
    },
  })
  .partial()

/** Changes an event. */
export const UPDATE_EVENT = tool({
  name: 'update_event',
  title: 'Change an event',
  description: 'Changes fields of an event; those that are not sent stay, and null clears.',
  scope: 'events:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ id, if_match: ifMatch, scope: scope.optional(), changes: CHANGES }),
  output: event,
  run: async (context, { id: number, if_match, scope: dates, changes }) => {
    const body = { ...bodyOf(changes), ...(dates !== undefined && { scope: dates }) }
    const asked = { method: 'PATCH', path: `${EVENTS}/${number}`, body, headers: ifMatchOf(if_match) } as const
    return eventResult(context, await ask(context, asked, ARGUMENTS))
  },
})
