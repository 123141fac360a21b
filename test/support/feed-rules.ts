import { parseXml, type XmlElement } from './xml.ts'

/** Elements that RSS 2.0 knows in a channel and in an item (rssboard.org/rss-specification); those of other namespaces are free. */
const IN_CHANNEL = new Set([
  ...[
    'title',
    'link',
    'description',
    'language',
    'copyright',
    'managingEditor',
    'webMaster',
    'pubDate',
    'lastBuildDate',
  ],
  ...['category', 'generator', 'docs', 'cloud', 'ttl', 'image', 'rating', 'textInput', 'skipHours', 'skipDays', 'item'],
])
const IN_ITEM = new Set([
  ...['title', 'link', 'description', 'author', 'category', 'comments', 'enclosure', 'guid', 'pubDate', 'source'],
])
const SEVERAL = new Set(['item', 'category'])

const DAYS = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun'
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const RFC_822 = new RegExp(`^(${DAYS}), \\d\\d (${MONTHS}) \\d{4} \\d\\d:\\d\\d:\\d\\d (GMT|[+-]\\d{4})$`)
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** What is wrong with an RSS 2.0 feed by the rules of the RSS Advisory Board; `[]` for nothing. `address` is where it was read. @throws Error for what is no XML */
export function faultsOfRss(text: string, address: string): string[] {
  const root = parseXml(text)
  const [channel, ...more] = root.children
  if (root.name !== 'rss' || root.attributes['version'] !== '2.0') return [`<${root.name}> is no rss 2.0`]
  if (channel?.name !== 'channel' || more.length > 0) return ['not exactly one channel']
  const self = channel.children.find(({ name, attributes }) => name === 'atom:link' && attributes['rel'] === 'self')
  const items = channel.children.filter(({ name }) => name === 'item')
  const guids = items.map((item) => textOf(item, 'guid'))
  return [
    ...['title', 'link', 'description'].flatMap((name) => (textOf(channel, name) === '' ? [`no ${name}`] : [])),
    ...unknownOrTwice(channel, IN_CHANNEL),
    ...(isAbsolute(textOf(channel, 'link')) ? [] : ['the link of the channel is no address']),
    ...(/^\d+$/.test(textOf(channel, 'ttl') || '0') ? [] : ['ttl is no number']),
    ...(self?.attributes['href'] === address ? [] : [`atom:link says ${self?.attributes['href']}`]),
    ...(root.attributes['xmlns:atom'] === 'http://www.w3.org/2005/Atom' ? [] : ['atom is not declared']),
    ...(new Set(guids).size === guids.length ? [] : ['two items have one guid']),
    ...items.flatMap((item, index) => faultsOfItem(item).map((fault) => `item ${index}: ${fault}`)),
  ]
}

function faultsOfItem(item: XmlElement): string[] {
  const date = textOf(item, 'pubDate')
  const guid = item.children.find(({ name }) => name === 'guid')
  const isLink = guid !== undefined && guid.attributes['isPermaLink'] !== 'false'
  const media = item.children.filter(({ name }) => name === 'media:content')
  return [
    ...unknownOrTwice(item, IN_ITEM),
    ...(textOf(item, 'title') === '' && textOf(item, 'description') === '' ? ['neither title nor description'] : []),
    ...(isAbsolute(textOf(item, 'link')) ? [] : ['no link']),
    ...(guid === undefined ? ['no guid'] : []),
    ...(isLink && !isAbsolute(guid.text) ? ['its guid is no address'] : []),
    ...(RFC_822.test(date) && !Number.isNaN(Date.parse(date)) ? [] : [`pubDate ${date}`]),
    ...media.flatMap(({ attributes }) => (isAbsolute(attributes['url'] ?? '') ? [] : ['a picture without address'])),
  ]
}

function unknownOrTwice({ children }: XmlElement, known: ReadonlySet<string>): string[] {
  const own = children.map(({ name }) => name).filter((name) => !name.includes(':'))
  return [
    ...own.filter((name) => !known.has(name)).map((name) => `unknown ${name}`),
    ...own.filter((name, index) => !SEVERAL.has(name) && own.indexOf(name) < index).map((name) => `two ${name}`),
  ]
}

function textOf({ children }: XmlElement, wanted: string): string {
  return children.find(({ name }) => name === wanted)?.text ?? ''
}

function isAbsolute(address: unknown): boolean {
  return typeof address === 'string' && /^https?:\/\//.test(address) && URL.canParse(address)
}

/** Types of the members of an item of JSON Feed 1.1. */
const ITEM_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isText,
  url: isAbsolute,
  external_url: isAbsolute,
  title: (value) => typeof value === 'string',
  content_html: (value) => typeof value === 'string',
  content_text: (value) => typeof value === 'string',
  summary: (value) => typeof value === 'string',
  image: isAbsolute,
  banner_image: isAbsolute,
  date_published: isMoment,
  date_modified: isMoment,
  authors: Array.isArray,
  tags: (value) => Array.isArray(value) && value.every(isText),
  language: isText,
  attachments: Array.isArray,
}

const FEED_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  version: (value) => value === 'https://jsonfeed.org/version/1.1',
  title: isText,
  home_page_url: isAbsolute,
  feed_url: isAbsolute,
  description: isText,
  user_comment: isText,
  next_url: isAbsolute,
  icon: isAbsolute,
  favicon: isAbsolute,
  authors: Array.isArray,
  language: isText,
  expired: (value) => typeof value === 'boolean',
  hubs: Array.isArray,
  items: Array.isArray,
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && RFC_3339.test(value) && !Number.isNaN(Date.parse(value))
}

/** What is wrong with a JSON Feed 1.1 (jsonfeed.org/version/1.1); `[]` for nothing. `address` is where it was read. @throws SyntaxError for what is no JSON */
export function faultsOfJsonFeed(text: string, address: string): string[] {
  const feed: Readonly<Record<string, unknown>> = JSON.parse(text)
  const items: readonly Readonly<Record<string, unknown>>[] = Array.isArray(feed['items']) ? feed['items'] : []
  const ids = items.map(({ id }) => id)
  return [
    ...['version', 'title', 'items'].flatMap((name) => (name in feed ? [] : [`no ${name}`])),
    ...wrongMembers(feed, FEED_MEMBERS),
    ...(feed['feed_url'] === address ? [] : [`feed_url says ${feed['feed_url']}`]),
    ...(new Set(ids).size === ids.length ? [] : ['two items have one id']),
    ...items.flatMap((item, index) => [
      ...('id' in item ? [] : [`item ${index}: no id`]),
      ...('content_html' in item || 'content_text' in item ? [] : [`item ${index}: no content`]),
      ...wrongMembers(item, ITEM_MEMBERS).map((fault) => `item ${index}: ${fault}`),
    ]),
  ]
}

function wrongMembers(
  value: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, (value: unknown) => boolean>>,
): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (name.startsWith('_')) return []
    const isRight = members[name]
    if (isRight === undefined) return [`unknown ${name}`]
    return isRight(member) ? [] : [`${name} is ${JSON.stringify(member)?.slice(0, 80)}`]
  })
}
