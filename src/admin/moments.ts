import { localeOf } from '../base/i18n/translate.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup } from '../pages/html.ts'
import type { PageRequest } from './page-request.ts'

/** The day of an event on its own clock: `Tue 15 Dec 2026`. */
export function dayText({ incoming }: Pick<PageRequest, 'incoming'>, event: RawInput): string {
  const day = new Date(`${String(event['start_date'] ?? '').slice(0, 10)}T00:00Z`)
  if (Number.isNaN(day.getTime())) return ''
  const style = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const text = day.toLocaleDateString(localeOf(incoming.language), style)
  return incoming.language === 'en' ? text.replace(',', '') : text
}

/** A moment that is stored in UTC, on the clock of the site and in the language of the reader. */
export function momentText({ incoming, deps }: Pick<PageRequest, 'incoming' | 'deps'>, utc: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: deps.site.zone } as const
  return new Date(`${utc.replace(' ', 'T')}Z`).toLocaleString(localeOf(incoming.language), style)
}

/** When an event starts, on its own clock and in the language of the reader. */
export function startOf(request: Pick<PageRequest, 'incoming'>, event: RawInput): Markup {
  const start = String(event['start_date'] ?? '').replace(' ', 'T')
  const text = startText(request, event)
  if (text === undefined) return html`${start}`
  return html`<time datetime="${start.slice(0, event['all_day'] === true ? 10 : 16)}">${text}</time>`
}

/** The same as text alone; undefined where the start is no moment. */
export function startText({ incoming }: Pick<PageRequest, 'incoming'>, event: RawInput): string | undefined {
  const moment = new Date(`${String(event['start_date'] ?? '').replace(' ', 'T')}Z`)
  if (Number.isNaN(moment.getTime())) return undefined
  const time = event['all_day'] === true ? {} : ({ timeStyle: 'short' } as const)
  return moment.toLocaleString(localeOf(incoming.language), { dateStyle: 'medium', timeZone: 'UTC', ...time })
}
