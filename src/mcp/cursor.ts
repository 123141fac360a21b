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

/** Arguments of a call. */
type Arguments = Readonly<Record<string, unknown>>

/** The cursor of a place in the list that a tool reads with some arguments; undefined beyond the last place. */
export function writeCursor(tool: string, args: Arguments, { offset, now }: ListPlace): string | undefined {
  if (offset > MOST) return undefined
  return Buffer.from(JSON.stringify([offset, now, digestOf(tool, args)])).toString('base64url')
}

/** The place in the cursor of a call, or the start; undefined for a cursor of other arguments. */
export function readCursor(tool: string, { cursor, ...args }: Arguments, now: number): ListPlace | undefined {
  if (cursor === undefined) return { offset: 0, now }
  const [offset, started, digest] = parsed(Buffer.from(String(cursor), 'base64url').toString())
  const isSound = Number.isSafeInteger(offset) && Number(offset) > 0 && Number(offset) <= MOST
  if (!isSound || !Number.isSafeInteger(started) || digest !== digestOf(tool, args)) return undefined
  return { offset: Number(offset), now: Number(started) }
}

function parsed(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** Of the tool and its arguments, in whatever order they were sent. */
function digestOf(tool: string, { cursor: _, ...args }: Arguments): string {
  const sorted = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([tool, sorted]), 'base64url').slice(0, 12)
}
