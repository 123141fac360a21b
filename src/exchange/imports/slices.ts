import { setImmediate } from 'node:timers/promises'

/** Items after which others have their turn: one takes about a millisecond. */
const SLICE = 10

/** The items of a long list in their order; whoever goes through it with `for await` lets requests be answered in between. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item, void, void> {
  let count = 0
  for (const item of items) {
    count += 1
    if (count % SLICE === 0) await setImmediate()
    yield item
  }
}

/** Items that one query asks for. */
const PART = 500

/** The parts of a long list, so many items each, for one query each; others have their turn in between. */
export async function* inParts<Item>(items: readonly Item[], size = PART): AsyncGenerator<Item[], void, void> {
  for (let start = 0; start < items.length; start += size) {
    // A transaction waits for nothing else: its lists are one part.
    if (start > 0) await setImmediate()
    yield items.slice(start, start + size)
  }
}

/** The rows that one query for each part of a long list finds. */
export async function askInParts<Item, Row>(
  items: readonly Item[],
  ask: (part: readonly Item[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = []
  for await (const part of inParts(items)) for (const row of await ask(part)) found.push(row)
  return found
}
