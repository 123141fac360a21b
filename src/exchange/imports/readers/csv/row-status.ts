import { EVENT_STATUSES } from '../../../../model/attendance.ts'
import type { Status } from '../../../../model/status.ts'
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

/** The words of a row about one thing, each with its meaning. */
type Words<Meant> = [text: string, meant: Meant][]

const STRICTEST = ['private', 'draft', 'pending', 'publish'] as const

/**
 * The status of a row, of publication and of the event: programs have columns of one name for either. Of several words the
 * strictest counts, and an entry that something marks as private is private.
 */
export function statusOfRow(cells: RowCells): RowStatus {
  const published: Words<Status> = privacyOf(cells)
  const events: Words<EventStatus> = []
  for (const field of ['event_status', 'status'] as const)
    for (const { text } of cells.all(field)) {
      const own = meaningOf(text, field === 'status' ? WORDS : ['draft', 'private', 'pending'])
      const meant = meaningOf(text, EVENT_WORDS)
      if (own === 'trash') cells.note('import.note.trashed', { value: text })
      if (own !== undefined) published.push([text, PUBLICATION[own]])
      else if (meant !== undefined) events.push([text, meant])
      else cells.unread(field, text)
    }
  const publication = STRICTEST.find((one) => published.some(([, status]) => status === one))
  const event = events[0]?.[1]
  // To be public is what everything is that nothing keeps from it.
  const others = [
    ...published.filter(([, status]) => status !== publication && status !== 'publish'),
    ...events.filter(([, status]) => status !== event),
  ]
  for (const [value] of others) cells.note('import.note.otherValue', { value })
  return { publication, event }
}

function privacyOf(cells: RowCells): Words<Status> {
  return cells.all('private').flatMap(({ text, heading }): Words<Status> => {
    const meant = meaningOf(text, ['yes', 'private', 'no', 'public', 'draft'])
    if (meant === 'no' || meant === 'public') return []
    // A class may as well be one of a school.
    if (meant === undefined && headingKey(heading) === 'class') return cells.unread('private', text) ?? []
    if (meant === undefined) cells.note('import.note.madePrivate', { value: text })
    return [[text, meant === 'draft' ? 'draft' : 'private']]
  })
}
