import type { EventResult } from './schemas.ts'

/** Most bytes of a result as JSON. */
const RESULT_LIMIT = 25_000

/** Room for the members beside the rows, a cursor among them. */
const FRAME = 500

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** The first rows, as many as fit into a result; at least one, if need be with fewer members of its lists. */
export function fittingRows<Item extends object>(rows: readonly Item[]): readonly Item[] {
  const [first] = rows
  if (first === undefined) return []
  const fitting = [shortened(first, listsOf(first), RESULT_LIMIT - FRAME)]
  let room = RESULT_LIMIT - FRAME - bytesOf(fitting)
  for (const row of rows.slice(1)) {
    room -= bytesOf(row) + 1
    if (room < 0) break
    fitting.push(row)
  }
  return fitting
}

/** What an event loses first where it is too long for a result. */
const LEAST = ['dates', 'tickets', 'tags', 'categories', 'organizers', 'recurrence'] as const

/** An event that fits into a result: its lists are cut, its dates and tickets first, and its description last. */
export function fittingEvent(event: EventResult): EventResult {
  const short = shortened(event, LEAST, RESULT_LIMIT)
  let { description } = short
  while (bytesOf({ ...short, description }) > RESULT_LIMIT) description = description.slice(0, description.length * 0.9)
  return description === short.description
    ? short
    : { ...short, description: description.toWellFormed(), truncated: true }
}

/** An item with lists cut from their ends, one after the other, until it has so few bytes, or the lists are empty. */
function shortened<Item extends object>(item: Item, names: readonly (keyof Item)[], limit: number): Item {
  const short = { ...item }
  for (const name of names) {
    const list: unknown = short[name]
    if (!Array.isArray(list)) continue
    let excess = bytesOf(short) - limit
    if (excess <= 0) return short
    const kept = [...list]
    while (kept.length > 0 && excess > 0) excess -= bytesOf(kept.pop()) + 1
    Object.assign(short, { [name]: kept })
  }
  return short
}

function listsOf<Item extends object>(item: Item): readonly (keyof Item)[] {
  return (Object.keys(item) as (keyof Item)[]).filter((name) => Array.isArray(item[name]))
}
