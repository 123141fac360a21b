import { z } from 'zod'
import { fail } from '../../base/errors.ts'
import type { InnerRequest, InnerResponse } from '../../http/inner-request.ts'
import type { RawInput } from '../../http/request/body.ts'
import { plainLine } from '../plain.ts'
import { isTakenOut, seriesOf, type WireEvent } from '../project.ts'
import { areDays, event, FIELDS, id, ifMatch, row, scope, TIMES } from '../schemas.ts'
import { EVENTS, type ToolContext, tool } from '../tool.ts'
import { eventIn, eventResult } from './get-event.ts'

/** What is common to all of these tools. */
const WRITING = { scope: 'events:write', output: event } as const

function annotations(destructiveHint: boolean, idempotentHint = true) {
  return { readOnlyHint: false, destructiveHint, idempotentHint, openWorldHint: false }
}

/** Which version of which event a write changes, and which dates of it. */
const NAMED = { id, if_match: ifMatch, scope: scope.optional() }
type Named = z.infer<z.ZodObject<typeof NAMED>>

/** Arguments by the fields that stand for them in the API. */
export const ARGUMENTS = {
  ...{ start_date: 'start', end_date: 'end', organizer: 'organizers' },
  ...{ is_virtual: 'online', virtual_url: 'online', virtual_type: 'online' },
}

const CHANGES = z
  .strictObject({
    ...TIMES,
    ...FIELDS,
    status: z.enum(['draft', 'pending', 'publish']),
    event_status: z.literal('scheduled').describe('Takes back what cancel_event has done'),
  })
  .partial()
type Changes = z.infer<typeof CHANGES>

/** Creates an event. */
export const CREATE_EVENT = tool({
  ...WRITING,
  name: 'create_event',
  title: 'Create an event',
  description:
    'Creates an event as a draft, or with publish as the role of the caller allows. Fails with possible_duplicate where an event with the same title and start, or at the same venue with the same start, exists.',
  annotations: annotations(false, false),
  input: z.strictObject({
    ...TIMES,
    ...z.strictObject(FIELDS).partial().shape,
    publish: z.boolean().default(false),
    allow_duplicate: z.boolean().default(false),
    idempotency_key: z
      .string()
      .regex(/^[!-~]{1,255}$/, { error: 'Must be 1 to 255 visible ASCII characters' })
      .optional()
      .describe('The same key makes a repeated call safe'),
  }),
  run: async (context, { publish, allow_duplicate, idempotency_key: key, ...fields }) => {
    const sent = Object.entries(bodyOf(fields)).filter(([, value]) => value !== null)
    const body = { ...Object.fromEntries(sent), status: publish ? 'publish' : 'draft' }
    const headers = { ...(key !== undefined && { 'idempotency-key': key }) }
    const asked = { method: 'POST', path: EVENTS, body, headers, names: ARGUMENTS } as const
    return eventResult(context, await context.request({ ...asked, refusesDuplicates: !allow_duplicate }))
  },
})

/** Changes an event. */
export const UPDATE_EVENT = tool({
  ...WRITING,
  name: 'update_event',
  title: 'Change an event',
  description:
    'Changes fields of an event; those that are not sent stay, and null clears. The ID of a recurring event needs scope.',
  annotations: annotations(false),
  input: z.strictObject({ ...NAMED, changes: CHANGES }),
  run: async (context, { changes, ...named }) => {
    await refuseUnclear(context, named, changes.description)
    const { event_status } = changes
    return patch(context, named, {
      body: { ...bodyOf(changes), ...(event_status !== undefined && { event_status_reason: null }) },
      names: ARGUMENTS,
    })
  },
})

/** Says that an event does not take place as planned. */
export const CANCEL_EVENT = tool({
  ...WRITING,
  name: 'cancel_event',
  title: 'Cancel an event',
  description:
    'Marks an event as canceled, postponed or moved online. It stays in the calendar, with the reason. update_event with the event_status scheduled takes that back. The ID of a recurring event needs scope.',
  annotations: annotations(true),
  input: z.strictObject({
    ...NAMED,
    event_status: z.enum(['canceled', 'postponed', 'moved_online']).default('canceled'),
    reason: z.string().max(2000).optional().describe('What visitors read'),
  }),
  run: async (context, { event_status, reason, ...named }) => {
    await refuseUnclear(context, named)
    const body = { event_status, event_status_reason: reason }
    return patch(context, named, { body, names: { event_status_reason: 'reason' } })
  },
})

/** Moves an event to the trash; nothing that a tool sends deletes one permanently. */
export const TRASH_EVENT = tool({
  ...WRITING,
  name: 'trash_event',
  title: 'Move an event to the trash',
  description:
    'Moves an event to the trash, or takes dates out of a recurring event, whose ID needs scope. restore_event brings back an event as a whole, and single dates one by one.',
  annotations: annotations(true),
  input: z.strictObject(NAMED),
  output: row.pick({ id: true, title: true, status: true }),
  run: async (context, named) => {
    await refuseUnclear(context, named)
    const { id: number, if_match, scope: dates } = named
    const asked = { path: `${EVENTS}/${number}`, query: { scope: dates }, headers: ifMatchOf(if_match) }
    const one = (await context.request({ method: 'DELETE', ...asked })).body as WireEvent
    return { id: one.id, title: plainLine(one.title), status: isTakenOut(one) ? 'trash' : one.status }
  },
})

/** Takes an event out of the trash; one that is not there stays as it is. */
export const RESTORE_EVENT = tool({
  ...WRITING,
  name: 'restore_event',
  title: 'Restore an event',
  description:
    'Takes an event out of the trash, as a draft or with publish as the role of the caller allows. By the ID of any of its dates, a recurring event in the trash comes back as a whole. A date that was taken out comes back by its own ID, with the status of its recurring event; several need a call each.',
  annotations: annotations(false),
  input: z.strictObject({ id, publish: z.boolean().default(false) }),
  run: async (context, { id: number, publish }) => {
    const response = await read(context, number)
    const one = response.body as WireEvent
    const series = seriesOf(one)?.id ?? number
    const whole = series === number ? response : await read(context, series)
    const { status } = whole.body as WireEvent
    if (status === 'trash') return restored(context, whole, { status: publish ? 'publish' : 'draft' })
    if (!isTakenOut(one)) return eventResult(context, response)
    if (publish || (status !== 'publish' && status !== 'future'))
      return restored(context, response, { status, scope: 'this' })
    const params = { publish: 'publish must be true: the recurring event is published' }
    throw fail('rest_invalid_param', { params: 'publish' }, { params })
  },
})

function read(context: ToolContext, number: number) {
  return context.request({ method: 'GET', path: `${EVENTS}/${number}` })
}

async function restored(
  context: ToolContext,
  { body: one, headers }: InnerResponse,
  { status, scope }: { readonly status: string; readonly scope?: 'this' },
) {
  const named = { id: (one as WireEvent).id, if_match: headers['etag'] ?? '', scope }
  return patch(context, named, { body: { status }, names: { status: 'publish' } })
}

type Change = Pick<InnerRequest, 'body' | 'names'>

async function patch(context: ToolContext, { id: number, if_match, scope }: Named, { body, names = {} }: Change) {
  const asked = { path: `${EVENTS}/${number}`, body: { ...body, scope }, headers: ifMatchOf(if_match), names }
  return eventResult(context, await context.request({ method: 'PATCH', ...asked }))
}

/**
 * Refuses a write that may mean one date or all, since the first date of a recurring event has its ID, and a text in place of a
 * description that results show a part of: the rest would be lost.
 * @throws rest_invalid_param
 */
async function refuseUnclear(context: ToolContext, named: Named, description?: Changes['description']): Promise<void> {
  if (named.scope !== undefined && !description) return
  const response = await read(context, named.id)
  const isUnsaid = named.scope === undefined && seriesOf(response.body as WireEvent)?.id === named.id
  const params = {
    ...(isUnsaid && {
      scope: 'This is the ID of a recurring event and of its first date: send this, following or all',
    }),
    ...(description &&
      eventIn(response).truncated && {
        description:
          'The stored description is longer than what was read here. To replace all of it, clear it with null first, then send the new one',
      }),
  }
  const names = Object.keys(params)
  if (names.length > 0) throw fail('rest_invalid_param', { params: names.join(', ') }, { params })
}

/** The body of a write; what was not sent is undefined in it. */
function bodyOf(args: Partial<Changes>): RawInput {
  const { start, end, venue, organizers, online, ...same } = args
  return {
    ...(end !== undefined && areDays(start, end) && { all_day: true }),
    ...same,
    ...{ start_date: start, end_date: end },
    venue: typeof venue === 'object' && venue !== null ? [linked('venue', venue)] : venue,
    organizer: organizers?.map((one) => (typeof one === 'object' ? linked('organizer', one) : one)) ?? organizers,
    ...(online !== undefined && attendanceOf(online)),
  }
}

function linked(key: 'venue' | 'organizer', { name, ...others }: { readonly name: string }) {
  return { [key]: name, ...others }
}

function attendanceOf(online: NonNullable<Changes['online']> | null) {
  if (online === null) return { is_virtual: false, virtual_url: null, virtual_type: null }
  return { is_virtual: true, virtual_url: online.url, virtual_type: online.type }
}

/** The value of `If-Match` for the version of an event, whose quotes may be missing. */
function ifMatchOf(version: string): Readonly<Record<'if-match', string>> {
  return { 'if-match': `"${version.replaceAll('"', '')}"` }
}
