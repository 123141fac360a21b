import { decodeEntities } from '../base/text/entities.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup } from '../pages/html.ts'
import { sameAddress } from './address.ts'
import { flag } from './controls.ts'
import { csrfField } from './layout.ts'
import { type PageRequest, redirect } from './page-request.ts'

/** A text about an image as it was written: title and alternative text of the API are HTML. */
export function textOf(item: RawInput, member: 'title' | 'alt_text'): string {
  return decodeEntities(String(item[member] ?? ''))
}

/** A form for the alternative text of an image, which is open if there is none yet. */
export function altForm(request: PageRequest, item: RawInput): Markup {
  const { t } = request
  const id = String(item['id'])
  const alt = textOf(item, 'alt_text')
  const label = t('admin.altText')
  return html`<details class="alt"${flag('open', alt === '')}><summary>${label}</summary><form method="post" action="${sameAddress(request)}">${csrfField(request)}<input type="hidden" name="id" value="${id}"><input name="alt_text" value="${alt}" aria-label="${label}" aria-describedby="picture-${id}" dir="auto"><button class="second small" name="action" value="describe">${t('admin.save')}</button></form></details>`
}

/** Says what an image shows. @throws what the API refuses */
export async function setAlt({ deps, incoming }: PageRequest, id: string, alt: string): Promise<void> {
  const path = `/wp/v2/media/${/^\d{1,15}$/.test(id) ? id : '0'}`
  await deps.api(incoming, { method: 'POST', path, body: { alt_text: alt } })
}

/** Saves the alternative text of an image; the same list follows. @throws what the API refuses */
export async function saveAlt(request: PageRequest): Promise<PageResponse> {
  await setAlt(request, request.sent('id'), request.sent('alt_text').trim())
  return redirect(sameAddress(request, { done: 'saved' }))
}
