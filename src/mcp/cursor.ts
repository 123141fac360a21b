import { hash } from 'node:crypto'

/** Where a list continues. */
export interface ListPlace {
  /** Rows before it. */
  readonly offset: number
  /** When its first page was read, Unix milliseconds: `now` stays the same on all pages. */
  readonly now: number
}

/** Furthest place of a cursor. */
const MOST = 5_000

/** Arguments of a call as its schema has read them, so that they are in one order. */
type Arguments = Readonly<Record<string, unknown>>

/** The cursor of a place in the list that a tool reads with some arguments; undefined beyond the last place. */
export function writeCursor(tool: string, args: Arguments, { offset, now }: ListPlace): string | undefined {
  return offset > MOST ? undefined : `${offset}-${now}-${digestOf(tool, args)}`
}

/** The place in the cursor of a call, or the start; undefined for a cursor of other arguments. */
export function readCursor(tool: string, args: Arguments, now: number): ListPlace | undefined {
  if (args['cursor'] === undefined) return { offset: 0, now }
  const [, offset, started, digest] = /^(\d{1,4})-(\d{13})-(.{12})$/.exec(String(args['cursor'])) ?? []
  const place = { offset: Number(offset), now: Number(started) }
  return digest === digestOf(tool, args) && place.offset <= MOST ? place : undefined
}

function digestOf(tool: string, { cursor: _, ...args }: Arguments): string {
  return hash('sha256', JSON.stringify([tool, args]), 'base64url').slice(0, 12)
}
