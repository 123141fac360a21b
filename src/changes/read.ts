import { fail } from '../errors.ts'
import { headSeq } from '../journal/read.ts'
import type { ResourceKey } from '../model/resource.ts'
import type { Lane, Reader } from '../storage/engine.ts'
import { changeRows, oldestSeq } from './store.ts'
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
  /** Number of the journal after which the next page begins. */
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
 * few enough to be read inline.
 */
const ENTRIES = { together: 500, most: 5000, inline: 20 } as const

/**
 * The changes after a number of the journal, oldest first. A page may hold fewer than there are, even none: `more` says
 * whether to go on.
 * @throws cursor_expired where the journal does not reach back that far, or not as far as the number
 */
export async function readChanges(
  reader: Reader,
  { since, resources, limit, view }: ChangesAsked,
): Promise<ChangePage> {
  // Read first: every entry up to it is found by the queries that follow.
  const head = await headSeq(reader)
  await requireReach(reader, { since, head })
  const changes: SeenChange[] = []
  let seq = since
  for (let read = 0; read < ENTRIES.most && seq < head; read += ENTRIES.together) {
    const rows = await changeRows(reader, { seq, resources, limit: ENTRIES.together, lane: laneFor(head - seq) })
    for (const row of rows) {
      const { seq: own, at, resource, id, revision } = row
      const action = view(row)
      if (id === undefined || action === undefined) continue
      changes.push({ seq: own, at, resource, id, action, revision })
      if (changes.length === limit) return { changes, seq: own, more: own < head }
    }
    const last = rows.at(-1)?.seq ?? seq
    if (rows.length < ENTRIES.together) return { changes, seq: Math.max(last, head), more: false }
    seq = last
  }
  return { changes, seq, more: seq < head }
}

function laneFor(entries: number): Lane {
  return entries <= ENTRIES.inline ? 'inline' : 'offloaded'
}

async function requireReach(
  reader: Reader,
  { since, head }: { readonly since: number; readonly head: number },
): Promise<void> {
  if (since > head) throw fail('cursor_expired')
  if (since === head) return
  const oldest = await oldestSeq(reader)
  if (oldest === undefined || oldest > since + 1) throw fail('cursor_expired')
}
