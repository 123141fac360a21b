import { localeOf } from '../base/i18n/translate.ts'
import { isCurrencyCode, isFree, isZero, type Price, type Prices, readPrices, SEPARATOR } from '../base/text/prices.ts'
import { storedJson } from '../base/text/stored-json.ts'
import type { EventRow, EventWithRelations } from '../calendar/events/index.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { MEDIA_PATH, type StoredSize, sizesOf } from '../calendar/shared/stored-image.ts'
import { COLORS } from '../model/color.ts'
import type { Site } from '../model/site.ts'
import type { EntryColumns, MediaTable, TermTable } from '../storage/schema.ts'
import { betweenDayAndTime, clock, dayIn, lastDay } from './dates.ts'
import { html, type Markup, NOTHING } from './html.ts'
import type { PageContext } from './page-context.ts'

/** Class of the color of a category: the chosen one, or else that of its own. */
export function categoryColour({ color, shade }: Pick<TermTable, 'color' | 'shade'>): string {
  const chosen = COLORS.findIndex((one) => one === color)
  return `c${chosen < 0 ? shade : chosen + 1}`
}

/** Class of the color of an event: that of its first category. A name always stands beside it. */
export function colourOf({ categories: [category] }: Pick<EventWithRelations, 'categories'>): string {
  return category === undefined ? 'c0' : categoryColour(category)
}

/** The title of an event, and something in its place where it has none. */
export function titleOf({ row }: { readonly row: Pick<EventRow, 'title'> }, { say }: PageContext): string {
  return row.title.trim() || say('common.untitledEvent')
}

/** Address of the page of an event, in the language of this page. */
export function addressOf({ row }: { readonly row: Parameters<typeof pageUrl>[1] }, context: PageContext): string {
  return context.to(pageUrl('event', row, context.urls))
}

/** The venue of an event with its city; '' when it has none. */
export function placeText({ venues }: Pick<EventWithRelations, 'venues'>, { say }: PageContext): string {
  return venues
    .map(({ name, city }) =>
      [name.trim() || say('pages.unnamedVenue'), city.trim()].filter((part) => part !== '').join(', '),
    )
    .join(' · ')
}

/** The day of an event and its time in short: `Tue 24 Nov, 18:00`; the first and the last of several days. */
export function dateText({ row }: Pick<EventWithRelations, 'row'>, context: PageContext): string {
  const from = dayIn(context.language, 'medium', row.start_local.slice(0, 10))
  const last = lastDay(row)
  if (last !== row.start_local.slice(0, 10)) return `${from} – ${dayIn(context.language, 'medium', last)}`
  return row.all_day === 1 ? from : `${from}${betweenDayAndTime(context.language)}${clock(row.start_local)}`
}

/** One file of an image; the measures are 0 where they are not known. */
interface ImageFile {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** An image with its sizes, the largest first; undefined for none. */
export interface ShownImage {
  /** Text in its place, plain; '' where it says nothing that the page does not. */
  readonly alt: string
  readonly files: readonly [ImageFile, ...ImageFile[]]
}

/** The image of an item: one of ours, or the recorded one of an import. */
export function imageOf(
  row: Pick<EntryColumns, 'image_recorded'>,
  stored: MediaTable | undefined,
  { urls, local }: Pick<PageContext, 'urls' | 'local'>,
): ShownImage | undefined {
  if (stored !== undefined) {
    const fileOf = ({ file, width, height }: Pick<StoredSize, 'file' | 'width' | 'height'>): ImageFile => ({
      url: local(urls.page(MEDIA_PATH + file)),
      width,
      height,
    })
    const smaller = sizesOf(stored).flatMap(([, size]) => (isSameShape(size, stored) ? [fileOf(size)] : []))
    return { alt: stored.alt, files: [fileOf(stored), ...smaller.sort((one, other) => other.width - one.width)] }
  }
  const recorded = row.image_recorded === null ? {} : storedJson<Readonly<Record<string, unknown>>>(row.image_recorded)
  const address = recorded['url']
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return undefined
  return { alt: '', files: [{ url: address, width: measure(recorded['width']), height: measure(recorded['height']) }] }
}

function measure(value: unknown): number {
  const number = Number(value)
  return Number.isInteger(number) && number > 0 && number < 100_000 ? number : 0
}

/** Cropped sizes show something else. */
function isSameShape(size: { width: number; height: number }, whole: { width: number; height: number }): boolean {
  return Math.abs(size.width / size.height - whole.width / whole.height) < 0.03
}

/** How an image is put on a page. */
interface ImageStyle {
  /** How wide it is shown: `(max-width: 40rem) 100vw, 20rem`. */
  readonly sizes: string
  /** Whether it is seen at once. */
  readonly isFirst?: boolean
}

/** The element of an image with the text that stands in its place. */
export function imageElement(picture: ShownImage | undefined, { sizes, isFirst = false }: ImageStyle): Markup {
  if (picture === undefined) return NOTHING
  const { files } = picture
  const shown = files.find(({ width }) => width <= 1100) ?? files[0]
  const measures =
    shown.width > 0 && shown.height > 0 ? html` width="${shown.width}" height="${shown.height}"` : NOTHING
  const set = files.filter(({ width }) => width > 0).map(({ url, width }) => `${url} ${width}w`)
  const choice = set.length > 1 ? html` srcset="${set.join(', ')}" sizes="${sizes}"` : NOTHING
  const loading = isFirst ? html` fetchpriority="high"` : html` loading="lazy"`
  return html`<img src="${shown.url}"${choice}${measures}${loading} decoding="async" alt="${picture.alt}">`
}

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

/** An image as it is, whatever its shape, before its own blurred copy; it leads to the file. Nothing for none. `sizes` is how wide it is shown. */
export function wholeImage(image: ShownImage | undefined, { say }: PageContext, sizes: string): Markup {
  if (image === undefined) return NOTHING
  const [whole] = image.files
  const back = image.files.at(-1) ?? whole
  const shown = imageElement(image, { sizes, isFirst: true })
  return html`<figure class="pic"><img class="back" src="${back.url}" alt="" decoding="async"><a href="${whole.url}">${shown}<span class="vh">${say('pages.openImage')}</span></a></figure>
`
}
