import { localeOf } from '../../base/i18n/translate.ts'
import { firstWeekday } from '../../base/i18n/week.ts'
import { WEEKDAYS } from '../../base/time/recurrence/rule.ts'
import { dayIn, daysAfter, startOfWeek, weekday } from '../../pages/dates.ts'
import { html, type Markup } from '../../pages/html.ts'
import { choicesControl, lineControl, type Offer, selectControl, textControl } from '../controls.ts'
import { chosenIn, type FormValues, textIn } from '../form-values.ts'
import type { PageRequest } from '../page-request.ts'

/** Any Monday: weekdays are named by its week. */
const MONDAY = '2024-01-01'

/** The rule editor. Style sheets show what the chosen kind of repetition needs, so that no script is necessary. */
export function repeatControls(request: PageRequest, values: FormValues, wrong: string | undefined): Markup {
  const { t } = request
  const line = (
    name: string,
    label: string,
    options: Parameters<typeof lineControl>[1] & { hint?: string },
  ): Markup => {
    const { hint, ...others } = options
    return lineControl({ name, label, value: textIn(values, name), hint }, others)
  }
  const lines = (name: string, label: string, hint?: string): Markup =>
    textControl({ name, label, value: textIn(values, name), hint })
  const example = t('admin.repeat.datesHint')
  const rule = html`<div class="ruled pair">${line('repeat_interval', t('admin.repeat.repeatEvery'), { type: 'number', min: '1', hint: t('admin.repeat.intervalHint') })}${select(request, values, 'repeat_end')}<div class="until">${line('repeat_until', t('admin.repeat.lastDay'), { type: 'date' })}</div><div class="count">${line('repeat_count', t('admin.repeat.numberOfDates'), { type: 'number', min: '1' })}</div></div>`
  return html`<div class="repeat">${selectControl({ name: 'repeat', label: t('admin.repeats'), value: textIn(values, 'repeat'), wrong }, repeatOffers(t))}
<div class="weekly field"><span class="label">${t('admin.repeat.onTheseDays')}</span>${daysControl(request, values)}<p class="hint">${t('admin.repeat.weekdaysHint')}</p></div>
<div class="monthly">${select(request, values, 'repeat_monthly')}</div>
${rule}<div class="listed"><details${textIn(values, 'repeat_also') + textIn(values, 'repeat_except') === '' ? html`` : html` open`}><summary>${t('admin.repeat.specificDates')}</summary><div class="pair short">${lines('repeat_also', t('admin.repeat.additionalDates'), example)}${lines('repeat_except', t('admin.repeat.excludedDates'), example)}</div></details></div>
<div class="written short">${lines('repeat_lines', t('admin.repeat.rule'), t('admin.repeat.linesHint'))}</div></div>\n`
}

/** The ways in which an event may repeat. */
export function repeatOffers(t: PageRequest['t']): readonly Offer[] {
  return [
    ['', t('admin.doesNotRepeat')],
    ['DAILY', t('admin.repeat.daily')],
    ['WEEKLY', t('admin.repeat.weekly')],
    ['MONTHLY', t('admin.repeat.monthly')],
    ['YEARLY', t('admin.repeat.yearly')],
    ['dates', t('admin.repeat.onSpecificDates')],
    ['lines', t('admin.repeat.customRule')],
  ]
}

function select({ t }: PageRequest, values: FormValues, name: 'repeat_end' | 'repeat_monthly'): Markup {
  const value = textIn(values, name)
  if (name === 'repeat_end')
    return selectControl({ name, label: t('admin.repeat.seriesEnds'), value }, [
      ['', t('admin.repeat.never')],
      ['until', t('admin.repeat.onADate')],
      ['count', t('admin.repeat.afterCount')],
    ])
  return selectControl({ name, label: t('admin.repeat.dayMonth'), value }, [
    ['', t('admin.repeat.sameDayMonth')],
    ['weekday', t('admin.repeat.sameWeekday')],
    ['last', t('admin.repeat.lastWeekday')],
    ['end', t('admin.repeat.lastDayMonth')],
  ])
}

function daysControl({ t, incoming: { language } }: PageRequest, values: FormValues): Markup {
  const first = startOfWeek(firstWeekday(localeOf(language)), MONDAY)
  const offers = Array.from({ length: 7 }, (_, index): Offer => {
    const day = daysAfter(first, index)
    return [WEEKDAYS[weekday(day)] ?? '', dayIn(language, 'weekday', day)]
  })
  const chosen = new Set(chosenIn(values, 'repeat_days'))
  return choicesControl({ name: 'repeat_days', label: t('admin.repeat.onTheseDays') }, offers, chosen)
}
