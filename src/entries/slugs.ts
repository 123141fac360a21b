import type { EntryKey } from '../model/resource.ts'
import type { Transaction } from '../storage/engine.ts'
import { withEnding } from '../text/slug.ts'
import { isTrashedSlug } from './trash.ts'

/** A slug that no other row of the table has: the wanted one, else with `-2`, `-3` … behind it. */
export async function freeSlug(
  tx: Transaction,
  wish: { readonly table: EntryKey | 'category' | 'tag'; readonly slug: string; readonly id: number },
): Promise<string> {
  const { table, slug, id } = wish
  // The ending of the trash must stay whole: the slug before it comes back.
  const numbered = (number: number): string =>
    isTrashedSlug(slug) ? `${slug}-${number}` : withEnding(slug, `-${number}`)
  const isFree = async (candidate: string): Promise<boolean> => {
    const query = tx.db.selectFrom(table).select('id').where('slug', '=', candidate).where('id', '!=', id)
    return (await tx.first(query)) === undefined
  }
  if (await isFree(slug)) return slug
  return numbered(await firstFree((number) => isFree(numbered(number))))
}

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
