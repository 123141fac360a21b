// Links and images of the editor: what they are is asked for in a dialog.
import type { Mark } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { ask } from './ask.ts'
import { insert } from './commands.ts'
import { attributesOf } from './schema.ts'

/** Texts of the editor in the language of the page, by their English ones. */
export type RichTexts = (text: string) => string

/** What the dialogs need of the page. */
export interface RichPage {
  readonly t: RichTexts
  /** Token of the session, for files that are uploaded. */
  readonly csrf: string
  readonly mayUpload: boolean
}

/** An address as people type it, with its scheme; '' for none. */
function completeAddress(typed: string): string {
  const text = typed.trim()
  if (text === '' || /^([a-z][a-z0-9+.-]*:|[/?#])/i.test(text)) return text
  return /^[^\s/@]+@[^\s/@]+$/.test(text) ? `mailto:${text}` : `https://${text}`
}

/** The link at the selection with its ends. */
function linkAt({
  state,
}: EditorView): { readonly mark: Mark; readonly from: number; readonly to: number } | undefined {
  const { $from, from, to, empty } = state.selection
  const type = state.schema.marks['a']
  const found = type?.isInSet($from.marks()) ?? (empty ? undefined : type?.isInSet($from.nodeAfter?.marks ?? []))
  if (found === undefined) return undefined
  if (!empty) return { mark: found, from, to }
  let [start, end] = [$from.index(), $from.indexAfter()]
  const { parent } = $from
  while (start > 0 && found.isInSet(parent.child(start - 1).marks)) start -= 1
  while (end < parent.childCount && found.isInSet(parent.child(end).marks)) end += 1
  const sizeTo = (index: number): number =>
    parent.content.content.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, $from.start())
  return { mark: found, from: sizeTo(start), to: sizeTo(end) }
}

/** Turns the selection into a link, changes the one at the cursor or removes it. */
export async function editLink(view: EditorView, { t }: RichPage): Promise<void> {
  const type = view.state.schema.marks['a']
  if (type === undefined) return
  const present = linkAt(view)
  const href = attributesOf(present?.mark ?? { attrs: {} }).find(([name]) => name === 'href')?.[1] ?? ''
  const answer = await ask(t, {
    title: t('admin.editor.link'),
    fields: [{ name: 'href', label: t('admin.editor.url'), value: href, type: 'text' }],
    confirm: t('admin.editor.apply'),
    ...(present !== undefined && { remove: t('admin.editor.removeLink') }),
  })
  view.focus()
  if (answer === undefined) return
  const { from, to, empty } = view.state.selection
  const address = completeAddress(String(answer.get('href') ?? ''))
  const { tr } = view.state
  if (present !== undefined) tr.removeMark(present.from, present.to, present.mark)
  if (address !== '' && !answer.has('remove')) {
    const others = attributesOf(present?.mark ?? { attrs: {} }).filter(([name]) => name !== 'href')
    const mark = type.create({ written: [['href', address], ...others] })
    if (present !== undefined) tr.addMark(present.from, present.to, mark)
    else if (empty) tr.insert(from, view.state.schema.text(address, [mark]))
    else tr.addMark(from, to, mark)
  }
  view.dispatch(tr.scrollIntoView())
}

/** Puts an image in place of the selection: one that has an address, or a file that is uploaded. */
export async function addImage(view: EditorView, { t, csrf, mayUpload }: RichPage): Promise<void> {
  let added: Readonly<Record<string, string>> = {}
  const answer = await ask(t, {
    title: t('admin.editor.image'),
    fields: [
      ...(mayUpload ? [{ name: 'file', label: t('admin.editor.file'), value: '', type: 'file' }] : []),
      { name: 'src', label: mayUpload ? t('admin.editor.orUrl') : t('admin.editor.url'), value: '', type: 'text' },
      { name: 'alt', label: t('admin.editor.altText'), value: '', type: 'text' },
    ],
    confirm: t('admin.editor.insert'),
    attempt: async (form) => {
      const file = form.get('file')
      const alt = String(form.get('alt') ?? '')
      if (file instanceof File && file.size > 0) added = await upload(file, { alt, csrf, t })
      else added = { src: completeAddress(String(form.get('src') ?? '')), alt }
      if (added['src'] === '') throw new Error(t('admin.editor.required'))
    },
  })
  view.focus()
  if (answer === undefined) return
  insert(view.state.schema.nodes['img'], { written: Object.entries(added) })(view.state, view.dispatch)
}

/** @throws Error with a text for people */
async function upload(
  file: File,
  { alt, csrf, t }: { readonly alt: string; readonly csrf: string; readonly t: RichTexts },
): Promise<Readonly<Record<string, string>>> {
  const body = new FormData()
  body.append('alt_text', alt)
  body.append('file', file)
  const lang = encodeURIComponent(document.documentElement.lang)
  const response = await fetch(new URL(`../kalends/v1/media?lang=${lang}`, import.meta.url), {
    method: 'POST',
    headers: { 'X-Kalends-CSRF': csrf },
    body,
  }).catch(() => undefined)
  if (response === undefined) throw new Error(t('admin.editor.offline'))
  const told = (await response.json().catch(() => ({}))) as {
    readonly message?: string
    readonly image?: { readonly url?: string; readonly width?: number; readonly height?: number }
  }
  const { url, width, height } = told.image ?? {}
  if (!response.ok || url === undefined) throw new Error(told.message ?? `HTTP ${response.status}`)
  return { src: url, alt, ...(width && height && { width: String(width), height: String(height) }) }
}
