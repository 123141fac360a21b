import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html } from '../web/html.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { lineControl } from './controls.ts'
import { smallPicture } from './event-parts.ts'
import { pictureTexts } from './form-fields.ts'
import { objectsIn } from './form-values.ts'
import { adminPage, csrfField } from './layout.ts'
import { pager } from './pager.ts'
import { refusalsOf } from './refusals.ts'

const PATH = '/admin/media'

/** The pictures that there are, and a form to upload one. */
export function mediaPage(bodyLimit: number): AdminPage {
  return { path: PATH, role: 'author', bodyLimit, show: (asking) => page(asking), submit }
}

async function submit(asking: Asking): Promise<PageResponse> {
  const { incoming, parts, sent } = asking
  const { upload } = incoming
  const query = { alt_text: sent('alt_text') }
  const path = '/kalends/v1/media'
  try {
    await parts.api(incoming, { method: 'POST', path, query, ...(upload !== undefined && { upload }) })
  } catch (error) {
    const { fields, summary } = refusalsOf(asking, error)
    return page(asking, fields['file'] ?? summary)
  }
  return redirect(`${PATH}?done=saved`)
}

async function page(asking: Asking, wrong?: string): Promise<PageResponse> {
  const { t, parts, incoming, query } = asking
  const asked = { page: query('page') || '1', per_page: '24' }
  const reply = await parts.api(incoming, { path: '/kalends/v1/media', query: asked })
  const body = reply.body as RawInput
  const items = objectsIn(body['media']).map((item) => {
    const alt = String(item['alt_text'] ?? '')
    return html`<li><img src="${smallPicture(item)}" alt="${alt}" loading="lazy"><p class="quiet-text">${String(item['title'] ?? '')}</p></li>\n`
  })
  const file = lineControl(
    { name: 'file', label: t('Picture'), hint: t('JPEG, PNG, WebP, GIF or AVIF.'), wrong },
    { type: 'file', accept: 'image/*', required: true },
  )
  const alt = lineControl({
    name: 'alt_text',
    label: t('Alternative text'),
    value: asking.sent('alt_text'),
    hint: t('What it shows, for people who do not see it.'),
  })
  const drop = html`<p class="hint drop-hint" hidden>${t('Or drop or paste it here.')}</p>`
  const form = html`<form class="box" method="post" action="${PATH}" enctype="multipart/form-data">${csrfField(asking)}<div class="pair"><picture-field ${pictureTexts(asking)}>${file}${drop}</picture-field>${alt}</div><button>${t('Upload')}</button></form>`
  const none = html`<div class="box empty"><h2>${t('Nothing here yet')}</h2></div>`
  return adminPage(asking, {
    status: wrong === undefined ? 200 : 400,
    title: t('Media'),
    under: PATH,
    scripts: ['admin/picture.ts'],
    body: html`${form}${items.length === 0 ? none : html`<ul class="pictures">${items}</ul>`}${pager(asking, Number(body['total_pages'] ?? 1))}`,
    ...(query('done') === 'saved' && wrong === undefined && { done: t('Saved') }),
  })
}
