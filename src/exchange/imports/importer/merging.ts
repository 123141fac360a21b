import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type MessageId, withValues } from '../../../base/i18n/translate.ts'
import { linesOfHtml } from '../../../base/text/lines.ts'
import { storedJson } from '../../../base/text/stored-json.ts'
import { placeOf } from '../../../base/time/observances.ts'
import { datesOf, isEndless } from '../../../base/time/recurrence/dates.ts'
import { readRecurrence } from '../../../base/time/recurrence/lines.ts'
import { type EventRow, firstDateOf } from '../../../calendar/events/index.ts'
import { EVENT_FIELDS } from '../../../model/event.ts'
import { CALENDAR_PARTS, TABLE_PARTS } from '../../../model/event-parts.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { Skipped } from '../types.ts'
import type { ImportedItem, MergedEvent, Merging } from './outcome.ts'
import { type ImportedEvent, storeImportedEvents } from './store-events.ts'
import { type CurrencyOfSite, isSameInTable, type MergedPair } from './table-parts.ts'

/** The imported state of an event: a digest of each of its parts, and the values of its own of each date. */
export interface Said {
  readonly parts: Readonly<Record<string, string>>
  readonly dates: Readonly<Record<string, string>>
}

/** The parts of an event that are changed apart from each other, by the name that people see, and their columns. */
function partsFor(isTable: boolean): Readonly<Record<string, readonly string[]>> {
  const parts = Object.entries({ ...CALENDAR_PARTS, ...(isTable && TABLE_PARTS) })
  const own = parts.flatMap(([name, { columns }]) => (columns.length === 0 ? [] : [[name, columns] as const]))
  return { ...Object.fromEntries(own), modified: ['modified_at'], extra: ['extra'] }
}

const FIELDS: readonly AnyField[] = EVENT_FIELDS

/** What people see as the names of parts that are no single field. */
const LABELS: Readonly<Record<string, MessageId>> = {
  dates: 'admin.when',
  cancellation: 'admin.import.eventStatus',
  extra: 'import.otherValues',
}

/** What people see as the name of a part. */
function labelOf(part: string): string {
  const [name] = { ...CALENDAR_PARTS, ...TABLE_PARTS }[part]?.fields ?? []
  return LABELS[part] ?? FIELDS.find((field) => field.name === name)?.label ?? part
}

const LINKS = ['venue', 'organizer', 'category', 'tag'] as const

/** What merging starts with. */
export interface MergingStart {
  /** The imported state of the events before, by the global IDs under which they are stored. */
  readonly said: ReadonlyMap<string, ImportedEvent>
  /** Their names in the file, where these are others. */
  readonly names: ReadonlyMap<string, string>
  /** Subscription that says it now; 0 for a file. */
  readonly subscription: number
  /** The parts of which a table says something; undefined for calendars, which say something of all but the further ones. */
  readonly says: ReadonlySet<string> | undefined
  readonly site: CurrencyOfSite
  /** Called in each transaction that stores events. */
  readonly check?: ((tx: Transaction) => Promise<void>) | undefined
}

/**
 * Merges events with what was changed here: a part that differs from its last imported state was changed here, and stays. What a
 * file of another form cannot say stays as well.
 */
export class EventMerging implements Merging {
  readonly #kept = new Map<string, Skipped>()
  readonly #said: MergingStart['said']
  readonly #names: MergingStart['names']
  readonly #subscription: number
  readonly #check: MergingStart['check']
  readonly #parts: ReturnType<typeof partsFor>
  readonly #says: MergingStart['says']
  readonly #site: CurrencyOfSite
  readonly #now = new Map<string, { parts: Record<string, string>; dates: Record<string, string> }>()

  constructor({ said, names, subscription, says, site, check }: MergingStart) {
    this.#check = check
    this.#said = said
    this.#names = names
    this.#subscription = subscription
    this.#says = says
    this.#site = site
    this.#parts = partsFor(says !== undefined)
  }

  /** Parts that stay although the file differs now. */
  get kept(): readonly Skipped[] {
    return [...this.#kept.values()]
  }

  merge(name: string, wanted: MergedEvent, stored: MergedEvent | undefined): MergedEvent {
    const now = this.#partsOf(wanted)
    this.#now.set(name, { parts: now, dates: {} })
    if (stored === undefined) return wanted
    const pair = { wanted, stored }
    const row = this.#said.get(name)
    const said = row === undefined ? undefined : storedJson<Said>(row.said).parts
    const have = this.#partsOf(stored)
    const stays = (part: string): boolean => {
      const isBack = row?.is_gone === 1 && part === 'status'
      if (part === 'status' && isHidden(pair) && said?.['status'] !== now['status']) return false
      if (this.#says?.has(part) === false && !isBack) {
        // A value without a column in the table counts as unchanged.
        now[part] = said?.[part] ?? have[part] ?? ''
        return true
      }
      if (isBack) return false
      // Texts in another Unicode form are the same; places and organizers may be the same in another order.
      if (have[part] === now[part]) return !LINKS.some((one) => one === part)
      if (said === undefined)
        return (
          isUnsaid(part, pair) || this.#isRoundTrip(part, pair) || (this.#says === undefined && isUnsayable(part, pair))
        )
      if (have[part] !== said[part]) {
        if (said[part] !== now[part] && part !== 'modified')
          this.#kept.set(`${name} ${part}`, {
            what: stored.row.title.slice(0, 100),
            why: withValues('import.problem.changedHere', { field: labelOf(part) }),
          })
        return true
      }
      return this.#isRoundTrip(part, pair)
    }
    return this.#merged(pair, stays)
  }

  #isRoundTrip(part: string, pair: MergedPair): boolean {
    return isRoundTrip(part, pair) || (this.#says !== undefined && isSameInTable(part, pair, this.#site))
  }

  #merged({ wanted, stored }: MergedPair, stays: (part: string) => boolean): MergedEvent {
    const changed: Record<string, unknown> = {}
    for (const [part, columns] of Object.entries(this.#parts))
      if (!stays(part)) for (const column of columns) changed[column] = Reflect.get(wanted.row, column)
    const links = { ...stored.links }
    for (const kind of LINKS) if (!stays(kind)) links[kind] = linksTo(kind, { wanted, stored })
    const lines = stays('dates') ? stored.lines : wanted.lines
    const isTouched = Object.entries(changed).some(
      ([name, value]) => name !== 'modified_at' && value !== Reflect.get(stored.row, name),
    )
    // A date of modification alone is no change.
    if (!isTouched && isDeepStrictEqual([links, lines], [stored.links, stored.lines]))
      changed['modified_at'] = stored.row.modified_at
    const isRestored = stored.row.status === 'trash' && changed['status'] !== undefined
    const slug = isRestored && changed['status'] !== 'trash' ? { slug: wanted.row.slug } : {}
    // The columns were taken from a row of the same kind.
    const row = { ...stored.row, ...changed, ...slug } as EventRow
    return { row, links, lines }
  }

  isBack(name: string): boolean {
    return this.#said.get(name)?.is_gone === 1
  }

  keepsDate(name: string, recurrenceId: string, own: string | undefined): boolean {
    const row = this.#said.get(name)
    if (row === undefined) return false
    return (own === undefined ? undefined : digestOf(own)) !== storedJson<Said>(row.said).dates[recurrenceId]
  }

  tellDate(name: string, recurrenceId: string, own: string): void {
    const now = this.#now.get(name)
    if (now !== undefined) now.dates[recurrenceId] = digestOf(own)
  }

  async record(tx: Transaction, imported: readonly ImportedItem[]): Promise<void> {
    await this.#check?.(tx)
    const changed = imported.flatMap(({ name: own, id, outcome }): ImportedEvent[] => {
      const now = this.#now.get(own)
      // A job that runs again merges again; of very many events all digests together are large.
      this.#now.delete(own)
      if (now === undefined || id === undefined || typeof outcome !== 'string') return []
      const name = this.#names.get(own) ?? own
      const row = { id, subscription: this.#subscription, name, said: JSON.stringify(now), is_gone: 0 }
      return isDeepStrictEqual({ ...this.#said.get(own) }, row) ? [] : [row]
    })
    if (changed.length > 0) await storeImportedEvents(tx, changed)
  }

  #partsOf(event: MergedEvent): Record<string, string> {
    return digestsOf(event, this.#parts)
  }
}

/** Something of which digests are made as of an event. */
type Digested = Pick<MergedEvent, 'links' | 'lines'> & { readonly row: object }

/** The digests of some parts of an event, and of its links, as they are stored with it. */
export function partsOfEvent(event: Digested, names: readonly string[]): Record<string, string> {
  return digestsOf(event, Object.fromEntries(Object.entries(partsFor(false)).filter(([name]) => names.includes(name))))
}

function digestsOf({ row, links, lines }: Digested, wanted: ReturnType<typeof partsFor>): Record<string, string> {
  const parts: Record<string, string> = {}
  for (const [part, columns] of Object.entries(wanted)) {
    const values = columns.map((column): unknown => Reflect.get(row, column))
    parts[part] = digestOf(JSON.stringify(part === 'dates' ? [values, lines] : values))
  }
  for (const kind of LINKS) parts[kind] = digestOf(JSON.stringify(links[kind].toSorted((one, other) => one - other)))
  return parts
}

/** What an event is to refer to; the order of terms means nothing, so the same ones stay in the order that they have. */
function linksTo(kind: (typeof LINKS)[number], { wanted, stored }: MergedPair): readonly number[] {
  const [next, now] = [wanted.links[kind], stored.links[kind]]
  const isTerm = kind === 'category' || kind === 'tag'
  const same = (ids: readonly number[]): string => [...new Set(ids)].toSorted((one, other) => one - other).join()
  return isTerm && same(next) === same(now) ? now : next
}

/** Whether an event that people see, or may see soon, is marked as private. */
function isHidden({ wanted, stored }: MergedPair): boolean {
  return wanted.isPrivate === true && ['publish', 'future', 'pending'].includes(stored.row.status)
}

/** Of an event that was not imported in this way before: a value that a file leaves out is not empty. */
function isUnsaid(part: string, pair: MergedPair): boolean {
  const { wanted, stored } = pair
  if (part === 'status' || part === 'modified') return true
  if (part === 'image') return stored.row.image_id !== null || wanted.row.image_recorded === null
  if (part === 'website') return wanted.row.website === null || isRoundTrip(part, pair)
  if (part === 'extra') return wanted.row.extra === null
  if (part === 'venue' || part === 'organizer' || part === 'category' || part === 'tag')
    return wanted.links[part].length === 0
  return isRoundTrip(part, pair)
}

/** Whether the stored part is one that no calendar says as it is: why an event does not take place as planned, and several organizers. */
function isUnsayable(part: string, { wanted, stored }: MergedPair): boolean {
  if (part === 'cancellation')
    return wanted.row.event_status === 'scheduled' && !['scheduled', 'canceled'].includes(stored.row.event_status)
  const [next, now] = [wanted.links.organizer, stored.links.organizer]
  return part === 'organizer' && now.length > 1 && next.every((id) => now.includes(id))
}

/** Whether a part is what the exporter makes of the stored one: its plain text, the page of the event here. */
function isRoundTrip(part: string, { wanted, stored }: MergedPair): boolean {
  if (part === 'description')
    return (
      !/<(?!\/?(?:p|br)\b)/i.test(wanted.row.description) &&
      linesOfHtml(wanted.row.description) === linesOfHtml(stored.row.description || stored.row.excerpt)
    )
  if (part === 'website') return wanted.row.website?.endsWith(`/event/${stored.row.slug}/`) === true
  if (part === 'dates') return haveSameDates(wanted, stored)
  return false
}

const DAYS = ['start_local', 'end_local', 'all_day'] as const
const MOMENTS = ['start_utc', 'end_utc', 'all_day'] as const

/**
 * Whether two events take place at the same times although they say it differently: files name no zone for days, and
 * write in UTC what is on a clock that never changes.
 */
function haveSameDates(wanted: MergedEvent, stored: MergedEvent): boolean {
  const { timezone, all_day } = stored.row
  if ((all_day === 1 ? DAYS : MOMENTS).some((column) => wanted.row[column] !== stored.row[column])) return false
  const isFixed = placeOf(timezone) === undefined && wanted.lines.length === 0
  const isSameClock = wanted.row.timezone === timezone || all_day === 1 || isFixed
  return isSameClock && startsOf(wanted) === startsOf(stored)
}

/** Far enough for rules without end that differ to give other dates. */
const FAR = '2060-01-01 00:00:00'

function startsOf({ row, lines }: MergedEvent): string {
  if (lines.length === 0) return ''
  const reading = readRecurrence(lines, firstDateOf(row))
  if (!reading.ok) return lines.join()
  const { recurrence } = reading
  const dates = datesOf(recurrence, firstDateOf(row), isEndless(recurrence) ? { horizon: FAR, limit: 1_000 } : {})
  if (!dates.ok) return lines.join()
  return `${isEndless(recurrence)} ${dates.dates.map(({ recurrenceId }) => recurrenceId).join()}`
}

function digestOf(text: string): string {
  return createHash('sha256').update(text.normalize('NFC')).digest('base64url').slice(0, 22)
}
