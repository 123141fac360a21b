import { type CallerRole, ROLES } from '../../src/http/auth/rights.ts'
import { STATUSES, type Status } from '../../src/model/status.ts'

/*
 * What the documents say on who may do what to which entry (decisions: Rights, Trash; wire: events 8, rest 4.3 and
 * 4.4), written down from them and not from the server. An outcome is a text: status code and then the code of the
 * error or the status of the entry.
 */

/** Every caller, the least powerful first. */
export const CALLERS: readonly CallerRole[] = ['anonymous', ...ROLES.toReversed()]

/** Whether the caller owns an entry. */
export type Whose = 'own' | "others'"

/** An entry of someone, as a caller meets it. */
export interface Meeting {
  readonly caller: CallerRole
  readonly whose: Whose
  readonly status: Status
}

const all = STATUSES.join(' ')
const UNPUBLISHED = 'draft pending trash'

/** Statuses of the entries that each role reads and changes. */
const READS: Readonly<Record<CallerRole, Readonly<Record<Whose, string>>>> = {
  anonymous: { own: '', "others'": 'publish' },
  subscriber: { own: all, "others'": 'publish' },
  contributor: { own: all, "others'": 'publish' },
  author: { own: all, "others'": 'publish' },
  editor: { own: all, "others'": all },
  administrator: { own: all, "others'": all },
}
const CHANGES: typeof READS = {
  anonymous: { own: '', "others'": '' },
  subscriber: { own: '', "others'": '' },
  contributor: { own: UNPUBLISHED, "others'": '' },
  author: { own: all, "others'": '' },
  editor: { own: all, "others'": all },
  administrator: { own: all, "others'": all },
}
/** Roles that create entries. */
export const WRITERS = 'contributor author editor administrator'
/** Roles that publish, and that write terms. */
export const PUBLISHERS = 'author editor administrator'
/** Roles that may do everything with what belongs to others. */
export const EDITORS = 'editor administrator'

/** Whether a word is among words. */
export function isAmong(words: string, word: string): boolean {
  return words.split(' ').includes(word)
}

/** What a caller is told who may not: 401 where credentials could help. */
export function refusalOf(caller: CallerRole): string {
  return `${caller === 'anonymous' ? 401 : 403} rest_forbidden`
}

/** What reading an entry comes to; `key` names its kind. */
export function readOutcome(key: string, meeting: Meeting): string {
  return mayRead(meeting) ? `200 ${meeting.status}` : `403 ${key}-not-accessible`
}

/** What changing an entry comes to. `to` is undefined for a change that names no status. Whatever was `future` has a date in the future. */
export function changeOutcome(meeting: Meeting, to: Status | undefined): string {
  const { caller, status } = meeting
  if (!mayChange(meeting)) return refusalOf(caller)
  if (to === undefined || to === status) return `200 ${status}`
  const settled = settledStatus(caller, to, status === 'future')
  return settled === undefined ? refusalOf(caller) : `200 ${settled}`
}

/** What naming another author, or the caller, comes to. */
export function handOverOutcome(meeting: Meeting, isToSelf: boolean): string {
  const isAllowed = mayChange(meeting) && (isToSelf || isAmong(EDITORS, meeting.caller))
  return isAllowed ? `200 ${meeting.status}` : refusalOf(meeting.caller)
}

/** What moving an entry to the trash comes to. */
export function trashOutcome(key: string, meeting: Meeting): string {
  if (!mayChange(meeting)) return refusalOf(meeting.caller)
  return meeting.status === 'trash' ? `410 ${key}-is-in-trash` : '200 trash'
}

/** What creating an entry in someone's name with a status comes to; `sent` is undefined without one. */
export function createOutcome(caller: CallerRole, whose: Whose, sent: Status | undefined): string {
  if (!isAmong(WRITERS, caller) || (whose !== 'own' && !isAmong(EDITORS, caller))) return refusalOf(caller)
  if (sent === undefined) return isAmong(PUBLISHERS, caller) ? '201 publish' : '201 draft'
  const settled = settledStatus(caller, sent, sent === 'future')
  return settled === undefined ? refusalOf(caller) : `201 ${settled}`
}

/** The status that someone gives who asks for one; undefined when it is refused. */
function settledStatus(caller: CallerRole, sent: Status, isLater: boolean): Status | undefined {
  if (isAmong('publish future', sent)) {
    if (!isAmong(PUBLISHERS, caller)) return 'pending'
    return isLater ? 'future' : 'publish'
  }
  return isAmong(PUBLISHERS, caller) || !isAmong('private trash', sent) ? sent : undefined
}

/** Whether someone may read an entry. */
export function mayRead({ caller, whose, status }: Meeting): boolean {
  return isAmong(READS[caller][whose], status)
}

/** Whether someone may change an entry. */
export function mayChange({ caller, whose, status }: Meeting): boolean {
  return isAmong(CHANGES[caller][whose], status)
}

/** Whether a list shows an entry: what its reader may read, without the trash unless that is asked for. */
export function isListed(meeting: Meeting, asked?: Status | 'any'): boolean {
  const { caller, status } = meeting
  if (!isAmong(WRITERS, caller)) return status === 'publish'
  const isAsked = asked === undefined || asked === 'any' ? status !== 'trash' : asked === status
  return isAsked && mayRead(meeting)
}
