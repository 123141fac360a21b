import type { EventWithRelations } from '../../calendar/events/index.ts'
import { pageUrl } from '../../calendar/shared/present.ts'
import { address, flag, id, list, named, open, text } from '../../http/openapi/parts.ts'
import { imageAddress, stampsOf, utcStamp } from './facts.ts'
import { type EventFormat, type FormatContext, fromEvents } from './format.ts'

/** An event as an item of a feed. What a feed has no member for is in `_event`. */
function item(event: EventWithRelations, { call: { urls } }: FormatContext): string {
  const { row, venues, organizers, categories, tags } = event
  const url = pageUrl('event', row, urls)
  const image = imageAddress(event, urls)
  const { start, end } = stampsOf(event)
  return JSON.stringify({
    id: url,
    url,
    ...(row.website !== null && row.website !== '' && { external_url: row.website }),
    title: row.title,
    content_html: row.description || row.excerpt,
    ...(image !== '' && { image }),
    date_published: utcStamp(row.published_at),
    date_modified: utcStamp(row.modified_at),
    ...(organizers.length > 0 && { authors: organizers.map(({ name }) => ({ name })) }),
    ...(categories.length + tags.length > 0 && {
      tags: [...new Set([...categories, ...tags].map(({ name }) => name))],
    }),
    _event: {
      id: row.id,
      start,
      end,
      timezone: row.timezone,
      all_day: row.all_day === 1,
      ...(row.event_status !== 'scheduled' && { event_status: row.event_status }),
      ...(venues.length > 0 && { venues: venues.map(({ name }) => name) }),
    },
  })
}

const SCHEMA = named(
  'EventFeed',
  open('api.formats.feedJsonFeed1', {
    version: text('api.formats.versionFormat', 'https://jsonfeed.org/version/1.1'),
    title: text('api.formats.nameCalendar', 'Harbour'),
    feed_url: address('api.formats.urlFeed', 'https://calendar.example/kalends/v1/events.json'),
    items: list(
      'api.formats.eventsOrderList',
      open(
        'api.anEvent',
        {
          id: address('api.urlPublicPage', 'https://calendar.example/event/regatta-picnic/'),
          title: text('fields.title', 'Regatta & Picnic'),
          content_html: text('fields.description', '<p>By the water.</p>'),
          _event: open('api.formats.dateTimeVenue', {
            id: id('common.id', 10),
            start: text('api.formats.dateDateTimeUtc', '2027-04-17'),
            end: text('api.formats.dateDateTimeUtc', '2027-04-18'),
            timezone: text('api.formats.timeZone', 'Europe/Berlin'),
            all_day: flag('api.formats.whetherLastsWholeDays'),
          }),
        },
        ['id', 'title', 'content_html', '_event'],
      ),
    ),
  }),
)

/** Events as JSON Feed 1.1. */
export const JSON_FEED: EventFormat = {
  ending: 'json',
  said: {
    list: 'api.formats.feedJson.list',
    aboutList: 'api.formats.feedJson.listAbout',
  },
  type: 'application/feed+json',
  parameters: '; charset=utf-8',
  schema: SCHEMA,
  texts: fromEvents(item),
  begin: ({ site, call: { urls }, address }) => {
    const head = {
      version: 'https://jsonfeed.org/version/1.1',
      title: site.name,
      home_page_url: urls.page('/events/'),
      feed_url: address,
    }
    return `${JSON.stringify(head).slice(0, -1)},"items":[`
  },
  between: ',',
  end: () => ']}',
}
