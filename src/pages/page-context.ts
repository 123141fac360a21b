import type { LANGUAGES } from '../base/i18n/languages.ts'
import { type Say, speaker } from '../base/i18n/translate.ts'
import { slugify } from '../base/text/slug.ts'
import type { Urls } from '../http/address.ts'
import type { Selector } from '../http/resource.ts'
import type { Incoming } from '../http/route.ts'

/** The language of a page and the addresses that it gives out, which stay in that language. */
export interface PageContext {
  readonly language: string
  readonly say: Say
  readonly urls: Urls
  /** Language segment of the address that was called; '' when none. */
  readonly segment: string
  /** The present moment, Unix milliseconds. */
  readonly now: number
  /** Address of a page of the site without its host, in the language of this page: `link('/events/')`. */
  link(path: string): string
  /** The same for an address that a response gives out; addresses elsewhere as they are. */
  to(address: string): string
  /** Address of a file of the site or of the API without its host, so that pages work under each name of the server. */
  local(address: string): string
  /** Address of this site with its host, for those who read it elsewhere: feeds, search engines, mail. */
  absolute(address: string): string
}

/** What a request says of where it is. */
export function contextOf({
  language,
  mount,
  urls,
  now,
}: Pick<Incoming, 'language' | 'mount' | 'urls' | 'now'>): PageContext {
  const { language: segment } = mount
  const start = urls.page('/')
  const hostEnd = start.indexOf('/', start.indexOf('://') + 3)
  const [host, root] = [start.slice(0, hostEnd), start.slice(hostEnd, -1)]
  const link = (path: string): string => root + (segment === '' ? path : `/${segment}${path}`)
  const to = (address: string): string =>
    address.startsWith(start) ? link(`/${address.slice(start.length)}`) : address
  const local = (address: string): string => (address.startsWith(start) ? address.slice(hostEnd) : address)
  const absolute = (address: string): string => (address.startsWith('/') ? host + address : address)
  return { language, say: speaker(language), urls, segment, now, link, to, local, absolute }
}

/** The languages of pages, each with its own name. */
export const LANGUAGE_NAMES: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  pl: 'Polski',
  ja: '日本語',
  zh: '中文',
  ar: 'العربية',
}

/** What a path segment means as a slug: it arrives decoded, and slugs are stored in their percent-encoded form. */
export function storedForm(selector: Selector): Selector {
  return selector.by === 'id' ? selector : { by: 'slug', slug: slugify(selector.slug) }
}
