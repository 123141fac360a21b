import { decodeEntities } from '../base/text/entities.ts'

/** What the policy of a page follows from. */
export interface PolicySubject {
  /** The markup between head and foot of the page, as it is sent. */
  readonly markup: string
  /** Address of the start page, absolute. */
  readonly start: string
  /** Address of the logo, absolute or a path; '' for none. */
  readonly logo: string
  /** Address of the tiles of maps; '' where the site has no maps. */
  readonly tiles: string
  /** Who may show the page in a frame: `'self'` or `*`. */
  readonly framedBy: string
}

/**
 * The content security policy of a public page: no inline script or style and nothing of another host but what its content
 * shows. An image, film or frame of a description may lead on to any other host, so a page with one allows its scheme;
 * every other page has images of its own host, of that of the logo, and of that of the tiles where it has a map.
 */
export function pagePolicy(subject: PolicySubject): string {
  const { markup, start, logo, tiles, framedBy } = subject
  const elsewhere = loadedFrom(markup, start)
  const hosts = [logo, markup.includes('<event-map ') ? tiles.replaceAll(/[{}]/g, '') : '']
  const pictures = new Set([...hosts.map((address) => originOf(address, start)), ...elsewhere.pictures])
  return [
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:${listed(pictures)}`,
    ...(elsewhere.hasMedia ? [`media-src 'self'${listed(elsewhere.media)}`] : []),
    ...(elsewhere.hasFrames ? [`frame-src 'self'${listed(elsewhere.frames)}`] : []),
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ')
}

/** Schemes of the images of other hosts in some markup, as they follow other sources: ` https:`; '' for none. */
export function imagesElsewhere(markup: string, start: string): string {
  return listed(loadedFrom(markup, start).pictures)
}

/** Sources as they follow others in a directive. */
function listed(sources: ReadonlySet<string>): string {
  return [...sources].flatMap((source) => (source === '' ? [] : [` ${source}`])).join('')
}

/** Schemes from which other hosts are asked for what a page shows, `https:`. */
interface Loaded {
  readonly pictures: Set<string>
  readonly media: Set<string>
  readonly frames: Set<string>
  hasMedia: boolean
  hasFrames: boolean
}

/** Start tags of what loads something by itself; `>` is encoded in attributes. */
const LOADING = /<(img|video|audio|source|track|iframe)\b([^>]*)>/g

const ADDRESSES = /\s(src|poster)="([^"]*)"/g

function loadedFrom(markup: string, start: string): Loaded {
  const loaded: Loaded = { pictures: new Set(), media: new Set(), frames: new Set(), hasMedia: false, hasFrames: false }
  for (const [, element = '', attributes = ''] of markup.matchAll(LOADING)) {
    if (element === 'iframe') loaded.hasFrames = true
    else if (element !== 'img') loaded.hasMedia = true
    for (const [, name, address = ''] of attributes.matchAll(ADDRESSES)) {
      const source = schemeElsewhere(decodeEntities(address), start)
      if (source === '') continue
      if (element === 'img' || name === 'poster') loaded.pictures.add(source)
      else if (element === 'iframe') loaded.frames.add(source)
      else loaded.media.add(source)
    }
  }
  return loaded
}

/** The scheme of an address on another host; '' for addresses of this site. */
function schemeElsewhere(address: string, start: string): string {
  if (address.startsWith(start)) return ''
  const target = URL.parse(address, start)
  const isElsewhere = target !== null && target.origin !== new URL(start).origin && /^https?:$/.test(target.protocol)
  return isElsewhere ? target.protocol : ''
}

/** The origin of an address on another host; '' for none and for addresses of this site. */
function originOf(address: string, start: string): string {
  const target = address === '' ? null : URL.parse(address, start)
  return target === null || target.origin === new URL(start).origin ? '' : target.origin
}
