import type { RawInput } from '../http/request/body.ts'
import { html, type Markup } from '../web/html.ts'
import type { Asking } from './asking.ts'

/** A moment that is stored in UTC, on the clock of the site and in the language of the reader. */
export function momentText({ incoming, parts }: Pick<Asking, 'incoming' | 'parts'>, utc: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: parts.site.zone } as const
  return new Date(`${utc.replace(' ', 'T')}Z`).toLocaleString(incoming.language, style)
}

/** When an event starts, on its own clock and in the language of the reader. */
export function startOf({ incoming }: Pick<Asking, 'incoming'>, event: RawInput): Markup {
  const start = String(event['start_date'] ?? '').replace(' ', 'T')
  const moment = new Date(`${start}Z`)
  if (Number.isNaN(moment.getTime())) return html`${start}`
  const isAllDay = event['all_day'] === true
  const time = isAllDay ? {} : ({ timeStyle: 'short' } as const)
  const text = moment.toLocaleString(incoming.language, { dateStyle: 'medium', timeZone: 'UTC', ...time })
  return html`<time datetime="${start.slice(0, isAllDay ? 10 : 16)}">${text}</time>`
}
