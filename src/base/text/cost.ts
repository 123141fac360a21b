import { encodeText } from './entities.ts'
import { plainText } from './html.ts'
import { isFree, isZero, type Price, readPrices, SEPARATOR, startsFree } from './prices.ts'
import { slugify } from './slug.ts'

/** A cost as it is stored. */
export interface CostText {
  /** Plain text as sent, the parts of an array joined with `, `; `''` when there is no cost. */
  readonly text: string
  /** Currency as typed, such as `$` or `USD`; `''` when the text names none or several. */
  readonly symbol: string
  /** Where the currency stands; `''` without one. */
  readonly position: '' | 'prefix' | 'postfix'
}

/** A cost as it is answered, members in the order of the wire. */
export interface PresentedCost {
  /** What readers see: `''`, a text, one amount or `min – max`; an amount of zero is `Free`. */
  readonly cost: string
  readonly cost_details: {
    readonly currency_symbol: string
    /** Always `''` (wire: events 1.1). */
    readonly currency_code: string
    readonly currency_position: '' | 'prefix' | 'postfix'
    /** Decimal texts ascending by amount; the slug of a text without amounts (`['free']`); `[]` when there is no cost. */
    readonly values: readonly string[]
  }
}

/** The currency of amounts that name none. */
export interface SiteCurrency {
  readonly symbol: string
  readonly position: 'prefix' | 'postfix'
}

/** Longest cost text, in characters. */
const COST_LIMIT = 2000

/**
 * Reads a cost as sent: a text, a number or an array of those; null, `''` and `[]` are no cost. Not ok for other
 * shapes, for numbers that are not written in plain digits and for more than 2000 characters (decisions: Cost).
 */
export function readCost(value: unknown): { ok: true; cost: CostText } | { ok: false } {
  const parts = (Array.isArray(value) ? value : [value]).map(partText)
  const text = parts.filter((part) => part !== '').join(', ')
  if (parts.includes(undefined) || text.length > COST_LIMIT) return { ok: false }
  const { symbol, position } = readPrices(text)
  return { ok: true, cost: { text, symbol, position } }
}

/** The lowest and the highest amount of a cost, in whatever currency. */
export interface CostRange {
  readonly low: number
  readonly high: number
}

/**
 * The amounts of a stored cost. Words for free are zero: where they are one of several parts, and where a text without amounts
 * starts with them. Undefined for other texts without amounts, and for none.
 */
export function costRange(text: string): CostRange | undefined {
  const { prices } = readPrices(text)
  const [first] = prices
  if (first === undefined) return startsFree(text) ? { low: 0, high: 0 } : undefined
  const lowest = Number(first.value)
  const hasFreePart = text.split(SEPARATOR).some((part) => !/\d/.test(part) && isFree(part))
  return { low: hasFreePart ? Math.min(0, lowest) : lowest, high: Number((prices.at(-1) ?? first).value) }
}

/** The response form of a stored cost (wire: events 1.5; decisions: Cost). */
export function presentCost(stored: CostText, site: SiteCurrency): PresentedCost {
  const { symbol, position } = stored
  const details = { currency_symbol: encodeText(symbol), currency_code: '', currency_position: position }
  // Most events say nothing of what they cost.
  if (stored.text === '') return { cost: '', cost_details: { ...details, values: [] } }
  const { prices, mixed } = readPrices(stored.text)
  const currency = stored.symbol === '' || stored.position === '' ? site : stored
  const ends = [prices[0], ...prices.slice(1).slice(-1)].filter((price) => price !== undefined)
  // In several currencies there is no lowest amount: the text says it best.
  const shown = mixed || ends.length === 0 ? stored.text : ends.map((price) => amount(price, currency)).join(' – ')
  return {
    cost: encodeText(shown),
    cost_details: {
      ...details,
      values:
        prices.length > 0 ? prices.map((price) => price.value) : [slugify(stored.text)].filter((slug) => slug !== ''),
    },
  }
}

/** The plain text of one part, `''` for none, undefined if it is not a cost. */
function partText(part: unknown): string | undefined {
  if (part === null || part === undefined) return ''
  if (typeof part === 'string') return plainText(part)
  return typeof part === 'number' && /^-?[\d.]+$/.test(String(part)) ? String(part) : undefined
}

function amount(price: Price, currency: Pick<CostText, 'symbol' | 'position'>): string {
  if (isZero(price)) return 'Free'
  const sign = price.value.startsWith('-') ? '-' : ''
  return currency.position === 'prefix'
    ? `${sign}${currency.symbol}${price.typed}`
    : `${sign}${price.typed}${currency.symbol}`
}
