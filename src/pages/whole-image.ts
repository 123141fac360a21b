import { imageElement, type ShownImage } from './cards.ts'
import { html, type Markup, NOTHING } from './html.ts'
import type { PageContext } from './page-context.ts'

/** An image as it is, whatever its shape, before its own blurred copy; it leads to the file. Nothing for none. `sizes` is how wide it is shown. */
export function wholeImage(image: ShownImage | undefined, { say }: PageContext, sizes: string): Markup {
  if (image === undefined) return NOTHING
  const [whole] = image.files
  const back = image.files.at(-1) ?? whole
  const shown = imageElement(image, { sizes, isFirst: true })
  return html`<figure class="pic"><img class="back" src="${back.url}" alt="" decoding="async"><a href="${whole.url}">${shown}<span class="vh">${say('pages.openImage')}</span></a></figure>
`
}
