import { messagesUnder } from '../base/i18n/translate.ts'
import { isBlock, isVoid, POST_ELEMENTS } from '../base/text/html-vocabulary.ts'
import { mayUpload } from '../http/auth/rights.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { type ControlParts, textControl } from './controls.ts'
import type { PageRequest } from './page-request.ts'

/** Script of the pages whose forms have a description. */
export const RICH_TEXT_SCRIPT = 'admin/rich-text.ts'

/** Blocks with running text, and those with other blocks in them; every other block stays as it was written. */
const TEXTS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre']
const CONTAINERS = 'blockquote ul ol div section article aside header footer address main nav hgroup'.split(' ')

/** Elements within running text that the editor does not look into. */
const KEPT_INLINE = ['audio', 'iframe', 'ruby', 'video']

const NAMES = Object.keys(POST_ELEMENTS)
const BLOCKS = NAMES.filter(isBlock)
const EDITED = new Set([...TEXTS, ...CONTAINERS, 'li', 'hr'])
const WITHIN_OTHERS = ['rp', 'rt']

/** What the editor makes its schema of: the elements that the server stores. */
const VOCABULARY = JSON.stringify({
  inline: NAMES.filter(
    (name) => !isBlock(name) && !isVoid(name) && !KEPT_INLINE.includes(name) && !WITHIN_OTHERS.includes(name),
  ),
  texts: TEXTS,
  containers: CONTAINERS,
  kept: BLOCKS.filter((name) => !EDITED.has(name)),
  keptInline: KEPT_INLINE,
  blocks: BLOCKS,
})

/** How text is written without the editor. */
export function htmlHint({ t }: PageRequest): string {
  return t('admin.editor.plainHint')
}

/** A description: a control of several lines, in whose place scripts put an editor. */
export function richTextControl(request: PageRequest, parts: ControlParts): Markup {
  const { incoming } = request
  const texts = JSON.stringify(messagesUnder(incoming.language, 'admin.editor.'))
  const upload = mayUpload(incoming.caller.role) ? html` data-upload` : NOTHING
  const control = textControl({ ...parts, hint: htmlHint(request) })
  return html`<rich-text data-vocabulary="${VOCABULARY}" data-texts="${texts}"${upload}>${control}</rich-text>`
}
