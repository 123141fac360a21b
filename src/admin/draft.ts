import { localeOf } from '../base/i18n/translate.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { flag } from './controls.ts'
import type { PageRequest } from './page-request.ts'

/** Why a form is shown: whether it was just saved, and whether it holds unsaved values. */
interface DraftState {
  readonly isSaved: boolean
  readonly isUnsaved: boolean
}

/** Script of the pages with forms whose drafts are stored, and of the pages after saving. */
export const DRAFT_SCRIPT = 'admin/draft.ts'

/** The place in a form where a script offers unsaved input. Drafts belong to the person who is signed in. */
export function draftKeeper(request: PageRequest, { isSaved, isUnsaved }: DraftState): Markup {
  const { t, incoming } = request
  const saved = isSaved ? savedAttribute(request) : NOTHING
  return html`<form-draft aria-live="polite" data-owner="${incoming.caller.id}" data-locale="${localeOf(incoming.language)}" data-offer="${t('admin.form.unsavedChanges')}" data-restore="${t('admin.restore')}" data-discard="${t('admin.discard')}"${saved}${flag('data-unsaved', isUnsaved)}></form-draft>${draftName(request)}`
}

/** The input for the name of the draft that a script stores when the form is sent; pages in between pass it on. */
export function draftName({ sent }: Pick<PageRequest, 'sent'>): Markup {
  return html`<input type="hidden" name="_draft" value="${nameOf(sent('_draft'))}">`
}

/** What a page without the form says when it follows a form that was saved: scripts forget the draft. */
export function savedDraft(request: PageRequest): Markup {
  return html`<form-draft${savedAttribute(request)}></form-draft>`
}

function savedAttribute({ query }: PageRequest): Markup {
  const name = nameOf(query('draft'))
  return name === '' ? NOTHING : html` data-saved="${name}"`
}

/** The parameter with the draft in the URL of the page after saving; '' where no script stores one. */
export function draftParameter({ sent }: Pick<PageRequest, 'sent'>): string {
  const name = nameOf(sent('_draft'))
  return name === '' ? '' : `&draft=${name}`
}

function nameOf(text: string): string {
  return /^[0-9a-z]{1,40}$/.test(text) ? text : ''
}
