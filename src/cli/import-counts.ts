import type { ImportReport } from './types.ts'

/** What became of the items of files, in words: a line for each kind that came, and one for skipped items. */
export function describeCounts(counts: ImportReport['counts'], left: number): string {
  const came = Object.entries(counts).filter(([kind, one]) => kind === 'event' || Object.values(one).some((n) => n > 0))
  const lines = came.map(
    ([kind, { created, updated, unchanged }]) =>
      `${kind}: ${created} created, ${updated} updated, ${unchanged} unchanged\n`,
  )
  return `${lines.join('')}${left} skipped\n`
}
