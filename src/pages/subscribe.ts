import { queryText } from '../http/address.ts'
import { html, type Markup } from './html.ts'
import { icon } from './icons.ts'
import type { PageContext } from './page-context.ts'

/** What a menu subscribes to. */
export interface Subscribable {
  /** Absolute address of the iCalendar file. */
  readonly file: string
  /** What is subscribed to, plain text: `Jazz`. */
  readonly name: string
}

/**
 * The menu by which people add events to their calendar for good: each app has an address of its own for that, and all others
 * take that of the file. Without scripts the button is the summary of the menu.
 */
export function subscribeMenu({ say }: PageContext, { file, name }: Subscribable): Markup {
  const webcal = file.replace(/^https?:/, 'webcal:')
  const google = `https://calendar.google.com/calendar/r?${queryText([['cid', webcal]])}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?${queryText([
    ['url', file],
    ['name', name],
  ])}`
  return html`<div class="menu subscribe"><details><summary class="button">${icon('bell')}<span>${say('pages.subscribe')}</span></summary>
<div class="pop"><p><strong>${say('pages.subscribeTo', { name })}</strong></p>
<p class="sm mute">${say('pages.subscribeHint')}</p>
<ul>
<li><a href="${webcal}">${icon('phone')}${say('pages.appleAndPhones')}</a></li>
<li><a href="${google}" rel="noopener nofollow">${icon('calendar')}Google</a></li>
<li><a href="${outlook}" rel="noopener nofollow">${icon('mail')}Outlook.com</a></li>
</ul>
<label class="sm">${say('pages.orCopyUrl')}<input class="copy" readonly dir="ltr" value="${file}"></label>
</div></details></div>`
}
