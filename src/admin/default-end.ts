import { addToLocal } from '../base/time/zones.ts'

/** Hours that an event takes whose form does not say when it ends; the hint beside its day says so, too. */
export const DEFAULT_HOURS = 2

/** When an event starts by its form: `2026-12-05` and `19:00`, '' where left empty. */
interface FormStart {
  readonly day: string
  readonly time: string
}

/**
 * The end of an event whose form has no last day: at the time that it does say, on the next day where that is before the
 * start; some hours after the start where it says none. What follows from a start that cannot be read is the start, which
 * is refused then.
 */
export function defaultEnd({ day, time }: FormStart, end: string): string {
  const start = `${day} ${time.slice(0, 5) || '00:00'}:00`
  try {
    if (end === '') return addToLocal(start, { seconds: DEFAULT_HOURS * 3600 }).slice(0, 16)
    return `${addToLocal(start, { days: end < time ? 1 : 0 }).slice(0, 10)} ${end}`
  } catch {
    return day
  }
}
