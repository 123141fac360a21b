import { z } from 'zod'
import { ask, EVENTS } from '../ask.ts'
import { event, id, ifMatch, scope } from '../schemas.ts'
import { tool } from '../tool.ts'
import { ifMatchOf } from './event-fields.ts'
import { eventResult } from './get-event.ts'

/** Says that an event does not take place as planned. */
export const CANCEL_EVENT = tool({
  name: 'cancel_event',
  title: 'Cancel an event',
  description: 'Marks an event as canceled, postponed or moved online. It stays in the calendar, with the reason.',
  scope: 'events:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    ...{ id, if_match: ifMatch, scope: scope.optional() },
    event_status: z.enum(['canceled', 'postponed', 'moved_online']).default('canceled'),
    reason: z.string().max(2000).optional().describe('What visitors read'),
  }),
  output: event,
  run: async (context, { id: number, if_match, scope: dates, event_status, reason }) => {
    const why = reason === undefined ? {} : { event_status_reason: reason }
    const body = { event_status, ...why, ...(dates !== undefined && { scope: dates }) }
    const asked = { method: 'PATCH', path: `${EVENTS}/${number}`, body, headers: ifMatchOf(if_match) } as const
    return eventResult(context, await ask(context, asked, { event_status_reason: 'reason' }))
  },
})
