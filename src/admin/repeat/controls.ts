import { WEEKDAYS } from '../../base/time/recurrence/rule.ts'
import { dayIn, daysAfter, startOfWeek, weekday } from '../../pages/dates.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { Asking } from '../asking.ts'
import { choicesControl, lineControl, type Offer, selectControl, textControl } from '../controls.ts'
import { chosenIn, type FormValues, textIn } from '../form-values.ts'

/** Any Monday: weekdays are named by its week. */
const MONDAY = '2024-01-01'

/** The rule editor. Style sheets show what the chosen kind of repetition needs, so that no script is necessary. */
export function repeatControls(asking: Asking, values: FormValues, wrong: string | undefined): Markup {
  const { t } = asking
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
  const example = t('A line each, such as 2026-12-24 or 2026-12-24 18:00.')
  const rule = html`<div class="ruled pair">${line('repeat_interval', t('Interval'), { type: 'number', min: '1', hint: t('2 means every second day, week, month or year.') })}${select(asking, values, 'repeat_end')}<div class="until">${line('repeat_until', t('Last day'), { type: 'date' })}</div><div class="count">${line('repeat_count', t('Number of dates'), { type: 'number', min: '1' })}</div></div>`
  return html`<div class="repeat">${selectControl({ name: 'repeat', label: t('Repeats'), value: textIn(values, 'repeat'), wrong }, repeatOffers(asking))}
<div class="weekly field"><span class="label">${t('On these days')}</span>${daysControl(asking, values)}<p class="hint">${t('None means the weekday of the first date.')}</p></div>
<div class="monthly">${select(asking, values, 'repeat_monthly')}</div>
${rule}<div class="listed"><details${textIn(values, 'repeat_also') + textIn(values, 'repeat_except') === '' ? html`` : html` open`}><summary>${t('Single dates')}</summary><div class="pair short">${lines('repeat_also', t('Further dates'), example)}${lines('repeat_except', t('Dates left out'), example)}</div></details></div>
<div class="written short">${lines('repeat_lines', t('Rule'), t('RRULE, RDATE and EXDATE as in iCalendar, a line each.'))}</div></div>\n`
}

function repeatOffers({ t }: Asking): readonly Offer[] {
  return [
    ['', t('Does not repeat')],
    ['DAILY', t('Daily')],
    ['WEEKLY', t('Weekly')],
    ['MONTHLY', t('Monthly')],
    ['YEARLY', t('Yearly')],
    ['dates', t('On single dates')],
    ['lines', t('By another rule')],
  ]
}

function select({ t }: Asking, values: FormValues, name: 'repeat_end' | 'repeat_monthly'): Markup {
  const value = textIn(values, name)
  if (name === 'repeat_end')
    return selectControl({ name, label: t('End of the series'), value }, [
      ['', t('Never')],
      ['until', t('On a day')],
      ['count', t('After a number of dates')],
    ])
  return selectControl({ name, label: t('Day in the month'), value }, [
    ['', t('On the same day of the month')],
    ['weekday', t('On the same weekday, such as the second Tuesday')],
    ['last', t('On the last such weekday')],
    ['end', t('On the last day of the month')],
  ])
}

function daysControl({ t, incoming: { language } }: Asking, values: FormValues): Markup {
  const first = startOfWeek(language, MONDAY)
  const offers = Array.from({ length: 7 }, (_, index): Offer => {
    const day = daysAfter(first, index)
    return [WEEKDAYS[weekday(day)] ?? '', dayIn(language, 'weekday', day)]
  })
  const chosen = new Set(chosenIn(values, 'repeat_days'))
  return choicesControl({ name: 'repeat_days', label: t('On these days') }, offers, chosen)
}
