import { EVENT_STATUSES } from '../../../model/attendance.ts'
import type { Status } from '../../../model/status.ts'
import { headingKey } from './columns.ts'
import type { RowCells } from './row-cells.ts'
import { meaningOf } from './words.ts'

/** What becomes of an event: one of its statuses, or `tentative`. */
type EventStatus = (typeof EVENT_STATUSES)[number] | 'tentative'

/** What a row says of its status. */
export interface RowStatus {
  /** Undefined where it says nothing of publication. */
  readonly publication: Status | undefined
  /** Undefined where it says nothing of what became of the event. */
  readonly event: EventStatus | undefined
}

/** The publication statuses that words stand for, the strictest first. */
const PUBLICATION = {
  private: 'private',
  unpublished: 'private',
  no: 'private',
  draft: 'draft',
  trash: 'draft',
  pending: 'pending',
  public: 'publish',
  yes: 'publish',
} as const

const WORDS = Object.keys(PUBLICATION) as (keyof typeof PUBLICATION)[]
const EVENT_WORDS = [...EVENT_STATUSES, 'tentative'] as const

/**
 * The status of a row, of publication and of the event: programs have columns of one name for either. Of several words the
 * strictest counts, and an entry that something marks as private is (real-files: Laws 4).
 */
export function statusOfRow(cells: RowCells): RowStatus {
  const found = new Set<Status>()
  let event: EventStatus | undefined
  for (const field of ['event_status', 'status'] as const)
    for (const { text } of cells.all(field)) {
      const own = meaningOf(text, field === 'status' ? WORDS : ['draft', 'private', 'pending'])
      const meant = meaningOf(text, EVENT_WORDS)
      if (own === 'trash') cells.notes.add('import.note.trashed', { value: text })
      if (own !== undefined) found.add(PUBLICATION[own])
      else if (meant !== undefined) event ??= meant
      else cells.unread(field, text)
    }
  for (const { text, heading } of cells.all('private')) {
    const meant = meaningOf(text, ['yes', 'private', 'no', 'public', 'draft'])
    // A class may as well be one of a school.
    const isOther = meant === undefined && headingKey(heading) === 'class'
    if (isOther) cells.unread('private', text)
    else if (meant === undefined) cells.notes.add('import.note.madePrivate', { value: text })
    if (meant === 'draft') found.add('draft')
    else if (meant !== 'no' && meant !== 'public' && !isOther) found.add('private')
  }
  const strictest = ['private', 'draft', 'pending', 'publish'] as const
  return { publication: strictest.find((one) => found.has(one)), event }
}
