import { Failure } from '../base/errors.ts'
import { changedDatesOf, countDatesIn } from '../calendar/events/index.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { insideTransaction } from '../storage/reads.ts'
import type { PageRequest } from './page-request.ts'

/** Name of the box by which someone agrees that so many dates go to the trash. */
const AGREED = 'lost_dates'

/** What decides which dates a series has. */
const DECIDING = ['start_date', 'end_date', 'timezone', 'all_day', 'recurrence', 'scope'] as const

/** Thrown to undo a trial. */
class TrialEnd extends Error {}

/**
 * How many dates that were changed by themselves the changes of a form would move to the trash, unless its reader has agreed
 * to that; 0 for none. The change is tried and undone; it can still be refused when it is saved.
 */
export async function lostDates(request: PageRequest, series: number, body: RawInput): Promise<number> {
  const { deps, incoming } = request
  const changed = await changedDatesOf(deps.storage, series)
  const tried = Object.fromEntries(DECIDING.flatMap((name) => (name in body ? [[name, body[name]]] : [])))
  if (changed.length === 0 || tried['scope'] === 'this') return 0
  let left = changed.length
  const trial = deps.storage.write((tx) =>
    insideTransaction(tx, async () => {
      await deps.api(incoming, { method: 'POST', path: `/events/${incoming.path['id']}`, body: tried })
      left = await countDatesIn(tx, changed)
      throw new TrialEnd()
    }),
  )
  await trial.catch((error: unknown) => {
    if (!(error instanceof TrialEnd || error instanceof Failure)) throw error
  })
  const lost = changed.length - left
  return request.sent(AGREED) === String(lost) ? 0 : lost
}

/** The box that agrees; nothing where no dates would go. */
export function lostDatesBox({ t }: PageRequest, count: number): Markup {
  if (count === 0) return NOTHING
  return html`<div class="check"><input type="checkbox" id="${AGREED}" name="${AGREED}" value="${count}"><label for="${AGREED}">${t('admin.repeat.trashChangedDates', { count })}</label></div>`
}
