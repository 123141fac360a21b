import { plainAddress } from '../../../../base/outgoing/request.ts'
import { htmlTokens } from '../../../../base/text/tokens.ts'
import type { Skipped } from '../../types.ts'
import type { SiteApi } from './discover.ts'
import type { Raw } from './raw.ts'

/** The images inside the descriptions of a site. */
export interface ShownImages {
  /** Those that lie at the site itself: the texts that stand for them ('' for none), by their address. */
  readonly own: ReadonlyMap<string, string>
  /** How many descriptions name images of the site by their whole address. */
  readonly absolute: number
  /** How many descriptions show images of other sites. */
  readonly foreign: number
  /** Whether images of the site are left out, because there are too many. */
  readonly isCut: boolean
}

/** Most images inside descriptions that an import fetches. */
const MOST_SHOWN = 20_000

/** File names of images that links lead to. */
const IMAGE_FILE = /\.(?:jpe?g|png|gif|webp|avif)$/i

/** Collects the images inside the descriptions of items, shown or linked. */
export class ShownCollector implements ShownImages {
  readonly own = new Map<string, string>()
  absolute = 0
  foreign = 0
  isCut = false
  readonly #api: Pick<SiteApi, 'root' | 'reach'>

  constructor(api: Pick<SiteApi, 'root' | 'reach'>) {
    this.#api = api
  }

  /** Looks into the description of an event, venue or organizer. */
  add(item: Raw): void {
    const { description, url } = item
    if (typeof description !== 'string' || !/<(?:img|a)\s/i.test(description)) return
    const page = typeof url === 'string' && URL.canParse(url) ? ownAddress(url, this.#api) : undefined
    const base = page ?? this.#api.root
    let isAbsolute = false
    let isForeign = false
    for (const { address, alt, isLink } of imagesIn(description)) {
      const whole = URL.parse(address, base)?.href
      const own = whole === undefined ? undefined : ownAddress(whole, this.#api)
      if (own === undefined) isForeign ||= !isLink && whole !== undefined && /^https?:/i.test(whole)
      else {
        isAbsolute ||= URL.canParse(address) || address.startsWith('//')
        this.#keep(own, alt)
      }
    }
    this.absolute += Number(isAbsolute)
    this.foreign += Number(isForeign)
  }

  #keep(address: string, alt: string): void {
    const known = this.own.get(address)
    if (known === undefined && this.own.size >= MOST_SHOWN) this.isCut = true
    else if (known === undefined || known === '') this.own.set(address, alt)
  }
}

interface Named {
  readonly address: string
  readonly alt: string
  readonly isLink: boolean
}

/** What images and links to images name, as it is written. */
function* imagesIn(html: string): Generator<Named> {
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'open') continue
    const { name, attributes } = token
    const src = name === 'img' ? attributes.get('src')?.trim() : undefined
    const href = name === 'a' ? attributes.get('href')?.trim() : undefined
    if (src) yield { address: src, alt: attributes.get('alt')?.trim() ?? '', isLink: false }
    else if (href && IMAGE_FILE.test(href.replace(/[?#].*$/s, ''))) yield { address: href, alt: '', isLink: true }
  }
}

/** The address of something of the site, also where it names itself with http: instead of https:; undefined for others. */
export function ownAddress(address: string, { root, reach }: Pick<SiteApi, 'root' | 'reach'>): string | undefined {
  const here = new URL(root).origin
  const other = address.startsWith('http:') ? address.replace(/^http:/, 'https:') : address.replace(/^https:/, 'http:')
  const isPlain = URL.parse(address)?.port === ''
  const own = [address, ...(isPlain ? [other] : [])].find((one) => URL.parse(reach(one))?.origin === here)
  return own === undefined ? undefined : plainAddress(own)
}

/** What a report says of the images inside descriptions. */
export function shownNotes({ absolute, foreign, isCut }: ShownImages, { root }: Pick<SiteApi, 'root'>): Skipped[] {
  const { origin } = new URL(root)
  const notes: string[] = []
  if (absolute > 0)
    notes.push(
      `${absolute} name images by their address at ${origin}: they come from here once this calendar answers there`,
    )
  if (foreign > 0) notes.push(`${foreign} show images of other sites, which stay there`)
  if (isCut) notes.push(`images were left out: no more than ${MOST_SHOWN} are fetched`)
  return notes.map((why) => ({ what: 'descriptions', why, isNote: true }))
}
