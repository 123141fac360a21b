import { z } from 'zod'
import { ask, EVENTS } from '../ask.ts'
import { fittingRows } from '../fit.ts'
import { rowOf, type WireEvent } from '../project.ts'
import { FIELDS, id, row, when } from '../schemas.ts'
import { READ_ONLY, tool } from '../tool.ts'

/** Most events of a result. */
const SHOWN = 50

/** Finds what takes a venue. */
export const CHECK_CONFLICTS = tool({
  name: 'check_conflicts',
  title: 'Check a venue for conflicts',
  description: 'Finds events that take a venue at the time of an event that is planned, on all its dates.',
  scope: 'read',
  annotations: READ_ONLY,
  input: z.strictObject({
    venue: id,
    start: when,
    end: when.optional(),
    timezone: FIELDS.timezone.optional(),
    recurrence: FIELDS.recurrence.optional(),
  }),
  output: z.strictObject({
    conflicts: z.array(row),
    hidden: z.int().describe('How many further ones the caller may not see'),
  }),
  run: async (context, { venue, start, end, timezone, recurrence }) => {
    const times = { start_date: start, ...(end !== undefined && { end_date: end }) }
    const others = { ...(timezone !== undefined && { timezone }), ...(recurrence !== undefined && { recurrence }) }
    const query = { venue: String(venue), ...times, ...others }
    const asked = { method: 'GET', path: '/kalends/v1/conflicts', query } as const
    const { body } = await ask(context, asked, { start_date: 'start', end_date: 'end' })
    const { conflicts } = body as { readonly conflicts: readonly { readonly event?: { readonly id: number } }[] }
    const ids = [...new Set(conflicts.flatMap(({ event }) => event?.id ?? []))]
    const shown = ids.slice(0, Math.min(SHOWN, context.site.perPageMax))
    if (shown.length === 0) return { conflicts: [], hidden: conflicts.length }
    const include = { include: shown.join(), per_page: String(shown.length) }
    const listed = (await ask(context, { method: 'GET', path: EVENTS, query: include })).body
    const { events } = listed as { readonly events: readonly WireEvent[] }
    const rows = shown.flatMap((wanted) => events.find((one) => one.id === wanted) ?? []).map(rowOf)
    const hidden = conflicts.filter(({ event }) => event === undefined).length + shown.length - rows.length
    return { conflicts: [...fittingRows(rows)], hidden }
  },
})
