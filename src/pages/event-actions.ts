import { storedJson } from '../base/text/stored-json.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { queryText } from '../http/address.ts'
import type { Ticket } from '../model/kinds/tickets.ts'
import { calendarLinks } from './calendar-links.ts'
import { titleOf } from './cards.ts'
import { isOff } from './content.ts'
import { costText } from './cost.ts'
import { html, type Markup, NOTHING, when } from './html.ts'
import { icon } from './icons.ts'
import type { ShownEvent } from './shown-event.ts'

/** Where the main button of an event leads, and what it says. */
interface MainAction {
  readonly href: string
  readonly label: string
}

/** What visitors do with an event: take part, save it, share it. On phones the first of these stays in sight. */
export function eventActions(shown: ShownEvent): Markup {
  const { event, context, deps } = shown
  const { row } = event
  if (row.status !== 'publish' || row.password_hash !== null) return NOTHING
  const { say } = context
  const isOpen = isAhead(shown)
  const main = mainAction(shown)
  const cost = costText(event, { site: deps.site, context })
  const saving = (
    look: string,
  ): Markup => html`<details class="menu"><summary class="button${look}">${icon('calendar')}${say('pages.addToCalendar')}</summary>
<ul>
${calendarLinks(shown).map(([name, address]) => html`<li><a href="${address}" rel="noopener nofollow">${name}</a></li>\n`)}</ul></details>`
  const button =
    main === undefined
      ? saving(' primary')
      : html`<a class="button primary" href="${main.href}" rel="noopener nofollow">${main.label}</a>`
  return html`${when(isOpen, () => html`<div class="act">${when(cost !== '', () => html`<p><b>${cost}</b></p>`)}${button}</div>`)}
<div class="pair">${when(main !== undefined, () => saving(''))}${share(shown)}</div>`
}

/** Whether the main button leads to the website of an event, which needs no second link then. */
export function leadsToWebsite(shown: ShownEvent): boolean {
  return mainAction(shown)?.href === shown.event.row.website
}

/** Whether people can still take part. */
function isAhead({ event: { row }, context: { now } }: ShownEvent): boolean {
  return row.status === 'publish' && row.password_hash === null && !isOff(row) && row.end_utc >= utcFromMillis(now)
}

/** Taking part comes first: online, with a ticket, or by whatever the website says. */
function mainAction(shown: ShownEvent): MainAction | undefined {
  if (!isAhead(shown)) return undefined
  const { row } = shown.event
  const { say } = shown.context
  const tickets = row.tickets === null ? [] : storedJson<readonly Ticket[]>(row.tickets)
  const ticket = tickets.find(({ url, sold_out }) => url !== undefined && sold_out !== true)?.url
  const ways = [
    [row.virtual_url, say('pages.joinOnline')],
    [ticket ?? '', say('pages.getTickets')],
    [row.website ?? '', say('pages.visitWebsite')],
  ] as const
  const [href, label] = ways.find(([address]) => /^https?:\/\//i.test(address)) ?? []
  return href === undefined || label === undefined ? undefined : { href, label }
}

function share({ event, context }: ShownEvent): Markup {
  const { say } = context
  const title = titleOf(event, context)
  const mail = queryText([
    ['subject', title],
    ['body', context.absolute(context.to(pageUrl('event', event.row, context.urls)))],
  ])
  return html`<event-share data-copied="${say('pages.linkCopied')}" data-copy="${say('pages.copyLink')}" data-title="${title}"><details class="menu"><summary class="button">${icon('share')}${say('pages.share')}</summary>
<ul>
<li><a href="mailto:?${mail}">${say('fields.email')}</a></li>
</ul></details></event-share>`
}
