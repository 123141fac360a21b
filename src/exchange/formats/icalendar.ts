import { newFileSeries } from '../../calendar/event-store/series/file-parts.ts'
import {
  CALENDAR_END,
  CALENDAR_START,
  CALENDAR_TYPE,
  eventTexts,
  headLines,
  seriesTexts,
  zoneTexts,
} from '../icalendar/calendar.ts'
import { CALENDAR } from '../icalendar/schema.ts'
import type { EventFormat, FileParts, FormatContext, FormattedEvent } from './format.ts'

/** The components of events, recurring ones whole, in the order of the parts. */
export async function calendarTexts(
  { events, call, site }: FormatContext,
  parts: FileParts,
): Promise<readonly FormattedEvent[]> {
  const idsOf = (kind: FileParts[number]['kind']) => parts.flatMap((part) => (part.kind === kind ? part.id : []))
  const scene = { site, urls: call.urls }
  const single = await events.events(call, idsOf('event'))
  const whole = await events.series(call, idsOf('series'))
  const singleTexts = (await eventTexts(single, scene)).map((text, index) =>
    formatted(text, single[index]?.dependencies),
  )
  const wholeTexts = (await seriesTexts(whole, scene)).map((text, index) => {
    const { base, exceptions = [] } = whole[index] ?? {}
    return formatted(
      text,
      [base, ...exceptions].flatMap((one) => one?.dependencies ?? []),
    )
  })
  const made = {
    event: new Map(single.map(({ row }, index) => [row.id, singleTexts[index]])),
    series: new Map(whole.map(({ base }, index) => [base.row.id, wholeTexts[index]])),
  }
  return parts.flatMap(({ kind, id }) => made[kind].get(id) ?? [])
}

function formatted(bytes: Buffer, dependencies: FormattedEvent['dependencies'] = []): FormattedEvent {
  const text = bytes.toString()
  const cut = text.indexOf('\n')
  return { text: text.slice(cut + 1), zones: text.slice(0, cut), dependencies }
}

/** Single dates that wait at most: their recurring event may yet come whole. */
const MOST_WAITING = 5_000

/**
 * The parts of a calendar; a recurring event that is whole in one place is nowhere else. Dates that differ wait until
 * the end, unless their recurring event has been decided.
 */
export const calendarParts: NonNullable<EventFormat['parts']> = async function* ({ events }, pages) {
  const known = newFileSeries()
  const waiting: FileParts[number][] = []
  for await (const ids of pages) {
    const parts = await events.fileParts(ids, known)
    yield parts.filter(({ series }) => series === undefined)
    for (const part of parts) if (part.series !== undefined) waiting.push(part)
    if (waiting.length <= MOST_WAITING) continue
    const rest = without(waiting.splice(0), known.whole)
    for (const { series } of rest) if (series !== undefined) known.apart.add(series)
    yield rest
  }
  yield without(waiting, known.whole)
}

function without(parts: FileParts, whole: ReadonlySet<number>): FileParts {
  return parts.filter(({ series }) => series === undefined || !whole.has(series))
}

/** Events as iCalendar (RFC 5545). */
export const ICALENDAR: EventFormat = {
  ending: 'ics',
  said: {
    list: 'api.formats.ics.list',
    aboutList: 'api.formats.ics.listAbout',
    read: 'api.formats.ics.read',
    aboutRead: 'api.formats.ics.readAbout',
  },
  type: CALENDAR_TYPE,
  parameters: '; charset=utf-8',
  schema: CALENDAR,
  parts: calendarParts,
  texts: calendarTexts,
  begin: ({ site }) => CALENDAR_START + headLines({ site, isFeed: true }),
  zones: (named, { site }) => zoneTexts(named, site),
  between: '',
  end: () => CALENDAR_END,
}
