import { Failure } from '../../base/errors.ts'
import type { RawInput } from '../../http/request/body.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { repeatForms, startSent } from '../form-start.ts'
import { type FormValues, momentOf, objectsIn, sentValues } from '../form-values.ts'
import { fragment } from '../fragment.ts'
import { startOf } from '../moments.ts'
import type { AdminPage, PageRequest } from '../page-request.ts'
import { refusalsOf } from '../refusals.ts'
import { parsedLines } from './parsed-lines.ts'

/** Dates that a preview names. */
const SHOWN = 6

/** What a rule means while it is being written: a part of the event form, for scripts. */
export const REPEAT_PREVIEW_PAGE: AdminPage = {
  path: '/admin/recurrence',
  role: 'contributor',
  isCostly: true,
  show: () => fragment(NOTHING),
  submit: async (request) => {
    const { base } = startSent(request)
    return fragment(await repeatPreview(request, sentValues(EVENT_FIELDS, request.incoming.body), base))
  },
}

/**
 * The sentence of the rule that a form says, with how many dates there are and the first of them; nothing without a rule.
 * `base` is what the form started with: what saving moves is shown where it will be.
 */
export async function repeatPreview(request: PageRequest, values: FormValues, base: FormValues = {}): Promise<Markup> {
  const { t, deps, incoming } = request
  // A single date that is moved leaves all others as they were.
  const timed = request.sent('scope') === 'this' ? { ...values, ...timesIn(base) } : values
  const { now, begun } = repeatForms(timed, base)
  const recurrence = await parsedLines(now, begun)
  if (recurrence.length === 0) return NOTHING
  const { timezone, all_day } = timed
  // Only starts are shown.
  const end_date = now.start === momentOf('start_date', timed) ? momentOf('end_date', timed) : now.start
  const times = { start_date: now.start, end_date, timezone, all_day: all_day === 'true' }
  const body = { recurrence, ...times, limit: SHOWN }
  try {
    const { body: found } = await deps.api(incoming, { method: 'POST', path: '/kalends/v1/recurrence', body })
    const { text, total, dates } = found as RawInput
    const days = objectsIn(dates).map(
      (date) => html`<li>${startOf(request, { ...date, all_day: body.all_day })}</li>\n`,
    )
    const rest = total === null || Number(total) > days.length ? html`<li aria-hidden="true">…</li>` : NOTHING
    const count = total === null ? t('admin.repeat.noEndDate') : t('admin.repeat.dateCount', { count: Number(total) })
    const isSaid = new RegExp(`(?<!\\d)${String(total)}(?!\\d)`).test(String(text))
    const told = isSaid ? NOTHING : html` <span class="quiet-text">${count}</span>`
    return html`<p class="sentence"><strong>${String(text)}</strong>${told}</p><ol class="dates">${days}${rest}</ol>`
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { fields, summary } = refusalsOf(request, error)
    return html`<p class="wrong">${Object.values(fields)[0] ?? summary}</p>`
  }
}

const TIMES = ['start_date', 'start_date_time', 'end_date', 'end_date_time', 'timezone', 'all_day']

/** What a form says of when an event takes place; nothing where it is new. */
function timesIn(base: FormValues): FormValues {
  return Object.fromEntries(TIMES.flatMap((name) => (base[name] === undefined ? [] : [[name, base[name]]])))
}
