import { directionOf, type MessageId } from '../base/i18n/translate.ts'
import { cutAtWord, sentencesOfHtml } from '../base/text/html.ts'
import type { EventRow } from '../calendar/events/index.ts'
import { dayIn } from './dates.ts'
import { html, type Markup, NOTHING, trusted, when } from './html.ts'
import type { PageContext } from './page-context.ts'

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

/** Attributes for the language of content and its direction; none if unknown (`''`). */
export function spokenIn(language: string): Markup {
  return language === '' ? NOTHING : html` lang="${language}" dir="${directionOf(language)}"`
}

/** The same for what stands by itself, such as a title: of an unknown language, it has the direction of its first letters. */
export function ownDirection(language: string): Markup {
  return language === '' ? html` dir="auto"` : spokenIn(language)
}

/** A text in the direction of its language, where that is known. */
export function inOwnLanguage(text: string, language: string): Markup {
  return language === '' ? html`${text}` : html`<bdi${spokenIn(language)}>${text}</bdi>`
}

/** A description, sanitized when it was stored, and its language; '' when that is not known. */
export function prose(markup: string, language = ''): Markup {
  if (markup.trim() === '') return NOTHING
  return html`<div class="prose"${ownDirection(language)}>${trusted(markup)}</div>\n`
}

/** Longest summary for search engines, in characters. */
const SUMMARY_LIMIT = 200

/** The beginning of an item's excerpt or description as plain text; '' when it has neither. */
export function summaryOf({
  excerpt = '',
  description,
}: {
  readonly excerpt?: string
  readonly description: string
}): string {
  return cutAtWord(sentencesOfHtml(excerpt || description), SUMMARY_LIMIT)
}

const STATUS_NOTES: Readonly<Record<string, MessageId>> = {
  draft: 'pages.isDraft',
  pending: 'pages.isPending',
  future: 'pages.isScheduled',
  private: 'pages.isPrivate',
  trash: 'pages.isTrashed',
}

/** Tells readers of what is not published that others do not see it. */
export function statusNote(status: string, { say }: PageContext): Markup {
  const note = STATUS_NOTES[status]
  if (note === undefined) return NOTHING
  return html`<p class="note">${say(note)} ${say('pages.visibleToEditors')}</p>\n`
}

const STATUSES: ReadonlyMap<string, MessageId> = new Map([
  ['canceled', 'common.canceled'],
  ['postponed', 'common.postponed'],
  ['rescheduled', 'common.rescheduled'],
  ['moved_online', 'common.movedOnline'],
])

type Attendance = Pick<
  EventRow,
  'event_status' | 'event_status_reason' | 'previous_start' | 'is_virtual' | 'virtual_url' | 'virtual_type'
>

/** What has become of an event, and whether people attend online: labels of a card; nothing for most events. */
export function attendanceLabels(row: Pick<Attendance, 'event_status' | 'is_virtual'>, { say }: PageContext): Markup {
  const status = STATUSES.get(row.event_status)
  const isOnline = row.is_virtual === 1 && row.event_status !== 'moved_online'
  return html`${when(status !== undefined, () => html`<span class="label ${row.event_status}">${say(status ?? 'common.canceled')}</span> `)}${when(isOnline, () => html`<span class="label">${say('pages.online')}</span> `)}`
}

/** Statuses of events that do not take place when they were to. */
const OFF: ReadonlySet<string> = new Set(['canceled', 'postponed'])

/** Whether an event does not take place when it was to. */
export function isOff({ event_status }: Pick<Attendance, 'event_status'>): boolean {
  return OFF.has(event_status)
}

/** A title where there is no place for labels, which it may overflow: struck through, with the reason, if the event does not take place then. */
export function struckIfOff(
  title: Markup,
  { event_status }: Pick<Attendance, 'event_status'>,
  { say }: PageContext,
): Markup {
  const status = OFF.has(event_status) ? STATUSES.get(event_status) : undefined
  return status === undefined ? title : html`<span class="vh">(${say(status)})</span> <s>${title}</s>`
}

/** What a page says above everything else where its event does not take place when it was to; nothing for others. */
export function offAlert(row: Attendance, { say }: PageContext): Markup {
  if (!isOff(row)) return NOTHING
  const { event_status, event_status_reason: reason } = row
  return html`<section class="alert ${event_status}" aria-labelledby="off"><h2 id="off">${offWord(row, say)}</h2>${when(reason !== '', () => html`<p><bdi>${reason}</bdi></p>`)}</section>\n`
}

/** The word for what has become of an event. */
export function offWord({ event_status }: Pick<Attendance, 'event_status'>, say: PageContext['say']): string {
  return say(STATUSES.get(event_status) ?? 'common.canceled')
}

/** The banner of a page whose event does not take place as it was planned; nothing for others. */
export function statusBanner(row: Attendance, { say, language }: PageContext): Markup {
  const status = STATUSES.get(row.event_status)
  if (status === undefined) return NOTHING
  const { previous_start, event_status_reason } = row
  const before = row.event_status === 'rescheduled' && previous_start !== null ? previous_start.slice(0, 10) : undefined
  const planned = before && say('pages.originallyPlanned', { date: dayIn(language, 'dateYear', before) })
  return html`<p class="note ${row.event_status}"><strong>${say(status)}</strong>${when(planned !== undefined, () => html` ${planned ?? ''}`)}${when(event_status_reason !== '', () => html` <bdi>${event_status_reason}</bdi>`)}</p>\n`
}

/** That people take part online, or on site as well; '' for events that do not take place online. */
export function hybridOrOnline(row: Attendance, { say }: PageContext): string {
  if (row.is_virtual !== 1 && row.event_status !== 'moved_online') return ''
  return row.virtual_type === 'hybrid' ? say('common.hybrid') : say('pages.online')
}
