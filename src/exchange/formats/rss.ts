import { millisFromUtc } from '../../base/time/zones.ts'
import { type EventWithRelations, statusName } from '../../calendar/events/index.ts'
import { pageUrl } from '../../calendar/shared/present.ts'
import { named, text } from '../../http/openapi/parts.ts'
import { imageAddress, placeText, stampsOf } from './facts.ts'
import { type EventFormat, type FormatContext, fromEvents } from './format.ts'

/** Characters that XML cannot hold, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
const UNUSABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text between tags and in attributes of XML. */
function xmlText(content: string): string {
  return content.replace(UNUSABLE, '').replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

function element(name: string, content: string): string {
  return content === '' ? '' : `<${name}>${xmlText(content)}</${name}>\n`
}

/** Whose words say what has become of an event. */
const STATUS_DOMAIN = 'https://schema.org/EventStatusType'

function item(event: EventWithRelations, { call: { urls } }: FormatContext): string {
  const { row, venues, categories } = event
  const url = pageUrl('event', row, urls)
  const image = imageAddress(event, urls)
  const { start, end } = stampsOf(event)
  const [venue] = venues
  const place = venue === undefined ? '' : [venue.name, placeText(venue)].filter((part) => part !== '').join(', ')
  return [
    '<item>\n',
    element('title', row.title),
    element('link', url),
    `<guid isPermaLink="true">${xmlText(url)}</guid>\n`,
    element('pubDate', new Date(millisFromUtc(row.published_at)).toUTCString()),
    ...categories.map(({ name }) => element('category', name)),
    row.event_status === 'scheduled' ? '' : `<category domain="${STATUS_DOMAIN}">${statusName(row)}</category>\n`,
    element('description', row.description || row.excerpt),
    element('ev:startdate', start),
    element('ev:enddate', end),
    element('ev:location', place),
    image === '' ? '' : `<media:content url="${xmlText(image)}" medium="image"/>\n`,
    '</item>\n',
  ].join('')
}

const NAMESPACES = [
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:ev="http://purl.org/rss/1.0/modules/event/"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
].join(' ')

/** Events as RSS 2.0, with their times in the elements of the module for events. */
export const RSS: EventFormat = {
  ending: 'rss',
  said: {
    list: 'api.formats.rss.list',
    aboutList: 'api.formats.rss.listAbout',
  },
  type: 'application/rss+xml',
  parameters: '; charset=utf-8',
  schema: named(
    'EventRss',
    text('api.formats.feedRss20', '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0">'),
  ),
  texts: fromEvents(item),
  begin: ({ site, call: { urls }, address }) =>
    `<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" ${NAMESPACES}>\n<channel>\n${[
      element('title', site.name),
      element('link', urls.page('/events/')),
      `<atom:link href="${xmlText(address)}" rel="self" type="application/rss+xml"/>\n`,
      element('description', site.name),
      '<ttl>60</ttl>\n',
    ].join('')}`,
  between: '',
  end: () => '</channel>\n</rss>\n',
}
