import { encodeText } from '../text/entities.ts'
import { html, type Markup, trusted } from './layout.ts'

/** A representation as the API answers it. */
export type Shown = Readonly<Record<string, unknown>>

/** A text member of a representation; '' when it has none. */
export function textMember(shown: Shown, name: string): string {
  const value = shown[name]
  return typeof value === 'string' ? value : ''
}

/** The items of a member that is one object, a list or an empty list. */
export function itemsMember(shown: Shown, name: string): readonly Shown[] {
  const value = shown[name]
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? [value as Shown] : []
}

/** When an event takes place, as people read it: `2027-03-01 10:00 – 12:00 EST`. */
export function when(event: Shown): string {
  const start = textMember(event, 'start_date')
  const end = textMember(event, 'end_date')
  const sameDay = start.slice(0, 10) === end.slice(0, 10)
  if (event['all_day'] === true) return sameDay ? start.slice(0, 10) : `${start.slice(0, 10)} – ${end.slice(0, 10)}`
  const from = start.slice(0, 16)
  if (start === end) return `${from} ${textMember(event, 'timezone_abbr')}`
  const until = sameDay ? end.slice(11, 16) : end.slice(0, 16)
  return `${from} – ${until} ${textMember(event, 'timezone_abbr')}`
}

/** A link to the page of an item; its name is encoded already, as the wire has it. */
export function linkTo(shown: Shown, nameMember: string): Markup {
  const name = textMember(shown, nameMember)
  const label = trusted(name === '' ? encodeText(textMember(shown, 'slug')) : name)
  return html`<a href="${textMember(shown, 'url')}">${label}</a>`
}

/** A list of events with their times and places. */
export function eventList(events: readonly Shown[]): Markup {
  if (events.length === 0) return html`<p>No events are planned.</p>`
  const rows = events.map((event) => {
    const places = itemsMember(event, 'venue').map((venue) => html` · ${linkTo(venue, 'venue')}`)
    const moment = textMember(event, 'start_date').replace(' ', 'T')
    return html`<li><time datetime="${moment}">${when(event)}</time><span class="where">${places}</span><br>${linkTo(event, 'title')}</li>\n`
  })
  return html`<ol class="events">\n${rows}</ol>`
}

/** A row of a definition list; nothing when it has no content. */
export function fact(label: string, content: Markup | string): Markup {
  const text = typeof content === 'string' ? content : content.markup
  return text === '' ? trusted('') : html`<dt>${label}</dt><dd>${content}</dd>\n`
}

/** Items separated by commas. */
export function commaList(items: readonly Markup[]): Markup {
  return trusted(items.map((item) => item.markup).join(', '))
}

/** A link to an address that was sent; only http and https addresses are stored. */
export function outward(address: string): Markup {
  return /^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="nofollow noopener">${address}</a>`
    : html`${address}`
}
