import type { Transaction } from '../../../storage/engine.ts'
import type { EventState } from '../copies.ts'
import { keepFormerSlugs, keepSlugBefore } from '../former-slugs.ts'
import { exceptionOf } from './recurring.ts'
import type { SeriesState } from './state.ts'

/** A series before and after a change; no `base` before where the event itself is new. */
interface SlugChange {
  readonly before: { readonly base?: EventState | undefined } & Pick<SeriesState, 'exceptions'>
  readonly after: SeriesState
}

/** Keeps the slugs that a series and dates with slugs of their own had before a change at a moment, UTC text. */
export async function keepSlugsBefore(tx: Transaction, { before, after }: SlugChange, at: string): Promise<void> {
  if (before.base !== undefined) await keepSlugBefore(tx, { before: before.base.row, after: after.base.row }, at)
  if (before.exceptions.size === 0) return
  const dates = new Set(after.dates.map(({ id }) => id))
  for (const id of before.exceptions.keys()) {
    const slug = ownSlugOf(before, id)
    if (slug !== undefined && dates.has(id) && slugAfter(after, id) !== slug)
      await keepFormerSlugs(tx, id, [{ slug, at }])
  }
}

/** The slug of a date, its own or that of the event; undefined for a further date without one. */
function slugAfter(after: SeriesState, id: number): string | undefined {
  const { row } = after.base
  return ownSlugOf(after, id) ?? (id === row.id ? row.slug : undefined)
}

/** A date's own slug; undefined when it has none. */
function ownSlugOf({ exceptions }: Pick<SeriesState, 'exceptions'>, id: number): string | undefined {
  const own = exceptions.get(id)
  return own !== undefined && exceptionOf(own.row)?.fields.includes('slug') === true ? own.row.slug : undefined
}
