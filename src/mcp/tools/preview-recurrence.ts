import { z } from 'zod'
import { plainLine } from '../plain.ts'
import { spanOf, type WireSpan, wholeRecurrence } from '../project.ts'
import { areDays, FIELDS, recurrence, span, timezone, when } from '../schemas.ts'
import { READ_ONLY, tool } from '../tool.ts'

interface WirePreview {
  readonly dates: readonly Omit<WireSpan, 'timezone'>[]
  readonly total: number | null
  readonly text: string
  readonly recurrence: readonly string[]
}

/** Shows the dates of a recurrence. */
export const PREVIEW_RECURRENCE = tool({
  name: 'preview_recurrence',
  title: 'Preview a recurrence',
  description: 'Shows the first dates that a recurrence gives and says it in words, without storing anything.',
  scope: 'read',
  annotations: READ_ONLY,
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
  run: async (context, { start, end, timezone = context.site.zone, recurrence, limit, ...args }) => {
    const { all_day = areDays(start, end) } = args
    const times = { start_date: start, ...(end !== undefined && { end_date: end }), timezone, all_day: String(all_day) }
    const query = { ...times, recurrence, limit: String(limit) }
    const asked = { method: 'GET', path: '/kalends/v1/recurrence', query } as const
    const { body } = await context.request(asked, { start_date: 'start', end_date: 'end' })
    const found = body as WirePreview
    return {
      dates: found.dates.map((date) => spanOf({ ...date, all_day, timezone })),
      total: found.total,
      text: plainLine(found.text),
      recurrence: wholeRecurrence(found.recurrence),
    }
  },
})
