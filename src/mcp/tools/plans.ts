import { z } from 'zod'
import { fittingRows } from '../fit.ts'
import { plainLine } from '../plain.ts'
import { rowOf, spanOf, type WireEvent, type WireSpan, wholeRecurrence } from '../project.ts'
import { areDays, FIELDS, id, recurrence, row, span, timezone, when } from '../schemas.ts'
import { EVENTS, readTool } from '../tool.ts'

/*
 * What is asked of an event that is only planned.
 */

/** Arguments by the parameters that stand for them. */
const NAMES = { start_date: 'start', end_date: 'end' }

interface WirePreview {
  readonly dates: readonly Omit<WireSpan, 'timezone'>[]
  readonly total: number | null
  readonly text: string
  readonly recurrence: readonly string[]
}

/** Shows the dates of a recurrence. */
export const PREVIEW_RECURRENCE = readTool({
  name: 'preview_recurrence',
  title: 'Preview a recurrence',
  description: 'Shows the first dates that a recurrence gives and says it in words, without storing anything.',
  input: z.strictObject({
    start: when.describe('Start of the first date'),
    end: when.optional().describe('End of the first date, by default its start'),
    timezone: timezone.optional(),
    all_day: FIELDS.all_day.optional(),
    recurrence: recurrence.min(1),
    limit: z.int().min(1).max(50).default(20),
  }),
  output: z.strictObject({
    dates: z.array(z.strictObject(span)),
    total: z.int().nullable().describe('Null where there is no end'),
    text: z.string(),
    recurrence: z.array(z.string()),
  }),
  run: async (context, { start, end, timezone = context.site.zone, all_day = areDays(start, end), ...same }) => {
    const query = { start_date: start, end_date: end, timezone, all_day, ...same }
    const { body } = await context.request({ method: 'GET', path: '/kalends/v1/recurrence', query, names: NAMES })
    const { dates, total, text, recurrence } = body as WirePreview
    return {
      dates: dates.map((date) => spanOf({ ...date, all_day, timezone })),
      total,
      text: plainLine(text),
      recurrence: wholeRecurrence(recurrence),
    }
  },
})

/** Most events of a result. */
const SHOWN = 50

interface WireConflicts {
  readonly conflicts: readonly { readonly event?: { readonly id: number } }[]
  readonly total: number
}

/** Finds what takes a venue. */
export const CHECK_CONFLICTS = readTool({
  name: 'check_conflicts',
  title: 'Check a venue for conflicts',
  description: 'Finds events that take a venue at the time of an event that is planned, on all its dates.',
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
  run: async (context, { start, end, ...same }) => {
    const planned = { start_date: start, end_date: end, all_day: areDays(start, end), ...same }
    const asked = { method: 'GET', path: '/kalends/v1/conflicts', query: planned, names: NAMES } as const
    const { body } = await context.request(asked)
    const { conflicts, total } = body as WireConflicts
    const ids = [...new Set(conflicts.flatMap(({ event }) => event?.id ?? []))]
    const asks = ids.slice(0, Math.min(SHOWN, context.site.perPageMax))
    const hidden = conflicts.filter(({ event }) => event === undefined).length
    if (asks.length === 0) return { conflicts: [], hidden }
    const query = { include: asks.join(), per_page: asks.length }
    const listed = (await context.request({ method: 'GET', path: EVENTS, query, listsHidden: true })).body
    const { events } = listed as { readonly events: readonly WireEvent[] }
    const rows = asks.flatMap((wanted) => events.find((one) => one.id === wanted) ?? []).map(rowOf)
    const fitting = [...fittingRows(rows)]
    // Of overlaps beyond those that the route has listed nobody knows which events they are.
    const more = ids.length - fitting.length + total - conflicts.length
    return { conflicts: fitting, hidden, ...(more > 0 && { more }) }
  },
})
