import type { MessageId } from '../base/i18n/translate.ts'
import { textOfHtml } from '../base/text/html.ts'
import { directionOf, type Here } from './here.ts'
import { html, type Markup, NOTHING, trusted } from './html.ts'

/** Rows of a definition list; nothing when none has content. */
export function factList(rows: readonly (readonly [label: string, content: Markup])[]): Markup {
  const filled = rows.filter(([, content]) => content.markup !== '')
  if (filled.length === 0) return NOTHING
  return html`<dl class="facts">\n${filled.map(([label, content]) => html`<div><dt>${label}</dt><dd>${content}</dd></div>\n`)}</dl>\n`
}

/** A link to an address that was sent; what is no http address is text. */
export function outward(address: string): Markup {
  if (!/^https?:\/\//i.test(address)) return html`${address}`
  return html`<a href="${address}" rel="nofollow noopener">${address.replace(/^https?:\/\//i, '').replace(/\/$/, '')}</a>`
}

/** A link that dials or writes: `scheme` is `tel` or `mailto`. Nothing for ''. */
export function contact(scheme: 'tel' | 'mailto', value: string): Markup {
  const target = scheme === 'tel' ? value.replace(/[^\d+]/g, '') : encodeURI(value)
  return target === '' ? html`${value}` : html`<a href="${scheme}:${target}">${value}</a>`
}

/** Attributes that tell the language of content and its direction; nothing where it is not known (`''`). */
export function spokenIn(language: string): Markup {
  return language === '' ? NOTHING : html` lang="${language}" dir="${directionOf(language)}"`
}

/** A text in the direction of its language, where that is known. */
export function inOwnLanguage(text: string, language: string): Markup {
  return language === '' ? html`${text}` : html`<bdi${spokenIn(language)}>${text}</bdi>`
}

/** A description, sanitised when it was stored, and its language; '' when that is not known. */
export function prose(markup: string, language = ''): Markup {
  if (markup.trim() === '') return NOTHING
  const attributes = language === '' ? html` dir="auto"` : spokenIn(language)
  return html`<div class="prose"${attributes}>${trusted(markup)}</div>\n`
}

/** Longest summary for search engines, in characters. */
const SUMMARY_LIMIT = 200

/** Beginning of a text in which a summary is looked for, in characters: texts may be very long. */
const LOOKED_AT = 4_000

/** The beginning of an item's excerpt or description as plain text; '' when it has neither. */
export function summaryOf({
  excerpt = '',
  description,
}: {
  readonly excerpt?: string
  readonly description: string
}): string {
  const text = textOfHtml((excerpt || description).slice(0, LOOKED_AT))
  const characters = [...text]
  return characters.length <= SUMMARY_LIMIT ? text : `${characters.slice(0, SUMMARY_LIMIT).join('')}…`
}

const STATUS_NOTES: Readonly<Record<string, MessageId>> = {
  draft: 'pages.isDraft',
  pending: 'pages.isPending',
  future: 'pages.isScheduled',
  private: 'pages.isPrivate',
  trash: 'pages.isTrashed',
}

/** Tells readers of what is not published that others do not see it. */
export function statusNote(status: string, { say }: Here): Markup {
  const note = STATUS_NOTES[status]
  if (note === undefined) return NOTHING
  return html`<p class="note">${say(note)} ${say('pages.visibleToEditors')}</p>\n`
}
