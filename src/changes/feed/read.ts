import { Failure, fail } from '../../base/errors.ts'
import type { ResourceKey } from '../../model/resource.ts'
import type { Lane, Reader } from '../../storage/engine.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { type ChangeRow, type ChangesQuery, changeRows, oldestSeq } from './store.ts'
import type { ChangeAction, ChangeView } from './visibility.ts'

/** One change as a caller sees it. */
export interface SeenChange {
  readonly seq: number
  /** UTC text. */
  readonly at: string
  readonly resource: ResourceKey
  readonly id: number
  readonly action: ChangeAction
  readonly revision: number
}

/** Changes that follow each other. */
export interface ChangePage {
  readonly changes: readonly SeenChange[]
  /** Number of the journal after which the next page starts. */
  readonly seq: number
  /** Whether there was more when it was read. */
  readonly more: boolean
}

/** Which changes to read. */
export interface ChangesAsked {
  readonly since: number
  readonly resources: readonly ResourceKey[]
  /** Most changes of a page. */
  readonly limit: number
  readonly view: ChangeView
}

/**
 * Entries that are read together; most of one page, because others' drafts may lie between two changes that are seen; and
 * few enough to be read inline, or where longer texts take too long together.
 */
const ENTRIES = { together: 500, most: 5000, few: 20 } as const

/**
 * The changes after a number of the journal, oldest first. A page may hold fewer than there are, even none: `more` says
 * whether to continue.
 * @throws cursor_expired where the journal does not reach back that far, or not as far as the number
 */
export async function readChanges(
  reader: Reader,
  { since, resources, limit, view }: ChangesAsked,
): Promise<ChangePage> {
  // Read first: every entry up to it is found by the queries that follow.
  const head = await requireReach(reader, since)
  const changes: SeenChange[] = []
  let seq = since
  for (let read = 0; read < ENTRIES.most && seq < head; read += ENTRIES.together) {
    const { rows, limit: asked } = await entriesAfter(reader, { seq, resources, lane: laneFor(head - seq) })
    for (const row of rows) {
      const { seq: own, at, resource, id, revision } = row
      const action = view(row)
      if (id === undefined || action === undefined) continue
      changes.push({ seq: own, at, resource, id, action, revision })
      if (changes.length === limit) return { changes, seq: own, more: own < head }
    }
    const last = rows.at(-1)?.seq ?? seq
    if (rows.length < asked) return { changes, seq: Math.max(last, head), more: false }
    seq = last
    // The rest may take as long again: it is left to the next page.
    if (asked < ENTRIES.together) break
  }
  return { changes, seq, more: seq < head }
}

/** The next entries, and how many were asked for: fewer where many take too long, so that long texts stop nobody. */
async function entriesAfter(
  reader: Reader,
  query: Omit<ChangesQuery, 'limit'>,
): Promise<{ readonly rows: readonly ChangeRow[]; readonly limit: number }> {
  const { together, few } = ENTRIES
  try {
    return { rows: await changeRows(reader, { ...query, limit: together }), limit: together }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rest_query_too_costly') throw error
    return { rows: await changeRows(reader, { ...query, limit: few }), limit: few }
  }
}

function laneFor(entries: number): Lane {
  return entries <= ENTRIES.few ? 'inline' : 'offloaded'
}

/** The last number of the journal. @throws cursor_expired where the journal does not reach from a number to it */
export async function requireReach(reader: Reader, since: number): Promise<number> {
  const head = await headSeq(reader)
  if (since > head) throw fail('cursor_expired')
  if (since === head) return head
  const oldest = await oldestSeq(reader)
  if (oldest === undefined || oldest > since + 1) throw fail('cursor_expired')
  return head
}
