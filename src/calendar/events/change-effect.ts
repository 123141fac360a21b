import type { Reader } from '../../storage/engine.ts'
import type { ChangeEffect } from '../../storage/journal/entry.ts'
import { type NamedChange, type PastItem, pastOf } from '../../storage/journal/read.ts'
import { isRelisted, type ListedState, occurrencesOf, publicLinks } from '../event-store/copies.ts'
import { type EventLinks, NO_LINKS } from '../event-store/event-row.ts'
import { affectedTerms, categoriesUpFrom } from '../event-store/terms.ts'

/** Most changes that are looked at one by one. */
const CLOSE_LIMIT = 20

/**
 * The effects of event changes made by other processes, by journal number: derived from the journal, which has each
 * event as it was after each change. Changes that cannot be derived are left out, and all of them when there are many.
 */
export async function effectsOf(
  reader: Reader,
  changes: readonly NamedChange[],
): Promise<ReadonlyMap<number, ChangeEffect>> {
  const ofEvents = changes.filter(({ resource }) => resource === 'event')
  if (ofEvents.length === 0 || ofEvents.length > CLOSE_LIMIT) return new Map()
  const wanted = ofEvents.flatMap(({ id, revision }) => [
    { id, revision },
    { id, revision: revision - 1 },
  ])
  const past = new Map((await pastOf(reader, 'event', wanted)).map((item) => [nameOf(item), item]))
  const effects = new Map<number, ChangeEffect>()
  for (const { seq, id, revision } of ofEvents) {
    const before = revision === 1 ? NOTHING : stateIn(past.get(nameOf({ id, revision: revision - 1 })))
    const after = stateIn(past.get(nameOf({ id, revision })))
    if (before !== undefined && after !== undefined) effects.set(seq, await effectOf(reader, before, after))
  }
  return effects
}

function nameOf({ id, revision }: Pick<PastItem, 'id' | 'revision'>): string {
  return `${id} ${revision}`
}

/** An event that is not there: not yet, or no more. */
const NOTHING = 'nothing'

type Past = ListedState | typeof NOTHING

function stateIn(item: PastItem | undefined): Past | undefined {
  if (item?.snapshot === null) return NOTHING
  return item !== undefined && isState(item.snapshot) ? { row: item.snapshot, links: item.snapshot.links } : undefined
}

function isState(snapshot: object): snapshot is ListedState['row'] & { readonly links: EventLinks } {
  // What a series means to lists is in its dates, which the journal does not record.
  const { recurrence, exception } = { recurrence: null, exception: null, ...snapshot }
  const isOfSeries = recurrence !== null || exception !== null
  return 'start_local' in snapshot && 'links' in snapshot && !isOfSeries
}

async function effectOf(reader: Reader, before: Past, after: Past): Promise<ChangeEffect> {
  const copies = async (state: Past) =>
    state === NOTHING ? undefined : occurrencesOf(state, await categoriesUpFrom(reader, state.links.category))
  const links = (state: Past): EventLinks => (state === NOTHING ? NO_LINKS : publicLinks(state))
  const counted = (['category', 'tag'] as const).flatMap((resource) => {
    const [had, has] = [links(before)[resource], links(after)[resource]]
    const changed = [...had.filter((id) => !has.includes(id)), ...has.filter((id) => !had.includes(id))]
    return changed.map((id) => ({ resource, id }))
  })
  const linked = (state: Past): EventLinks => (state === NOTHING ? NO_LINKS : state.links)
  const recounted = await affectedTerms(reader, { before: linked(before), after: linked(after) }, counted)
  return { isRelisted: isRelisted(await copies(before), await copies(after)), recounted }
}
