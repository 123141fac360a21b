import { utcFromMillis } from '../../base/time/zones.ts'
import { list, named, open, text } from '../../http/openapi/parts.ts'
import { utcStamp } from './facts.ts'
import type { EventFormat, FormattedEvent } from './format.ts'
import { calendarParts } from './icalendar.ts'
import { eventObject } from './jscalendar-event.ts'
import { dateObject, seriesObject } from './jscalendar-series.ts'

const SCHEMA = named(
  'JSCalendar',
  open(
    'api.formats.groupEventsSingleEvent',
    {
      '@type': text('api.formats.type', 'Group'),
      uid: text('common.id', '10@calendar.example'),
      updated: text('api.formats.lastChangeUtc', '2026-11-20T18:00:00Z'),
      entries: list('api.formats.eventsOrderList', open('api.formats.anEvent', {}, [])),
    },
    ['@type', 'uid', 'updated'],
  ),
)

/** The objects of events, recurring ones whole, in the order of the parts. */
const texts: EventFormat['texts'] = async ({ events, call, site }, parts) => {
  const idsOf = (kind: (typeof parts)[number]['kind']) => parts.flatMap((part) => (part.kind === kind ? part.id : []))
  const scene = { host: site.host, urls: call.urls }
  const made = { event: new Map<number, FormattedEvent>(), series: new Map<number, FormattedEvent>() }
  for (const event of await events.events(call, idsOf('event'))) {
    const { row, dependencies } = event
    const object = row.occasion === undefined ? eventObject(event, scene) : dateObject(event, row.occasion, scene)
    made.event.set(row.id, { text: JSON.stringify(object), dependencies })
  }
  for (const series of await events.series(call, idsOf('series'))) {
    const { base, exceptions } = series
    const dependencies = [base, ...exceptions].flatMap((one) => one.dependencies)
    made.series.set(base.row.id, { text: JSON.stringify(seriesObject(series, scene)), dependencies })
  }
  return parts.flatMap(({ kind, id }) => made[kind].get(id) ?? [])
}

/** Events as JSCalendar (RFC 8984). */
export const JSCALENDAR: EventFormat = {
  ending: 'jscal',
  said: {
    list: 'api.formats.jscalendar.list',
    aboutList: 'api.formats.jscalendar.listAbout',
    read: 'api.formats.jscalendar.read',
    aboutRead: 'api.formats.jscalendar.readAbout',
  },
  type: 'application/jscalendar+json',
  parameters: '',
  schema: SCHEMA,
  parts: calendarParts,
  texts,
  begin: ({ site, call, address }) => {
    const updated = utcStamp(utcFromMillis(call.now))
    const head = { '@type': 'Group', uid: address, prodId: '-//Kalends//Kalends//EN', updated, title: site.name }
    return `${JSON.stringify(head).slice(0, -1)},"entries":[`
  },
  between: ',',
  end: () => ']}',
  single: (text) => text,
}
