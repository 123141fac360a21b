import { globalId } from '../../entries/present.ts'
import type { EventRow } from '../../events/index.ts'
import { tickets, ticketsIn } from '../../fields/tickets.ts'
import { plainNamesOf } from '../../model/column.ts'
import { EVENT_COLUMNS } from '../../model/event.ts'
import type { Site } from '../../model/site.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import { type CostText, presentCost, readCost } from '../../text/cost.ts'
import { encodeText } from '../../text/entities.ts'
import { plainText } from '../../text/plain.ts'
import { isZone, toUtc } from '../../time/zones.ts'
import { type Identity, identityOf } from './identity.ts'
import {
  below,
  clockAt,
  flagAt,
  idAt,
  isObject,
  type Place,
  placeText,
  type Recorded,
  requiredClockAt,
  textAt,
  unusable,
  valueAt,
} from './members.ts'
import { addressAt, columnAt, ENTRY_MEMBERS, type RecordedEntry, readEntry } from './read-entry.ts'
import { leftOut, type Read } from './read-term.ts'
import type { Skipped } from './types.ts'
import { safeJson } from './unknown.ts'

/** The columns of an event that a record decides. */
export type RecordedColumns = Omit<EventRow, keyof EntryColumns | 'password_hash' | 'post_parent'>

/** An event as it was recorded, cleaned, without what it embeds. */
export interface RecordedEvent {
  readonly place: Place
  readonly identity: Identity
  readonly entry: RecordedEntry
  readonly columns: RecordedColumns
  /** Global id of the event that it is a part of; '' when none. */
  readonly parentGlobalId: string
}

const PLAIN = plainNamesOf(EVENT_COLUMNS)

const KNOWN: ReadonlySet<string> = new Set([
  ...ENTRY_MEMBERS,
  ...PLAIN,
  ...['title', 'all_day', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone', 'timezone_abbr'],
  ...['start_date_details', 'end_date_details', 'utc_start_date_details', 'utc_end_date_details'],
  ...['cost', 'cost_details', 'website', 'categories', 'tags', 'venue', 'organizer'],
  ...['custom_fields', 'tickets', 'post_parent', 'password'],
])

/**
 * Reads an event without what it embeds; `around` is the site that the file names, '' when none. One whose content a
 * password hid is left out.
 * @throws recorded_not_usable when it has no id, title member or dates, and for members of a wrong type
 */
export function readEvent(
  recorded: Recorded,
  { around, site }: { readonly around: string; readonly site: Site },
): Read<RecordedEvent> {
  const { place } = recorded
  const identity = identityOf(recorded, around)
  if (identity === undefined) throw unusable(below(place, 'id'), 'is missing')
  if (typeof valueAt(recorded, 'title') !== 'string') {
    throw unusable(below(place, 'title'), valueAt(recorded, 'title') === undefined ? 'is missing' : 'is not a text')
  }
  // Lists answer null to those without the password (wire: events 7); a text of '' would empty what is stored.
  if (recorded.members['all_day'] === null) return leftOut(place, 'a password hid its content')
  const timezone = readZone(recorded, site)
  const { entry, skipped } = readEntry(recorded, { known: KNOWN, zone: timezone })
  const own = readOwnMembers(recorded, timezone)
  const parent = idAt(recorded, 'post_parent')
  const item = {
    place,
    identity,
    entry,
    columns: {
      title: plainText(textAt(recorded, 'title')),
      ...readTimes(recorded, timezone),
      ...readCostColumns(recorded, site),
      website: readWebsite(recorded, identity, site),
      all_day: flagAt(recorded, 'all_day') ? 1 : 0,
      ...readPlain(recorded),
      ...own.columns,
    },
    parentGlobalId: parent === undefined ? '' : identity.globalId.replace(/\?id=.*$/, `?id=${parent}`),
  }
  return { item, skipped: [...skipped, ...own.skipped] }
}

type PlainColumns = Omit<
  RecordedColumns,
  keyof Times | keyof CostColumns | keyof OwnMembers | 'title' | 'website' | 'all_day'
>

/** The columns that need no code of their own. */
function readPlain(recorded: Recorded): PlainColumns {
  const values = PLAIN.map((name) => [name, columnAt(recorded, name, EVENT_COLUMNS[name])])
  // These are all the columns that are neither named above nor made here.
  return Object.fromEntries(values) as PlainColumns
}

/** The zone as recorded; that of our site where none was. */
function readZone(recorded: Recorded, site: Site): string {
  const zone = textAt(recorded, 'timezone').trim()
  if (zone === '') return site.zone
  if (!isZone(zone)) throw unusable(below(recorded.place, 'timezone'), 'is not a time zone')
  return zone
}

/** The address as recorded; null, for the event's own page, when none was recorded or it is this page of ours. */
function readWebsite(recorded: Recorded, identity: Identity, site: Site): string | null {
  if (valueAt(recorded, 'website') === undefined) return null
  const isOurs = identity.globalId === globalId(site.host, identity.wishedId)
  return isOurs && textAt(recorded, 'website') === textAt(recorded, 'url') ? null : addressAt(recorded, 'website')
}

type Times = Pick<RecordedColumns, 'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone'>

/** The dates as recorded. The UTC ones are kept too, also where they do not follow from zone and wall clock. */
function readTimes(recorded: Recorded, timezone: string): Times {
  const start_local = requiredClockAt(recorded, 'start_date', timezone)
  const end_local = requiredClockAt(recorded, 'end_date', timezone)
  return {
    start_local,
    end_local,
    start_utc: clockAt(recorded, 'utc_start_date', 'UTC') ?? toUtc(start_local, timezone),
    end_utc: clockAt(recorded, 'utc_end_date', 'UTC') ?? toUtc(end_local, timezone),
    timezone,
  }
}

type CostColumns = Pick<RecordedColumns, 'cost' | 'cost_symbol' | 'cost_position'>

/**
 * The cost as recorded. The recorded currency counts where it gives the recorded text, which names what people really
 * pay; else the currency that the text itself names.
 */
function readCostColumns(recorded: Recorded, site: Site): CostColumns {
  const cost = readCost(valueAt(recorded, 'cost') === false ? '' : (valueAt(recorded, 'cost') ?? ''))
  if (!cost.ok) throw unusable(below(recorded.place, 'cost'), 'is not a cost')
  const named: CostText = { text: cost.cost.text, ...readCurrency(recorded) }
  const shown = presentCost(named, { symbol: site.currencySymbol, position: site.currencyPosition }).cost
  const { text, symbol, position } = shown === encodeText(named.text) ? named : cost.cost
  return { cost: text, cost_symbol: symbol, cost_position: position }
}

function readCurrency(recorded: Recorded): Pick<CostText, 'symbol' | 'position'> {
  const details = valueAt(recorded, 'cost_details')
  if (!isObject(details)) return { symbol: '', position: '' }
  const inside = { members: details, place: below(recorded.place, 'cost_details') }
  const position = textAt(inside, 'currency_position')
  return {
    symbol: plainText(textAt(inside, 'currency_symbol')).slice(0, 40),
    position: position === 'prefix' || position === 'postfix' ? position : '',
  }
}

type OwnMembers = Pick<RecordedColumns, 'tickets' | 'custom_fields'>

/** Members of a form of our own: tickets, and site-level fields. What has another form is left out. */
function readOwnMembers(
  recorded: Recorded,
  timezone: string,
): { readonly columns: OwnMembers; readonly skipped: readonly Skipped[] } {
  const skipped: Skipped[] = []
  const leave = (name: string): null => {
    skipped.push({ what: placeText(below(recorded.place, name)), why: 'it has a form that cannot be kept' })
    return null
  }
  const sold = tickets.parse(valueAt(recorded, 'tickets') ?? [], { now: 0, siteZone: timezone })
  const sales = sold.ok ? ticketsIn(timezone, sold.value) : undefined
  const fields = valueAt(recorded, 'custom_fields')
  const kept = safeJson(isObject(fields) ? fields : {})
  const columns = {
    tickets: sales === undefined ? leave('tickets') : jsonOf(sales),
    custom_fields: kept.ok ? jsonOf(kept.value) : leave('custom_fields'),
  }
  return { columns, skipped }
}

/** JSON of a list or object; null when it is empty. */
function jsonOf(value: unknown): string | null {
  const json = JSON.stringify(value)
  return json === '[]' || json === '{}' ? null : json
}
