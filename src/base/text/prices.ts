import { fold } from './fold.ts'

/** One amount in a cost text. */
export interface Price {
  /** Decimal text with a point and without thousands separators, decimals as typed: `'1000.50'`, `'-5'`. */
  readonly value: string
  /** The digits as typed, without sign: `'1,000.50'`. */
  readonly typed: string
}

/** What a cost text says. */
export interface Prices {
  /** Ascending by amount, equal amounts once; `[]` for a text without an amount (`Free`, `10% off`). */
  readonly prices: readonly Price[]
  /** The currency as typed, `''` when the text names none or several. */
  readonly symbol: string
  /** Where the symbol stands; `''` without symbol. */
  readonly position: '' | 'prefix' | 'postfix'
  /** True when the amounts are in different currencies. */
  readonly mixed: boolean
}

/** Digits with the separators that people write in numbers; a space counts only before exactly three digits. */
const NUMBER = /(?:(?<![\p{L}\p{N}.,])\.)?\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*/gu

/** What stands between two prices: a dash, a comma, a word. */
export const SEPARATOR = /\s*[,;/|\n–—~-]+\s*|\s+(?:or|to|and|bis|oder|und|ou|à|o|y|e|al?)\s+/giu

/** Codes of ISO 4217 in capitals (`all` and `try` are words), and the abbreviations that are written beside amounts. */
const CODE_LIST = Intl.supportedValuesOf('currency')
const CODES = CODE_LIST.join('|')
const NAMES = 'kr|kč|zł|ft|lei|лв|грн|руб|р|din|rs|fr|sfr|rm|rp|euros?|dollars?|pounds?|円|元|圆|원'
const NAME = `(?:${CODES}|(?i:${NAMES}))`
const BEFORE = new RegExp(`(?<![\\p{L}\\p{M}])(?:\\p{L}{1,3}\\p{Sc}|${NAME}\\.?)$|\\p{Sc}$`, 'u')
const AFTER = new RegExp(`^(?:\\p{L}{0,3}\\p{Sc}|${NAME}(?![\\p{L}\\p{M}])\\.?)`, 'u')
const WORD = /^\p{L}[\p{L}\p{M}]*\.?$/u
const CAPITALS = /^\p{Lu}{1,4}$/u

/** A minus sign, as against a dash between prices: first in the text, or spaced behind another separator. */
const FIRST_MINUS = /^\s*[-−](?:[^\s\d-]{1,8}\s?)?$/u
const LATER_MINUS = /[,;/|–—-]\s+[-−](?:[^\s\d-]{1,8}\s?)?$/u

/** Separators between digits, those first that rather end a number than group its digits. */
const INNER = [' ', '\u00a0', '\u202f', "'", '’', ',', '.']

interface Place {
  readonly typed: string
  readonly start: number
  readonly end: number
}

type Mark = Pick<Prices, 'symbol' | 'position'>

const NO_MARK: Mark = { symbol: '', position: '' }

/** What was read of a text is kept for so many texts of at most so many characters: most costs say what others say. */
const KEPT = { texts: 1_000, characters: 40 } as const

const known = new Map<string, Prices>()

/** Reads the amounts and the currency of a cost text (wire: events 1.5; decisions: Cost). */
export function readPrices(text: string): Prices {
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const prices = pricesIn(text)
  if (text.length > KEPT.characters) return prices
  if (known.size >= KEPT.texts) known.clear()
  known.set(text, prices)
  return prices
}

function pricesIn(text: string): Prices {
  const amounts = Array.from(text.matchAll(NUMBER))
    .flatMap((match) => places(match[0], match.index))
    .filter((place) => !/^\s?%/.test(text.slice(place.end, place.end + 2)))
  if (amounts.length === 0) return { prices: [], ...NO_MARK, mixed: false }
  const marks: Mark[] = []
  const prices = freePart(text)
  amounts.forEach((place, index) => {
    const before = text.slice(amounts[index - 1]?.end ?? 0, place.start)
    const after = text.slice(place.end, amounts[index + 1]?.start ?? text.length)
    const negative = (index === 0 ? FIRST_MINUS : LATER_MINUS).test(before)
    prices.push(priceOf(place.typed, negative ? '-' : ''))
    marks.push(markOf(before, after, amounts.length))
  })
  const named = marks.filter((mark) => mark.symbol !== '')
  const mixed = new Set(named.map((mark) => mark.symbol.toLowerCase())).size > 1
  return { prices: ordered(prices), ...((mixed ? undefined : named[0]) ?? NO_MARK), mixed }
}

/** The numbers in digits with separators: one if they read as one (`1,000.50`), else one for each part (`10,20,30`). */
function places(typed: string, start: number): Place[] {
  const inner = INNER.find((separator) => typed.includes(separator, 1))
  if (decimal(typed) !== undefined || inner === undefined) return [{ typed, start, end: start + typed.length }]
  let at = start
  return typed.split(inner).flatMap((part) => {
    const found = places(part, at)
    at += part.length + 1
    return found
  })
}

/** Digits with separators as decimal text, undefined when they are no single number. */
function decimal(typed: string): string | undefined {
  if (isGrouped(typed) || /^\d+$/.test(typed)) return digits(typed)
  const mark = Math.max(typed.lastIndexOf('.'), typed.lastIndexOf(','))
  const whole = typed.slice(0, Math.max(mark, 0))
  const decimals = typed.slice(mark + 1)
  if (mark < 0 || !/^\d+$/.test(decimals) || !(/^\d*$/.test(whole) || isGrouped(whole))) return undefined
  // The mark of the decimals is never the mark that groups the digits before it.
  return whole.includes(typed.charAt(mark)) ? undefined : `${digits(whole)}.${decimals}`
}

/** Digits in groups of three, or of two before the last three as in India; never from a leading zero. */
function isGrouped(typed: string): boolean {
  return (
    /^[1-9]\d{0,2}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*$/.test(typed) || /^[1-9]\d?(?:,\d\d)+,\d{3}$/.test(typed)
  )
}

function digits(typed: string): string {
  return typed.replace(/\D/g, '').replace(/^0*(?=\d)/, '') || '0'
}

function priceOf(typed: string, sign: '' | '-'): Price {
  const full = typed.startsWith('.') ? `0${typed}` : typed
  return { value: sign + (decimal(full) ?? digits(full)), typed: full }
}

/** The currency beside an amount, from the text before and behind it up to the neighboring amounts. */
function markOf(before: string, after: string, amounts: number): Mark {
  const ahead = before.split(SEPARATOR).at(-1)?.trim() ?? ''
  const behind = after.split(SEPARATOR)[0]?.trim() ?? ''
  const prefix = BEFORE.exec(ahead)?.[0]
  if (prefix !== undefined) return { symbol: prefix, position: 'prefix' }
  const postfix = AFTER.exec(behind)?.[0]
  if (postfix !== undefined) return { symbol: postfix, position: 'postfix' }
  // A word of its own is a unit too (`15 points`), in more words it is a remark (`5 at the door`).
  if (amounts === 1 && ahead === '' && WORD.test(behind)) return { symbol: behind, position: 'postfix' }
  if (amounts === 1 && behind === '' && CAPITALS.test(ahead)) return { symbol: ahead, position: 'prefix' }
  return NO_MARK
}

const KNOWN_CODES: ReadonlySet<string> = new Set(CODE_LIST)

/** True for a currency code of ISO 4217 in any letter case. */
export function isCurrencyCode(value: unknown): value is string {
  return typeof value === 'string' && KNOWN_CODES.has(value.toUpperCase())
}

/** True for an amount of zero, however it is written. */
export function isZero(price: Price): boolean {
  return !/[1-9]/.test(price.value)
}

/** A part that says just `free` beside other prices is a price of zero. */
function freePart(text: string): Price[] {
  return text.split(SEPARATOR).some((part) => fold(part) === 'free') ? [{ value: '0', typed: '0' }] : []
}

function ordered(prices: readonly Price[]): Price[] {
  const sorted = prices.toSorted((a, b) => compare(a.value, b.value))
  return sorted.filter((price, index) => index === 0 || compare(sorted[index - 1]?.value ?? '', price.value) !== 0)
}

/** Compares decimal texts by amount, exactly however long they are. */
function compare(a: string, b: string): number {
  const decimals = Math.max(fraction(a).length, fraction(b).length)
  const difference = scaled(a, decimals) - scaled(b, decimals)
  return difference < 0n ? -1 : Number(difference > 0n)
}

function fraction(value: string): string {
  return value.split('.')[1] ?? ''
}

function scaled(value: string, decimals: number): bigint {
  const digits = BigInt(value.replace(/[-.]/g, '') + '0'.repeat(decimals - fraction(value).length))
  return value.startsWith('-') ? -digits : digits
}

/** What people write for nothing in the languages of Kalends; further words may follow. */
const FREE = [
  ...['free', 'no charge', 'no cost', 'no cover', 'without charge', 'complimentary'],
  ...['kostenlos', 'kostenlose', 'kostenloser', 'kostenfrei', 'kostenfreie', 'kostenfreier', 'unentgeltlich'],
  ...['umsonst', 'freier Eintritt', 'freie Teilnahme', 'gratis', 'gratuit', 'gratuite', 'gratuitement', 'gratuito'],
  ...['gratuita', 'sin costo', 'sin coste', 'grátis', 'sem custo', 'kosteloos', 'vrije toegang', 'vrije entree'],
  ...['bezpłatny', 'bezpłatne', 'bezpłatna', 'bezpłatnie', 'nieodpłatnie', 'darmowy', 'darmowe', 'darmowa', 'za darmo'],
  ...['مجاني', 'مجانية', 'مجانا', 'بالمجان', 'بدون رسوم'],
]

/** The same in scripts without spaces, where any letter may follow. */
const FREE_UNSPACED = ['無料', '免费', '免費']

/** What one pays for elsewhere. It may stand before a word for nothing. */
const ADMISSION = [
  ...['admission', 'entry', 'entrance', 'Eintritt', 'Teilnahme', 'entrée', 'accès', 'entrada', 'acceso', 'ingresso'],
  ...['entrata', 'accesso', 'partecipazione', 'toegang', 'deelname', 'acesso', 'wstęp', 'udział', 'الدخول', 'دخول'],
  ...['入場', '入場料', '参加', '参加費', '観覧', '入场'],
]

/** Words that mean nothing to pay behind those only. */
const OPEN = ['frei', 'libre', 'libero', 'libera', 'vrij', 'livre', 'franca', 'wolny', 'حر']

/** Who attends for nothing, and no one else. */
const FOR = ['for', 'für', 'pour', 'para', 'per', 'voor', 'dla']
const EVERYBODY = ['all', 'every', 'tout', 'tous', 'tod', 'tutt', 'ieder', 'wszyst', 'kazd']

const anyOf = (words: readonly string[]): string => `(?:${words.map(fold).join('|')})`

/** Text is folded, so that a word ends where no letter follows. */
const END = '(?![\\p{L}\\p{M}\\p{N}])'
const NOTHING = `(?:${anyOf(FREE)}${END}|${anyOf(FREE_UNSPACED)})`
const ARTICLE = "(?:(?:the|der|die|la|el|a|o|de|het) |l['’])?"
const JOINT = '(?:\\s*[:–—-]?\\s*|\\s+(?:is|ist|est|es|e|jest)\\s+|は)'
const ADMITTED = `${ARTICLE}${anyOf(ADMISSION)}${JOINT}(?:${NOTHING}|${anyOf(OPEN)}${END})`
const SAYS_FREE = `(?:${NOTHING}|${ADMITTED})`
const NOT_FOR_ALL = `(?!\\s+(?:will|${anyOf(FOR)}\\s+(?!${anyOf(EVERYBODY)})))`

const STARTS_FREE = new RegExp(`^[^\\p{L}\\p{N}]*${SAYS_FREE}${NOT_FOR_ALL}`, 'u')
const IS_FREE = new RegExp(`^(?:frei|${SAYS_FREE}(?: ${anyOf(ADMISSION)}| of charge)?)$`, 'u')

/** Whether a text without amounts says that all attend for nothing: it starts with words for that (`Free admission`). */
export function startsFree(text: string): boolean {
  return STARTS_FREE.test(fold(text)) || isFree(text)
}

/** Whether a text says just that, such as one of several costs. */
export function isFree(text: string): boolean {
  return IS_FREE.test(fold(text))
}
