import { z } from 'zod'
import { ask, EVENTS } from '../ask.ts'
import { plainLine } from '../plain.ts'
import { isTakenOut, type WireEvent } from '../project.ts'
import { id, ifMatch, row, scope } from '../schemas.ts'
import { tool } from '../tool.ts'
import { ifMatchOf } from './event-fields.ts'

/** Moves an event to the trash; nothing that a tool sends deletes one permanently. */
export const TRASH_EVENT = tool({
  name: 'trash_event',
  title: 'Move an event to the trash',
  description: 'Moves an event to the trash, or takes dates out of a recurring event. restore_event brings it back.',
  scope: 'events:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ id, if_match: ifMatch, scope: scope.optional() }),
  output: row.pick({ id: true, title: true, status: true }),
  run: async (context, { id: number, if_match, scope: dates }) => {
    const query = { ...(dates !== undefined && { scope: dates }) }
    const asked = { method: 'DELETE', path: `${EVENTS}/${number}`, query, headers: ifMatchOf(if_match) } as const
    const one = (await ask(context, asked)).body as WireEvent
    return { id: one.id, title: plainLine(one.title), status: isTakenOut(one) ? 'trash' : one.status }
  },
})
