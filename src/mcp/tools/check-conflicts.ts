import { z } from 'zod'
import { fittingRows } from '../fit.ts'
import { rowOf, type WireEvent } from '../project.ts'
import { areDays, id, recurrence, row, timezone, when } from '../schemas.ts'
import { EVENTS, READ_ONLY, tool } from '../tool.ts'

/** Most events of a result. */
const SHOWN = 50

/** Most of them that lists do not show, and that are therefore read one by one. */
const UNLISTED = 2

interface WireConflicts {
  readonly conflicts: readonly { readonly event?: { readonly id: number } }[]
  readonly total: number
}

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
    timezone: timezone.optional(),
    recurrence: recurrence.optional(),
  }),
  output: z.strictObject({
    conflicts: z.array(row),
    hidden: z.int().describe('How many further ones the caller may not see'),
    more: z.int().optional().describe('How many further ones are left out of this result'),
  }),
  run: async (context, { venue, start, end, timezone, recurrence }) => {
    const times = {
      start_date: start,
      all_day: String(areDays(start, end)),
      ...(end !== undefined && { end_date: end }),
    }
    const others = { ...(timezone !== undefined && { timezone }), ...(recurrence !== undefined && { recurrence }) }
    const query = { venue: String(venue), ...times, ...others }
    const asked = { method: 'GET', path: '/kalends/v1/conflicts', query } as const
    const { body } = await context.request(asked, { start_date: 'start', end_date: 'end' })
    const { conflicts, total } = body as WireConflicts
    const ids = [...new Set(conflicts.flatMap(({ event }) => event?.id ?? []))]
    const asks = ids.slice(0, Math.min(SHOWN, context.site.perPageMax))
    const hidden = conflicts.filter(({ event }) => event === undefined).length
    if (asks.length === 0) return { conflicts: [], hidden }
    const include = { include: asks.join(), per_page: String(asks.length) }
    const listed = (await context.request({ method: 'GET', path: EVENTS, query: include })).body
    const events = [...(listed as { readonly events: readonly WireEvent[] }).events]
    const unlisted = asks.filter((wanted) => !events.some((one) => one.id === wanted)).slice(0, UNLISTED)
    for (const one of unlisted) {
      const reading = context.request({ method: 'GET', path: `${EVENTS}/${one}` })
      const response = await reading.catch(() => undefined)
      if (response !== undefined) events.push(response.body as WireEvent)
    }
    const rows = asks.flatMap((wanted) => events.find((one) => one.id === wanted) ?? []).map(rowOf)
    const fitting = [...fittingRows(rows)]
    // Of overlaps beyond those that the route has listed nobody knows which events they are.
    const more = ids.length - fitting.length + total - conflicts.length
    return { conflicts: fitting, hidden, ...(more > 0 && { more }) }
  },
})
