import type { Attributes } from './tokens.ts'

/** Elements that stand by themselves between paragraphs; a paragraph never holds one. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote caption col colgroup dd details div dl dt figcaption figure footer h1 h2 h3 h4 ' +
    'h5 h6 header hgroup hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

/** Elements without content and without end tag. */
const VOIDS: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'track', 'wbr'])

/** Blocks that no vocabulary holds: the words on both sides of their tags must not run together. */
const FOREIGN_BLOCKS: ReadonlySet<string> = new Set(
  'body center dialog dir fieldset form frameset head html legend listing noframes optgroup option search select textarea title xmp'.split(
    ' ',
  ),
)

/** True for elements of which a paragraph holds none, such as `div`, `li` and `td`. */
export function isBlock(name: string): boolean {
  return BLOCKS.has(name)
}

/** True for elements without content, such as `br` and `img`. */
export function isVoid(name: string): boolean {
  return VOIDS.has(name)
}

/** True where a reader sees a new line at the tag of an element, in whatever vocabulary. */
export function breaksLine(name: string): boolean {
  return name === 'br' || BLOCKS.has(name) || FOREIGN_BLOCKS.has(name)
}

/** Which elements and attributes a text may hold. */
export interface Vocabulary {
  /** The attributes of each element that may occur, without those of `common`. */
  readonly elements: Readonly<Record<string, readonly string[]>>
  /** Attributes that every element may have. */
  readonly common: readonly string[]
  /** Hosts that an `iframe` may show, without port; `[]` for none. */
  readonly iframeHosts: readonly string[]
}

/** What the description of an event, venue or organizer may hold (decisions: Text, HTML). */
export const POST_ELEMENTS: Vocabulary['elements'] = {
  ...plain('address article aside b bdi caption cite code dd dfn div dl dt em figcaption figure footer'),
  ...plain('h1 h2 h3 h4 h5 h6 header hgroup hr i kbd main mark menu nav p pre rp rt ruby s samp section small span'),
  ...plain('strong sub summary sup table tbody tfoot thead tr u ul var wbr br'),
  a: ['href', 'target', 'rel', 'hreflang', 'name'],
  abbr: [],
  audio: ['src', 'controls', 'loop', 'muted', 'preload'],
  bdo: [],
  blockquote: ['cite'],
  col: ['span'],
  colgroup: ['span'],
  del: ['cite', 'datetime'],
  details: ['open'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
  ins: ['cite', 'datetime'],
  li: ['value'],
  ol: ['start', 'reversed', 'type'],
  q: ['cite'],
  source: ['src', 'type'],
  td: ['colspan', 'rowspan', 'headers'],
  th: ['colspan', 'rowspan', 'headers', 'scope'],
  time: ['datetime'],
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  video: ['src', 'poster', 'width', 'height', 'controls', 'loop', 'muted', 'playsinline', 'preload'],
}

/** Attributes of every element of a post. */
export const POST_COMMON: readonly string[] = ['class', 'id', 'style', 'title', 'lang', 'dir']

/** Attributes of an `iframe` from a host that the site trusts. */
export const IFRAME_ATTRIBUTES: readonly string[] = [
  'src',
  'width',
  'height',
  'allow',
  'allowfullscreen',
  'frameborder',
  'loading',
  'referrerpolicy',
]

/** What the description of a term may hold: simple inline HTML only (wire: rest 3.9). */
export const INLINE: Vocabulary = {
  elements: {
    ...plain('b br cite code em i kbd mark s small strong sub sup u'),
    a: ['href', 'title', 'target', 'rel'],
    abbr: ['title'],
    del: ['datetime'],
    ins: ['datetime'],
    q: ['cite'],
  },
  common: [],
  iframeHosts: [],
}

/** Schemes of links; an address without a scheme is fine everywhere. */
export const LINK_SCHEMES: readonly string[] = ['http', 'https', 'mailto', 'tel']
/** Schemes of what a page loads by itself: images, sound, films and frames. */
export const MEDIA_SCHEMES: readonly string[] = ['http', 'https']

/** Longest address in a link or source, in characters: longer ones are dropped. */
const URL_LIMIT = 8192
/** Longest style of one element, in characters: a longer one is dropped. */
const STYLE_LIMIT = 2000

const LINKS: ReadonlySet<string> = new Set(['href', 'cite'])
const SOURCES: ReadonlySet<string> = new Set(['src', 'poster'])
const NEED_SOURCE: ReadonlySet<string> = new Set(['img', 'iframe', 'source', 'track'])

function plain(names: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, []]))
}

/**
 * The attributes of an element that the vocabulary allows, in the order as sent; undefined when the element may not
 * occur: unknown, an image or film without a usable source, a frame of a host that is not listed.
 */
export function allowedAttributes(
  name: string,
  attributes: Attributes,
  vocabulary: Vocabulary,
): Map<string, string> | undefined {
  const own = Object.hasOwn(vocabulary.elements, name) ? vocabulary.elements[name] : undefined
  if (own === undefined) return undefined
  const kept = new Map<string, string>()
  for (const [key, value] of attributes) {
    if ((own.includes(key) || vocabulary.common.includes(key)) && isAllowedValue(key, value)) kept.set(key, value)
  }
  if (NEED_SOURCE.has(name) && !kept.has('src')) return undefined
  if (name === 'iframe' && !vocabulary.iframeHosts.includes(hostOf(kept.get('src') ?? ''))) return undefined
  return kept
}

function isAllowedValue(key: string, value: string): boolean {
  if (LINKS.has(key)) return isAllowedUrl(value, LINK_SCHEMES)
  if (SOURCES.has(key)) return value.trim() !== '' && isAllowedUrl(value, MEDIA_SCHEMES)
  return key !== 'style' || value.length <= STYLE_LIMIT
}

function isAllowedUrl(url: string, schemes: readonly string[]): boolean {
  if (url.length > URL_LIMIT) return false
  // Browsers ignore spaces and control characters before and inside the scheme.
  const bare = Array.from(url)
    .filter((character) => character > ' ')
    .join('')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]
  return scheme === undefined || schemes.includes(scheme.toLowerCase())
}

/** The host of an absolute address, lower case and without port; `''` for every other text. */
function hostOf(url: string): string {
  const address = URL.parse(url.startsWith('//') ? `https:${url}` : url)
  return address?.hostname ?? ''
}
