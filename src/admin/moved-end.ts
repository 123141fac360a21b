import { html, type Markup } from '../pages/html.ts'
import { movedAlong } from './form-start.ts'
import { type FormValues, textIn } from './form-values.ts'

/** Name of the input that says which start and end a form was shown with; scripts that move the end themselves empty it. */
const SHOWN = '_times'

const INPUTS = ['start_date', 'start_date_time', 'end_date', 'end_date_time'] as const

/** The start and the end with which a form is shown: what a person has not touched since is recognized by them. */
export function shownTimes(values: FormValues): Markup {
  return html`<input type="hidden" name="${SHOWN}" value="${timesIn(values).join(' ')}">`
}

/** The values of a form as it was sent: where the start has moved and nobody has touched the end, the event keeps its duration. */
export function withMovedEnd(values: FormValues, { sent }: { sent(name: string): string }): FormValues {
  const shown = sent(SHOWN).split(' ')
  const [day = '', time = '', endDay = '', endTime = ''] = timesIn(values)
  const [shownDay = '', shownTime = ''] = shown
  if (shown.length !== INPUTS.length || endDay === '-' || `${endDay} ${endTime}` !== shown.slice(2).join(' '))
    return values
  // Without all of its times an event moves by whole days.
  const isTimed = ![time, endTime, shownTime].includes('-') && textIn(values, 'all_day') !== 'true'
  const end = isTimed
    ? movedAlong(`${endDay} ${endTime}:00`, `${shownDay} ${shownTime}:00`, `${day} ${time.slice(0, 5)}:00`)
    : movedAlong(endDay, shownDay, day)
  return { ...values, end_date: end.slice(0, 10), ...(isTimed && { end_date_time: end.slice(11, 16) }) }
}

/** A dash stands for an empty input. */
function timesIn(values: FormValues): readonly string[] {
  return INPUTS.map((name) => textIn(values, name) || '-')
}
