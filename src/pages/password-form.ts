import type { EventRow } from '../calendar/events/index.ts'
import { CSRF_FIELD } from '../http/request/cross-origin.ts'
import { titleOf } from './cards.ts'
import { inOwnLanguage, statusNote } from './content.ts'
import { time } from './dates.ts'
import { html, type Markup, NOTHING, when } from './html.ts'
import type { PageContext } from './page-context.ts'
import type { ShownEvent } from './shown-event.ts'

/** Why a password did not open its event: none was sent, or another one than that of the event. */
export type PasswordFault = 'empty' | 'wrong'

/** What the form says beside its event. */
export interface PasswordAsked {
  /** The event as it is stored. */
  readonly row: EventRow
  /** Path of the page, to which the form is sent. */
  readonly path: string
  /** What was wrong with the password that was sent; absent where none was. */
  readonly fault?: PasswordFault | undefined
}

/** The page of a protected event for someone who has not opened it: what lists show of it, and the form for its password. */
export function closedBody({ event, context, incoming }: ShownEvent, { row, path, fault }: PasswordAsked): Markup {
  const { say } = context
  const token = incoming.csrf ?? ''
  return html`<article class="event">
<h1>${inOwnLanguage(titleOf(event, context), row.language)}</h1>
${statusNote(row.status, context)}<p class="when">${time(context, row)}</p>
<p class="note">${say('pages.isProtected')}</p>
<form class="submit" method="post" action="${context.link(path)}">${when(token !== '', () => html`<input type="hidden" name="${CSRF_FIELD}" value="${token}">`)}
<div class="field"><label for="password">${say('common.password')}</label><input id="password" type="password" name="password" autocomplete="off" required${faultAttributes(fault)}>${faultNote(fault, context)}</div>
<button>${say('common.viewEvent')}</button>
</form>
</article>`
}

/** After a fault the field has the focus, and is read out with its message. */
function faultAttributes(fault: PasswordFault | undefined): Markup {
  return fault === undefined ? NOTHING : html` aria-invalid="true" aria-describedby="password-wrong" autofocus`
}

function faultNote(fault: PasswordFault | undefined, { say }: PageContext): Markup {
  if (fault === undefined) return NOTHING
  const text = say(fault === 'empty' ? 'common.required' : 'pages.wrongPassword')
  return html`<p class="wrong" id="password-wrong">${text}</p>`
}
