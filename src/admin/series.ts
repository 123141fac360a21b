import { decodeEntities } from '../base/text/entities.ts'
import { mayEdit } from '../http/auth/rights.ts'
import type { RawInput } from '../http/request/body.ts'
import type { SeriesScope } from '../model/scope.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { flag } from './controls.ts'
import { type FormValues, objectsIn } from './form-values.ts'
import { dayText } from './moments.ts'
import type { PageRequest } from './page-request.ts'

/** Of which series an event of the API is a date; undefined for one that does not recur. */
export function seriesOf(event: RawInput | undefined): DateOfSeries | undefined {
  const [series] = objectsIn(event?.['series'])
  if (series === undefined) return undefined
  const id = Number(series['id'])
  return { id, isFirst: id === event?.['id'], text: String(series['text'] ?? '') }
}

/** A date of a series. */
export interface DateOfSeries {
  /** Of the event, which is its first date. */
  readonly id: number
  readonly isFirst: boolean
  /** The rule in words, in the language of the reader. */
  readonly text: string
}

/** The title of an event for people who edit it; a date of a series has its day as well. */
export function eventName(request: PageRequest, event: RawInput): string {
  const title = decodeEntities(String(event['title'] ?? '')) || request.t('common.untitledEvent')
  return seriesOf(event) === undefined ? title : `${title} · ${dayText(request, event)}`
}

/** The title of an event as the link to its form, for those who may change it. */
export function eventLink(request: PageRequest, event: RawInput): Markup {
  const name = eventName(request, event)
  const row = { authorId: Number(event['author']), status: String(event['status'] ?? 'publish') }
  if (!mayEdit(request.incoming.caller, row)) return html`<span class="title">${name}</span>`
  return html`<a class="title" href="/admin/events/${String(event['id'])}">${name}</a>`
}

/** Which dates a form is about; undefined for an event that does not recur. */
export function scopeSent({ sent }: PageRequest, event: RawInput | undefined): SeriesScope | undefined {
  const series = seriesOf(event)
  if (series === undefined) return undefined
  if (CANCELS[sent('action')] !== undefined) return 'this'
  const scope = (['this', 'following', 'all'] as const).find((one) => one === sent('scope'))
  return scope ?? (series.isFirst ? 'all' : 'this')
}

/** What the buttons that cancel a date, and take that back, make of its status. */
const CANCELS: Readonly<Record<string, string>> = { cancel: 'canceled', uncancel: '' }

/** The values of a form whose button cancels a date, or takes that back; those of every other button as they are. */
export function withCancellation(values: FormValues, { sent }: Pick<PageRequest, 'sent'>): FormValues {
  const status = CANCELS[sent('action')]
  return status === undefined ? values : { ...values, event_status: status }
}

/** The button that cancels one date of a series, or takes that back; nothing for an event that does not recur. */
export function cancelButton({ t }: PageRequest, event: RawInput | undefined): Markup {
  if (seriesOf(event) === undefined || event?.['status'] === 'trash') return NOTHING
  const isCanceled = event?.['event_status'] === 'canceled'
  const text = isCanceled ? t('admin.series.restoreDate') : t('admin.series.cancelDate')
  return html`<button class="second" name="action" value="${isCanceled ? 'uncancel' : 'cancel'}">${text}</button>`
}

/** The question which dates are meant, beside the buttons; nothing for an event that does not recur. */
export function scopeChoice(request: PageRequest, event: RawInput | undefined): Markup {
  const { t } = request
  const series = seriesOf(event)
  if (series === undefined) return NOTHING
  const chosen = scopeSent(request, event)
  const offers = [
    ['this', t('admin.series.thisDateOnly')],
    ...(series.isFirst ? [] : [['following', t('admin.series.followingDates')] as const]),
    ['all', t('common.allDates')],
  ] as const
  const choices = offers.map(
    ([value, text]) =>
      html`<div class="check"><input type="radio" id="scope-${value}" name="scope" value="${value}"${flag('checked', value === chosen)}><label for="scope-${value}">${text}</label></div>`,
  )
  return html`<fieldset class="scope"><legend>${t('admin.series.applyDates')}</legend>${choices}</fieldset>`
}

/** What a further date of a series says in place of the rule, which stands with the first one. */
export function seriesNote({ t }: PageRequest, { id, text }: DateOfSeries): Markup {
  return html`<p class="sentence"><strong>${text}</strong></p><p><a href="/admin/events/${id}">${t('admin.series.editRepeatRule')}</a> · <a href="/admin/events?when=all&amp;series=${id}">${t('common.allDates')}</a></p>`
}
