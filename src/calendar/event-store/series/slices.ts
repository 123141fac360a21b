import type { Reader } from '../../../storage/engine.ts'

/** Dates whose rows are read, made or compared before other work of the process has its turn: some milliseconds. */
const SLICE = 500

/** Does something with the dates of a series, or with their IDs, slice by slice; other work runs between two of them. */
export async function inSlices<Item>(
  reader: Pick<Reader, 'pause'>,
  items: readonly Item[],
  { step, size = SLICE }: { readonly step: (slice: readonly Item[]) => Promise<void>; readonly size?: number },
): Promise<void> {
  for (let done = 0; done < items.length; done += size) {
    if (done > 0) await reader.pause()
    await step(items.slice(done, done + size))
  }
}

/** Exceptions that are stored or dropped without a pause. */
const FEW = 10

/** Does something with each exception of a series; other work runs after every ten. */
export function oneByOne<Item>(
  reader: Pick<Reader, 'pause'>,
  items: readonly Item[],
  step: (item: Item) => Promise<void>,
): Promise<void> {
  const all = async (slice: readonly Item[]): Promise<void> => {
    for (const item of slice) await step(item)
  }
  return inSlices(reader, items, { step: all, size: FEW })
}

/** Lets other work run where a series has so many dates that each thing done with all of them takes milliseconds. */
export async function pauseIfLong(
  reader: Pick<Reader, 'pause'>,
  { dates }: { readonly dates: readonly unknown[] },
): Promise<void> {
  if (dates.length >= SLICE) await reader.pause()
}
