import { html, type Markup } from '../web/html.ts'
import type { Asking } from './asking.ts'
import { flag } from './controls.ts'

/** What a form is shown for: whether it was just saved, and whether it holds what is not saved. */
interface DraftState {
  readonly isSaved: boolean
  readonly isUnsaved: boolean
}

/** The place in a form where a script offers what was typed and not saved. Drafts belong to the person who is signed in. */
export function draftKeeper({ t, incoming }: Asking, { isSaved, isUnsaved }: DraftState): Markup {
  return html`<form-draft aria-live="polite" data-owner="${incoming.caller.id}" data-offer="${t('Changes of {time} were not saved.')}" data-restore="${t('Bring them back')}" data-discard="${t('Discard them')}"${flag('data-saved', isSaved)}${flag('data-unsaved', isUnsaved)}></form-draft>`
}
