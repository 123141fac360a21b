import { withEnding } from '../../base/text/slug.ts'
import type { EntryKey } from '../../model/resource.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { type GivenAll, operand, statementTemplate } from '../../storage/statement-template.ts'
import { dateIdBySlug } from '../event-store/series/rows.ts'
import { isTrashedSlug } from './trash.ts'

type Slugged = EntryKey | 'category' | 'tag'

/**
 * A slug that no other row of the table has, and no date of a recurring event: the wanted one, or else with `-2`, `-3` …
 * appended.
 */
export async function freeSlug(
  tx: Transaction,
  wish: { readonly table: Slugged; readonly slug: string; readonly id: number },
): Promise<string> {
  const { table, slug, id } = wish
  // The suffix of the trash must stay whole: the slug before it is restored.
  const numbered = (number: number): string =>
    isTrashedSlug(slug) ? `${slug}-${number}` : withEnding(slug, `-${number}`)
  const isFree = async (candidate: string): Promise<boolean> => {
    const asked = { shape: table, values: { slug: candidate, id } }
    if ((await tx.first(otherWith(tx, asked))) !== undefined) return false
    if (table !== 'event' || isTrashedSlug(candidate)) return true
    const date = await dateIdBySlug(tx, candidate)
    return date === undefined || date === id
  }
  if (await isFree(slug)) return slug
  return numbered(await firstFree((number) => isFree(numbered(number))))
}

const otherWith = statementTemplate(
  (reader: Reader, table: Slugged, { slug, id }: GivenAll<{ readonly slug: string; readonly id: number }>) =>
    reader.db.selectFrom(table).select('id').where('slug', '=', operand(slug)).where('id', '!=', operand(id)),
)

/** Doubling and then halving: a title used a thousand times costs twenty questions, not a thousand. */
async function firstFree(isFree: (number: number) => Promise<boolean>): Promise<number> {
  let taken = 1
  let free = 2
  while (!(await isFree(free))) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(middle)) free = middle
    else taken = middle
  }
  return free
}
