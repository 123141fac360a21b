import { describedWith, type ImageUse, usesOfImages } from '../calendar/media/index.ts'
import { redirectsToImages } from '../calendar/redirects/store.ts'
import { isEditor } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { lineControl } from './controls.ts'
import { smallImage } from './event-parts.ts'
import { imageTexts } from './form-fields.ts'
import { objectsIn } from './form-values.ts'
import { FILE_SCRIPT, imageInput } from './image-input.ts'
import { adminPage, csrfField } from './layout.ts'
import { altForm, saveAlt, textOf } from './media-texts.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { pager } from './pager.ts'
import { refusalsOf } from './refusals.ts'
import { keyOf, restoreButton, trashedParameter } from './trash/moved.ts'

const PATH = '/admin/media'

/** The images that there are, and a form to upload one. */
export function mediaPage(bodyLimit: number): AdminPage {
  return { path: PATH, role: 'author', bodyLimit, show: (request) => page(request), submit }
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { incoming, deps, sent } = request
  if (sent('action') === 'delete') return remove(request)
  if (sent('action') === 'describe')
    return saveAlt(request).catch((error: unknown) => page(request, { refused: refusalsOf(request, error).summary }))
  const { upload } = incoming
  const query = { alt_text: sent('alt_text') }
  const path = '/kalends/v1/media'
  try {
    await deps.api(incoming, { method: 'POST', path, query, ...(upload !== undefined && { upload }) })
  } catch (error) {
    const { fields, summary } = refusalsOf(request, error)
    return page(request, fields['file'] === undefined ? { refused: summary } : { file: fields['file'] })
  }
  return redirect(`${PATH}?done=saved`)
}

/** What was refused: the file of the form, or the action. */
interface MediaRefusal {
  readonly file?: string
  readonly refused?: string
}

async function page(request: PageRequest, wrong?: MediaRefusal): Promise<PageResponse> {
  const { t, deps, incoming, query } = request
  const asked = { page: query('page') || '1', per_page: '24' }
  const reply = await deps.api(incoming, { path: '/kalends/v1/media', query: asked })
  const body = reply.body as RawInput
  const pictures = objectsIn(body['media'])
  const ids = pictures.map(({ id }) => Number(id))
  const uses = await usesOfImages(deps.storage, ids, incoming.caller)
  const old = await redirectsToImages(deps.storage, pictures.map(fileOf))
  const items = pictures.map((item) => imageOf(request, item, { all: uses, redirect: old.get(fileOf(item)) }))
  const file = lineControl(
    { name: 'file', label: t('fields.image'), hint: t('admin.form.imageTypes'), wrong: wrong?.file },
    { ...imageInput(request, deps.config.mediaLimit), required: true },
  )
  const alt = lineControl({
    name: 'alt_text',
    label: t('admin.altText'),
    value: request.sent('action') === '' ? request.sent('alt_text') : '',
    hint: t('admin.form.altTextHint'),
  })
  const drop = html`<p class="hint drop-hint" hidden>${t('admin.form.dropImage')}</p>`
  const form = html`<form class="box" method="post" action="${PATH}" enctype="multipart/form-data">${csrfField(request)}<div class="pair"><image-field ${imageTexts(request)}>${file}${drop}</image-field>${alt}</div><button>${t('admin.media.upload')}</button></form>`
  const done = { saved: t('admin.saved'), trash: t('admin.movedToTrash'), back: t('admin.restored') }[query('done')]
  const none = html`<div class="box empty"><h2>${t('admin.nothingHereYet')}</h2></div>`
  return adminPage(request, {
    status: wrong === undefined ? 200 : 400,
    title: t('common.media'),
    under: PATH,
    scripts: [FILE_SCRIPT, 'admin/image.ts'],
    body: html`${form}${items.length === 0 ? none : html`<ul class="pictures">${items}</ul>`}${pager(request, Number(body['total_pages'] ?? 1))}`,
    done: wrong === undefined ? done : undefined,
    refused: wrong?.refused,
    restore: await restoreButton(request),
  })
}

/** Uses that are named. */
const NAMED = 5

/** Name of the file of an image in its full size; '' where it has none. */
function fileOf(item: RawInput): string {
  const [image] = objectsIn(item['image'])
  return String(image?.['url'] ?? '')
    .split('/')
    .slice(-1)
    .join()
}

/** What uses images. */
interface Used {
  readonly all: readonly ImageUse[]
  /** An old path that a redirect leads from to the image; undefined for none. */
  readonly redirect: string | undefined
}

/** An image, what has it, and a button to delete it where nothing does. */
function imageOf(request: PageRequest, item: RawInput, { all, redirect: old }: Used): Markup {
  const { t, incoming, csrf } = request
  const id = Number(item['id'])
  const uses = all.filter(({ picture }) => picture === id)
  const links = uses
    .slice(0, NAMED)
    .map((use) => html`<li><a href="/admin/${use.collection}/${use.id}" dir="auto">${use.name || '–'}</a></li>\n`)
  const more = uses.length > NAMED ? html`<li>…</li>` : NOTHING
  const isOwn = isEditor(incoming.caller.role) || String(item['author']) === String(incoming.caller.id)
  const remove = isOwn
    ? html`<form method="post" action="${PATH}">${csrfField({ csrf })}<input type="hidden" name="id" value="${id}"><button class="bad small" name="action" value="delete" aria-describedby="picture-${id}">${t('admin.moveToTrash')}</button></form>`
    : NOTHING
  const path = old === undefined ? NOTHING : html`<li><code dir="ltr">${old}</code></li>`
  const used =
    uses.length === 0 && old === undefined
      ? html`<p class="quiet-text">${t('admin.media.notUsed')}</p>${remove}`
      : html`<p class="quiet-text">${t('admin.media.usedIn')}</p><ul>${links}${more}${path}</ul>`
  const alt = isOwn ? altForm(request, item) : NOTHING
  return html`<li><img src="${smallImage(item)}" alt="${textOf(item, 'alt_text')}" loading="lazy"><p class="quiet-text" id="picture-${id}" dir="auto">${textOf(item, 'title')}</p>${alt}${used}</li>\n`
}

/** Moves an image to the trash. */
async function remove(request: PageRequest): Promise<PageResponse> {
  const { t, deps, incoming, sent } = request
  const id = /^\d{1,15}$/.test(sent('id')) ? sent('id') : '0'
  const path = `/kalends/v1/media/${id}`
  const item = (await deps.api(incoming, { path })).body as RawInput
  const file = fileOf(item)
  const name = file === '' ? undefined : await describedWith(deps.storage, file)
  if (name !== undefined) return page(request, { refused: t('admin.media.usedInDescription', { title: name }) })
  const old = file === '' ? undefined : (await redirectsToImages(deps.storage, [file])).get(file)
  if (old !== undefined) return page(request, { refused: t('admin.media.usedByRedirect', { path: old }) })
  try {
    await deps.api(incoming, { method: 'DELETE', path })
  } catch (error) {
    return page(request, { refused: refusalsOf(request, error).summary })
  }
  return redirect(`${PATH}?done=trash&trashed=${trashedParameter([await keyOf(request, 'image', Number(id))])}`)
}
