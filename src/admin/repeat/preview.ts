import { Failure } from '../../errors.ts'
import type { PageResponse } from '../../http/page.ts'
import type { RawInput } from '../../http/request/body.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import { html, type Markup, NOTHING } from '../../web/html.ts'
import type { AdminPage, Asking } from '../asking.ts'
import { bodyOf, type FormValues, objectsIn, sentValues } from '../form-values.ts'
import { startOf } from '../moments.ts'
import { refusalsOf } from '../refusals.ts'

/** Dates that a preview names. */
const SHOWN = 6

/** What a rule means while it is being written: a part of the event form, for scripts. */
export const REPEAT_PREVIEW_PAGE: AdminPage = {
  path: '/admin/recurrence',
  role: 'contributor',
  isCostly: true,
  show: () => fragment(NOTHING),
  submit: async (asking) => fragment(await repeatPreview(asking, sentValues(EVENT_FIELDS, asking.incoming.body))),
}

function fragment({ markup }: Markup): PageResponse {
  return { status: 200, body: markup, headers: { 'content-security-policy': "default-src 'none'" } }
}

/** The sentence of the rule that a form says, with how many dates there are and the first of them; nothing without a rule. */
export async function repeatPreview(asking: Asking, values: FormValues): Promise<Markup> {
  const { t, parts, incoming } = asking
  const { recurrence, start_date, end_date } = bodyOf(EVENT_FIELDS, values, { base: {}, known: {} })
  if (!Array.isArray(recurrence) || recurrence.length === 0) return NOTHING
  const { timezone, all_day } = values
  const body = { recurrence, start_date, end_date, timezone, all_day: all_day === 'true', limit: SHOWN }
  try {
    const { body: found } = await parts.api(incoming, { method: 'POST', path: '/kalends/v1/recurrence', body })
    const { text, total, dates } = found as RawInput
    const days = objectsIn(dates).map((date) => html`<li>${startOf(asking, { ...date, all_day: body.all_day })}</li>\n`)
    const rest = total === null || Number(total) > days.length ? html`<li aria-hidden="true">…</li>` : NOTHING
    const count = total === null ? t('Without end') : t('Number of dates: {count}', { count: Number(total) })
    const isSaid = new RegExp(`(?<!\\d)${String(total)}(?!\\d)`).test(String(text))
    const told = isSaid ? NOTHING : html` <span class="quiet-text">${count}</span>`
    return html`<p class="sentence"><strong>${String(text)}</strong>${told}</p><ol class="dates">${days}${rest}</ol>`
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { fields, summary } = refusalsOf(asking, error)
    return html`<p class="wrong">${Object.values(fields)[0] ?? summary}</p>`
  }
}
