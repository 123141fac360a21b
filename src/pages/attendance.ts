import type { MessageId } from '../base/i18n/translate.ts'
import type { EventRow } from '../calendar/events/index.ts'
import { outward } from './content.ts'
import { dayIn } from './dates.ts'
import type { Here } from './here.ts'
import { html, type Markup, NOTHING, when } from './html.ts'

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
export function attendanceLabels(row: Pick<Attendance, 'event_status' | 'is_virtual'>, { say }: Here): Markup {
  const status = STATUSES.get(row.event_status)
  const isOnline = row.is_virtual === 1 && row.event_status !== 'moved_online'
  return html`${when(status !== undefined, () => html`<span class="label ${row.event_status}">${say(status ?? 'common.canceled')}</span> `)}${when(isOnline, () => html`<span class="label">${say('pages.online')}</span> `)}`
}

/** Statuses of events that do not take place when they were to. */
const OFF: ReadonlySet<string> = new Set(['canceled', 'postponed'])

/** A title where there is no place for labels, which it may overflow: struck through, and said why, where the event does not take place then. */
export function struckIfOff(title: Markup, { event_status }: Pick<Attendance, 'event_status'>, { say }: Here): Markup {
  const status = OFF.has(event_status) ? STATUSES.get(event_status) : undefined
  return status === undefined ? title : html`<span class="vh">(${say(status)})</span> <s>${title}</s>`
}

/** The banner of a page whose event does not take place as it was planned; nothing for others. */
export function statusBanner(row: Attendance, { say, language }: Here): Markup {
  const status = STATUSES.get(row.event_status)
  if (status === undefined) return NOTHING
  const { previous_start, event_status_reason } = row
  const before = row.event_status === 'rescheduled' && previous_start !== null ? previous_start.slice(0, 10) : undefined
  const planned = before && say('pages.originallyPlanned', { date: dayIn(language, 'dateYear', before) })
  return html`<p class="note ${row.event_status}"><strong>${say(status)}</strong>${when(planned !== undefined, () => html` ${planned ?? ''}`)}${when(event_status_reason !== '', () => html` ${event_status_reason}`)}</p>\n`
}

/** How people take part online: the address, where there is one; nothing for events that do not take place online. */
export function onlineFact(row: Attendance, { say }: Here): Markup {
  if (row.is_virtual !== 1 && row.event_status !== 'moved_online') return NOTHING
  const also = row.virtual_type === 'hybrid' ? say('common.hybrid') : say('pages.online')
  return html`${also}${when(row.virtual_url !== '', () => html`<br>${outward(row.virtual_url)}`)}`
}
