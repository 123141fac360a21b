import { z } from 'zod'
import { ask, EVENTS } from '../ask.ts'
import { event, FIELDS, TIMES } from '../schemas.ts'
import { tool } from '../tool.ts'
import { ARGUMENTS, bodyOf } from './event-fields.ts'
import { eventResult } from './get-event.ts'

/** Creates an event. */
export const CREATE_EVENT = tool({
  name: 'create_event',
  title: 'Create an event',
  description:
    'Creates an event as a draft, or with publish as the role of the caller allows. Fails with possible_duplicate where an event with the same title and start, or at the same venue with the same start, exists.',
  scope: 'events:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    ...TIMES,
    ...z.strictObject(FIELDS).partial().shape,
    publish: z.boolean().default(false),
    allow_duplicate: z.boolean().default(false),
    idempotency_key: z
      .string()
      .regex(/^[!-~]{1,255}$/)
      .optional()
      .describe('The same key makes a repeated call safe'),
  }),
  output: event,
  run: async (context, { publish, allow_duplicate, idempotency_key: key, ...fields }) => {
    const body = bodyOf({ ...fields, status: publish ? 'publish' : 'draft' })
    const headers = { ...(key !== undefined && { 'idempotency-key': key }) }
    const asked = { method: 'POST', path: EVENTS, body, headers, refusesDuplicates: !allow_duplicate } as const
    return eventResult(context, await ask(context, asked, ARGUMENTS))
  },
})
