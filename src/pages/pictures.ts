import { storedJson } from '../base/text/stored-json.ts'
import { MEDIA_PATH, type StoredSize, sizesOf } from '../calendar/shared/picture.ts'
import type { EntryColumns, MediaTable } from '../storage/schema.ts'
import type { Here } from './here.ts'
import { html, type Markup, NOTHING } from './html.ts'

/** One file of a picture; the measures are 0 where they are not known. */
interface PictureFile {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** A picture with its sizes, the largest first; undefined for none. */
export interface Picture {
  /** Text in its place, plain; '' where it says nothing that the page does not. */
  readonly alt: string
  readonly files: readonly [PictureFile, ...PictureFile[]]
}

/** The picture of an item: one of ours, or the recorded one of an import. */
export function pictureOf(
  row: Pick<EntryColumns, 'image_recorded'>,
  stored: MediaTable | undefined,
  { urls }: Pick<Here, 'urls'>,
): Picture | undefined {
  if (stored !== undefined) {
    const fileOf = ({ file, width, height }: Pick<StoredSize, 'file' | 'width' | 'height'>): PictureFile => ({
      url: urls.page(MEDIA_PATH + file),
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

/** How a picture is put on a page. */
export interface PictureStyle {
  /** How wide it is shown: `(max-width: 40rem) 100vw, 20rem`. */
  readonly sizes: string
  /** Whether it is seen at once. */
  readonly isFirst?: boolean
}

/** The element of a picture with the text that stands in its place. */
export function pictureElement(picture: Picture | undefined, { sizes, isFirst = false }: PictureStyle): Markup {
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
