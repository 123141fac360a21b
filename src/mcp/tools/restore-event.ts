import { z } from 'zod'
import { fail } from '../../base/errors.ts'
import { ask, EVENTS } from '../ask.ts'
import { isTakenOut, seriesOf, type WireEvent } from '../project.ts'
import { event, id } from '../schemas.ts'
import { type ToolContext, tool } from '../tool.ts'
import { ifMatchOf } from './event-fields.ts'
import { eventResult } from './get-event.ts'

/** Takes an event out of the trash; one that is not there stays as it is. */
export const RESTORE_EVENT = tool({
  name: 'restore_event',
  title: 'Restore an event',
  description:
    'Takes an event out of the trash, as a draft or with publish as the role of the caller allows. A date comes back to its recurring event, with the status of that.',
  scope: 'events:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ id, publish: z.boolean().default(false) }),
  output: event,
  run: async (context, { id: number, publish }) => {
    const path = `${EVENTS}/${number}`
    const response = await ask(context, { method: 'GET', path })
    const one = response.body as WireEvent
    if (one.status !== 'trash' && !isTakenOut(one)) return eventResult(context, response)
    const body = isTakenOut(one)
      ? { status: await statusOfDate(context, one, publish), scope: 'this' }
      : { status: publish ? 'publish' : 'draft' }
    const headers = ifMatchOf(response.headers['etag'] ?? '')
    return eventResult(context, await ask(context, { method: 'PATCH', path, body, headers }, { status: 'publish' }))
  },
})

/** The status with which a date comes back. @throws rest_invalid_param where that publishes it and nobody has said so */
async function statusOfDate(context: ToolContext, one: WireEvent, publish: boolean): Promise<WireEvent['status']> {
  const series = seriesOf(one)?.id ?? one.id
  const shown = one.status === 'trash' ? (await ask(context, { method: 'GET', path: `${EVENTS}/${series}` })).body : one
  const { status } = shown as WireEvent
  if (publish || (status !== 'publish' && status !== 'future')) return status
  const params = { publish: 'publish must be true: the recurring event is published' }
  throw fail('rest_invalid_param', { params: 'publish' }, { params })
}
