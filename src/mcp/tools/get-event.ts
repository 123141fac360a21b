import { z } from 'zod'
import type { InnerResponse } from '../../http/inner-request.ts'
import { fittingEvent } from '../fit.ts'
import { type EventExtras, eventOf, seriesOf, spanOf, type WireEvent } from '../project.ts'
import { type DateResult, type EventResult, event, id } from '../schemas.ts'
import { EVENTS, readTool, type ToolContext } from '../tool.ts'
import { localNow } from './search-events.ts'

const INPUT = z
  .strictObject({
    id: id.optional(),
    slug: z.string().min(1).max(1000).optional(),
    dates: z.int().min(0).max(20).default(0).describe('How many of the next dates of a recurring event to include'),
  })
  .refine((args) => (args.id === undefined) !== (args.slug === undefined), { path: ['id'], error: 'Send id or slug' })

/** Reads an event. */
export const GET_EVENT = readTool({
  name: 'get_event',
  title: 'Read an event',
  description:
    'Reads one event, or one date of a recurring event, by ID or slug. Its version is needed for changing it. Events that a password protects are refused.',
  input: INPUT,
  output: event,
  run: async (context, { id: number, slug, dates }) => {
    const path =
      slug === undefined ? `${EVENTS}/${number}` : `${EVENTS}/by-slug/${encodeURIComponent(slug.toWellFormed())}`
    return eventResult(context, await context.request({ method: 'GET', path }), dates)
  },
})

/** The event in a response, with its next dates and the alternative text of its image. */
export async function eventResult(context: ToolContext, response: InnerResponse, dates = 0): Promise<EventResult> {
  const one = response.body as WireEvent
  return eventIn(response, { alt: await alternativeText(context, one), dates: await nextDates(context, one, dates) })
}

/** The event in a response, with what other responses say of it. */
export function eventIn(
  { body, headers }: InnerResponse,
  others: Pick<EventExtras, 'alt' | 'dates'> = { alt: '', dates: [] },
): EventResult {
  const { etag: version = '', 'x-kalends-conflicts': conflicts } = headers
  return fittingEvent(eventOf(body as WireEvent, { version, conflicts, ...others }))
}

async function nextDates(context: ToolContext, one: WireEvent, count: number): Promise<readonly DateResult[]> {
  const series = seriesOf(one)
  if (series === undefined || count === 0) return []
  const query = { series: series.id, per_page: count, strict_dates: true, ends_after: localNow(context) }
  // Whoever may change dates needs the IDs of those that an editor has hidden.
  const listsHidden = one.hide_from_listings === true || context.caller.id !== 0
  const { body } = await context.request({ method: 'GET', path: EVENTS, query, listsHidden })
  return (body as { readonly events: readonly WireEvent[] }).events.map((date) => ({ id: date.id, ...spanOf(date) }))
}

/** '' without an image of ours, and where it cannot be read: what was written before is not undone by that. */
async function alternativeText({ request }: ToolContext, { image }: WireEvent): Promise<string> {
  if (image === false || !Number.isSafeInteger(image.id)) return ''
  const reading = request({ method: 'GET', path: `/kalends/v1/media/${String(image.id)}` })
  const response = await reading.catch(() => undefined)
  return response === undefined ? '' : (response.body as { readonly alt_text: string }).alt_text
}
