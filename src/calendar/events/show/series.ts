import { recurrenceInWords } from '../../../base/i18n/recurrence/in-words.ts'
import { datesOf } from '../../../base/time/recurrence/dates.ts'
import type { EventTable } from '../../../storage/schema.ts'
import type { EventRow, Occasion } from '../../event-store/event-row.ts'
import { firstDateOf, recurringOf, storedRecurrence } from '../../event-store/series/recurring.ts'
import { isOut } from '../../event-store/series/shown.ts'

/** The result for a row: all dates of a series on a page share it. */
const sentences = new WeakMap<EventTable, { readonly language: string; readonly text: string }>()

/** What a date of a recurring event answers beside what every event does: the lines stand with the first one. */
export function seriesMembers(
  { id, occasion: { series, date, exception } }: Pick<EventRow, 'id'> & { readonly occasion: Occasion },
  language: string | undefined,
): Readonly<Record<string, unknown>> {
  const isFirst = id === series.id
  const { lines = [], until } = (isFirst ? recurringOf(series) : undefined) ?? {}
  // An event that recurs no more is one by itself again; what was dropped then still belongs to it.
  if (isFirst && lines.length === 0) return {}
  return {
    ...(isFirst && { recurrence: lines, recurrence_until: until }),
    series: {
      id: series.id,
      recurrence_id: date.recurrence_id,
      position: isOut(date) ? undefined : date.position,
      text: recurrenceSentence(series, language),
      exception: exception !== undefined,
      ...(isFirst && exception !== undefined && { start_date: series.start_local, end_date: series.end_local }),
    },
  }
}

/** The rule of a series in words of a language; undefined where it has none that can be read. */
export function recurrenceSentence(series: EventTable, language = 'en'): string | undefined {
  const known = sentences.get(series)
  if (known?.language === language) return known.text
  const recurrence = storedRecurrence(series)
  if (recurrence === undefined) return undefined
  const first = firstDateOf(series)
  const dates = () => {
    const found = datesOf(recurrence, first, { limit: SAID })
    return found.ok ? found.dates : []
  }
  const text = recurrenceInWords({ recurrence, first, dates }, language)
  sentences.set(series, { language, text })
  return text
}

/**
 * The rule of a series in few words: without its end, and without the dates that are added to it or left out. Undefined where
 * no words fit.
 */
export function shortRecurrence(series: EventTable, language: string): string | undefined {
  const rule = storedRecurrence(series)?.rule
  if (rule === undefined) return undefined
  const endless = { rule: { ...rule, count: undefined, until: undefined }, added: [], excluded: [] }
  const first = firstDateOf(series)
  return recurrenceInWords({ recurrence: endless, first, dates: () => [] }, language) || undefined
}

/** Dates that are named where no words fit a rule, and one more to show that there are more. */
const SAID = 6
