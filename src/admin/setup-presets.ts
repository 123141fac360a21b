import { acceptedTags, knownLanguage } from '../http/request/server-request.ts'

/** What a browser says about whoever sets up a calendar. */
export interface SetupPresets {
  /** '' where it prefers none that we have. */
  readonly language: string
  /** `€`; undefined where the currency of its region is not known. */
  readonly currency?: { readonly symbol: string; readonly position: 'prefix' | 'postfix' } | undefined
}

/** Currencies (ISO 4217) with the regions (ISO 3166) that pay with them. */
const REGIONS: Readonly<Record<string, string>> = {
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK MC SM VA AD ME XK',
  USD: 'US EC SV PA PR',
  GBP: 'GB IM JE GG',
  CHF: 'CH LI',
  PLN: 'PL',
  CZK: 'CZ',
  HUF: 'HU',
  RON: 'RO',
  DKK: 'DK FO GL',
  SEK: 'SE',
  NOK: 'NO',
  ISK: 'IS',
  TRY: 'TR',
  UAH: 'UA',
  CAD: 'CA',
  AUD: 'AU',
  NZD: 'NZ',
  JPY: 'JP',
  CNY: 'CN',
  HKD: 'HK',
  TWD: 'TW',
  INR: 'IN',
  BRL: 'BR',
  MXN: 'MX',
  ARS: 'AR',
  CLP: 'CL',
  COP: 'CO',
  ZAR: 'ZA',
  EGP: 'EG',
  SAR: 'SA',
  AED: 'AE',
  MAD: 'MA',
}

const CURRENCIES: ReadonlyMap<string, string> = new Map(
  Object.entries(REGIONS).flatMap(([currency, regions]) => regions.split(' ').map((region) => [region, currency])),
)

/** The presets that an Accept-Language header suggests. */
export function presetsFrom(header: string | undefined): SetupPresets {
  const tags = acceptedTags(header ?? '')
  const language = tags.map(knownLanguage).find((known) => known !== '') ?? ''
  return { language, currency: currencyFor(tags[0] ?? '') }
}

/** The currency of the region of a tag, or else of most people who speak its language, as it is written there. */
function currencyFor(tag: string): SetupPresets['currency'] {
  if (!isTag(tag)) return undefined
  const locale = new Intl.Locale(tag)
  const currency = CURRENCIES.get(locale.maximize().region ?? '')
  if (currency === undefined) return undefined
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const parts = new Intl.NumberFormat(locale, style).formatToParts(1)
  const at = parts.findIndex(({ type }) => type === 'currency')
  const isFirst = at < parts.findIndex(({ type }) => type === 'integer')
  return { symbol: parts[at]?.value ?? currency, position: isFirst ? 'prefix' : 'postfix' }
}

/** Browsers also send `*`, and programs anything. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
