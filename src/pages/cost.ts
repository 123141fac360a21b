import { localeOf } from '../base/i18n/translate.ts'
import { isFree } from '../base/text/free-words.ts'
import { isCurrencyCode, isZero, type Price, type Prices, readPrices, SEPARATOR } from '../base/text/prices.ts'
import type { EventWithRelations } from '../calendar/events/index.ts'
import type { Site } from '../model/site.ts'
import type { PageContext } from './page-context.ts'

/** The codes of currencies that are known by one sign. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR', '₽': 'RUB', '₺': 'TRY', '₩': 'KRW', '₴': 'UAH', '₪': 'ILS' },
  ...{
    zł: 'PLN',
    kč: 'CZK',
    ft: 'HUF',
    r$: 'BRL',
    euro: 'EUR',
    euros: 'EUR',
    fr: 'CHF',
    sfr: 'CHF',
    円: 'JPY',
    元: 'CNY',
  },
}

/**
 * What an event costs as readers of a language write it; '' if unknown. Amounts that stand alone or beside a currency are
 * written anew, and words for nothing are said in the language; all other texts stay as they were written.
 */
export function costText(
  { row }: Pick<EventWithRelations, 'row'>,
  { site, context: { language, say } }: { readonly site: Pick<Site, 'currencySymbol'>; readonly context: PageContext },
): string {
  const { cost } = row
  if (isFree(cost)) return say('pages.free')
  const read = readPrices(cost)
  if (read.mixed || read.prices.length === 0 || !isAmountsAlone(cost, read)) return cost
  const format = formatOf(language, { symbol: read.symbol || site.currencySymbol, prices: read.prices })
  const [low, high] = [read.prices[0], read.prices.at(-1)].filter((price) => price !== undefined)
  if (low === undefined || high === undefined) return cost
  if (isZero(high)) return say('pages.free')
  if (low === high) return format.one(low)
  return isZero(low) ? `${say('pages.free')} – ${format.one(high)}` : format.range(low, high)
}

/** Whether a text has nothing but amounts and their currency. */
function isAmountsAlone(text: string, { symbol }: Prices): boolean {
  const rest = symbol === '' ? text : text.replaceAll(symbol, ' ')
  return rest.split(SEPARATOR).every((part) => isFree(part) || /^[\d\s.,'’-]*$/.test(part))
}

interface Money {
  /** As it was written: `€`, `EUR`. */
  readonly symbol: string
  readonly prices: readonly Price[]
}

/** Writes amounts of one currency. A sign whose currency is not known stands where that of euros would. */
function formatOf(language: string, { symbol, prices }: Money) {
  const isCode: boolean = isCurrencyCode(symbol)
  const code = isCode ? symbol.toUpperCase() : SIGNS[symbol.toLowerCase().replace(/\.$/, '')]
  const isWhole = prices.every(({ value }) => /^-?\d+(?:\.0*)?$/.test(value))
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency: code ?? 'EUR',
    currencyDisplay: 'narrowSymbol',
    ...(isWhole && { maximumFractionDigits: 0 }),
  })
  const written = (parts: readonly { readonly type: string; readonly value: string }[]): string =>
    parts.map(({ type, value }) => (type === 'currency' && code === undefined ? symbol : value)).join('')
  return {
    one: ({ value }: Price): string => written(format.formatToParts(Number(value))),
    range: (low: Price, high: Price): string =>
      written(format.formatRangeToParts(Number(low.value), Number(high.value))),
  }
}
