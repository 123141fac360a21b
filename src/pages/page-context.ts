import type { LANGUAGES } from '../base/i18n/languages.ts'
import { type Say, speaker } from '../base/i18n/translate.ts'
import type { Urls } from '../http/address.ts'
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
  /** Address of a page of the site: `link('/events/')`. */
  link(path: string): string
  /** An address that a response gives out, in the language of this page where it is a page of the site. */
  to(address: string): string
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
  const link = (path: string): string => urls.page(segment === '' ? path : `/${segment}${path}`)
  const to = (address: string): string =>
    address.startsWith(start) ? link(`/${address.slice(start.length)}`) : address
  return { language, say: speaker(language), urls, segment, now, link, to }
}

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = /^(Adlm|Arab|Hebr|Mand|Mend|Nkoo|Rohg|Samr|Syrc|Thaa)$/

/** Direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
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
