import { decodeEntities } from '../text/entities.ts'
import { textOfHtml } from '../text/html.ts'
import { html, type Markup, NOTHING, trusted } from './layout.ts'

/** A representation as the API answers it. */
export type Shown = Readonly<Record<string, unknown>>

/** A text member of a representation; '' when it has none. */
export function textMember(shown: Shown, name: string): string {
  const value = shown[name]
  return typeof value === 'string' ? value : ''
}

/** A line of plain text of a representation, which has it encoded; '' when it has none. */
export function lineMember(shown: Shown, name: string): string {
  return decodeEntities(textMember(shown, name))
}

/** The items of a member that is one object, a list or an empty list. */
export function itemsMember(shown: Shown, name: string): readonly Shown[] {
  const value = shown[name]
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? [value as Shown] : []
}

/** What stands for a name that is empty. */
const NAMELESS: Readonly<Record<string, string>> = {
  title: 'Untitled event',
  venue: 'Unnamed venue',
  organizer: 'Unnamed organizer',
}

/** The name of an item as plain text: answers have it encoded; events and venues may have none. */
export function nameOf(shown: Shown, member: string): string {
  return lineMember(shown, member).trim() || (NAMELESS[member] ?? '')
}

/** A link to the page of an item. */
export function linkTo(shown: Shown, nameMember: string): Markup {
  return html`<a href="${textMember(shown, 'url')}">${nameOf(shown, nameMember)}</a>`
}

/** Rows of a definition list; nothing when none has content. */
export function factList(rows: readonly (readonly [label: string, content: Markup])[]): Markup {
  const filled = rows.filter(([, content]) => content.markup !== '')
  if (filled.length === 0) return NOTHING
  return html`<dl>\n${filled.map(([label, content]) => html`<dt>${label}</dt><dd>${content}</dd>\n`)}</dl>\n`
}

/** Items separated by commas. */
export function commaList(items: readonly Markup[]): Markup {
  return trusted(items.map((item) => item.markup).join(', '))
}

/** A link to an address that was sent; what is no http address is text. */
export function outward(address: string): Markup {
  if (!/^https?:\/\//i.test(address)) return html`${address}`
  return html`<a href="${address}" rel="nofollow noopener">${address}</a>`
}

/** A link that dials or writes: `scheme` is `tel` or `mailto`. Nothing for ''. */
export function contact(scheme: 'tel' | 'mailto', value: string): Markup {
  const target = scheme === 'tel' ? value.replace(/[^\d+]/g, '') : encodeURI(value)
  return target === '' ? html`${value}` : html`<a href="${scheme}:${target}">${value}</a>`
}

/** The picture of an item; it says nothing that the page does not, so it has no text of its own. */
export function picture(item: Shown): Markup {
  const [image] = itemsMember(item, 'image')
  const [sizes] = itemsMember(image ?? {}, 'sizes')
  // The column of the page is not wider than the large size.
  const [large] = itemsMember(sizes ?? {}, 'large')
  const address = textMember(large ?? {}, 'url') || textMember(image ?? {}, 'url')
  return /^https?:\/\//i.test(address) ? html`<p class="picture"><img src="${address}" alt=""></p>\n` : NOTHING
}

/** A description, sanitised when it was stored. */
export function description(shown: Shown): Markup {
  return trusted(textMember(shown, 'description'))
}

/** Longest summary for search engines, in characters. */
const SUMMARY_LIMIT = 200

/** The beginning of an item's excerpt or description as plain text; '' when it has neither. */
export function summaryOf(shown: Shown): string {
  const text = textOfHtml(textMember(shown, 'excerpt') || textMember(shown, 'description'))
  const characters = [...text]
  return characters.length <= SUMMARY_LIMIT ? text : `${characters.slice(0, SUMMARY_LIMIT).join('')}…`
}

const STATUS_NOTES: Readonly<Record<string, string>> = {
  draft: 'This is a draft.',
  pending: 'This waits for review.',
  future: 'This is not published yet.',
  private: 'This is private.',
  trash: 'This is in the trash.',
}

/** Tells readers of what is not published that others do not see it. */
export function statusNote(status: string): Markup {
  const note = STATUS_NOTES[status]
  return note === undefined ? NOTHING : html`<p class="note">${note} Only its author and editors see this page.</p>\n`
}
