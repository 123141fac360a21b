import { ask, EVENTS } from '../ask.ts'
import type { Resource } from '../tool.ts'
import { eventResult } from '../tools/get-event.ts'

/** One event, as `get_event` reads it. */
export const EVENT: Resource = {
  uri: 'kalends://event/{id}',
  name: 'event',
  title: 'An event',
  description: 'One event, or one date of a recurring event, by its ID',
  mimeType: 'application/json',
  read: async (context, { id = '' }) => {
    if (!/^[1-9]\d{0,9}$/.test(id)) return undefined
    return JSON.stringify(await eventResult(context, await ask(context, { method: 'GET', path: `${EVENTS}/${id}` })))
  },
}
