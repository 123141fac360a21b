import { named } from '../../http/openapi/parts.ts'
import { headLines, zoneTexts } from '../icalendar/calendar.ts'
import type { EventFormat } from './format.ts'
import { calendarParts, calendarTexts } from './icalendar.ts'
import { jcalComponents, jcalProperty } from './jcal-lines.ts'

const SCHEMA = named('JCal', {
  type: 'array',
  description: 'api.formats.icalendarObjectJcalRfc',
  items: {},
  examples: [['vcalendar', [['version', {}, 'text', '2.0']], []]],
})

/** Events as jCal (RFC 7265): what their iCalendar files say. */
export const JCAL: EventFormat = {
  ending: 'jcal',
  said: {
    list: 'api.formats.jcal.list',
    aboutList: 'api.formats.jcal.listAbout',
    read: 'api.formats.jcal.read',
    aboutRead: 'api.formats.jcal.readAbout',
  },
  type: 'application/calendar+json',
  parameters: '',
  schema: SCHEMA,
  parts: calendarParts,
  texts: async (context, parts) =>
    (await calendarTexts(context, parts)).map(({ text, ...one }) => ({
      ...one,
      text: jcalComponents(text)
        .map((component) => JSON.stringify(component))
        .join(','),
    })),
  begin: ({ site }) => {
    const properties = headLines({ site, isFeed: true })
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .filter((line) => line !== '')
    return `["vcalendar",${JSON.stringify(properties.map(jcalProperty))},[`
  },
  zones: (named, { site }) =>
    zoneTexts(named, site)
      .flatMap(jcalComponents)
      .map((zone) => JSON.stringify(zone)),
  between: ',',
  end: () => ']]',
}
