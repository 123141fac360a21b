import { type CostText, presentCost, readCost, type SiteCurrency } from '../../../../base/text/cost.ts'
import { encodeText } from '../../../../base/text/entities.ts'
import { plainText } from '../../../../base/text/html.ts'
import type { EventRow } from '../../../../calendar/events/index.ts'
import { customFields } from '../../../../model/kinds/custom-fields.ts'
import { tickets, ticketsIn } from '../../../../model/kinds/tickets.ts'
import type { Site } from '../../../../model/site.ts'
import type { Skipped } from '../../types.ts'
import { below, isObject, noteAt, type SourceObject, textAt, unusable, valueAt } from './members.ts'
import { safeJson } from './unknown.ts'

/** The columns of what an event costs. */
export type CostColumns = Pick<EventRow, 'cost' | 'cost_symbol' | 'cost_position'>

/** What was recorded of a cost beside its text. */
interface Details extends Pick<CostText, 'symbol' | 'position'> {
  /** Amounts; `[]` where there are none, or something else. */
  readonly values: readonly string[]
}

/**
 * The cost as recorded. The recorded currency counts where it gives the recorded text, which names what people really
 * pay; else the currency that the text itself names. Where the text does not give the recorded amounts (`Free` for `0`, the
 * lowest and the highest of several) and these give the text, they are the cost.
 * @throws recorded_not_usable
 */
export function readCostColumns(source: SourceObject, site: Site): CostColumns {
  const cost = readCost(valueAt(source, 'cost') === false ? '' : (valueAt(source, 'cost') ?? ''))
  if (!cost.ok) throw unusable(below(source.place, 'cost'), 'is not a cost')
  const { values, ...currency } = readDetails(source)
  const named: CostText = { text: cost.cost.text, ...currency }
  const ofSite = { symbol: site.currencySymbol, position: site.currencyPosition }
  const shown = encodeText(named.text)
  const read = presentCost(named, ofSite).cost === shown ? named : cost.cost
  const told = { ...read, text: values.join(', ') }
  const isTold = !gives(read, { shown, values }, ofSite) && gives(told, { shown, values }, ofSite)
  const { text, symbol, position } = isTold ? told : read
  return { cost: text, cost_symbol: symbol, cost_position: position }
}

/** Whether a cost is shown as it was recorded, with the same amounts. */
function gives(
  cost: CostText,
  { shown, values }: { readonly shown: string; readonly values: readonly string[] },
  site: SiteCurrency,
): boolean {
  const presented = presentCost(cost, site)
  return presented.cost === shown && presented.cost_details.values.join(' ') === values.join(' ')
}

function readDetails(source: SourceObject): Details {
  const details = valueAt(source, 'cost_details')
  if (!isObject(details)) return { symbol: '', position: '', values: [] }
  const inside = { members: details, place: below(source.place, 'cost_details') }
  const position = textAt(inside, 'currency_position')
  const { values } = details
  const isOfAmounts = Array.isArray(values) && values.every((one) => /^-?\d{1,15}(?:\.\d{1,10})?$/.test(String(one)))
  return {
    symbol: plainText(textAt(inside, 'currency_symbol')).slice(0, 40),
    position: position === 'prefix' || position === 'postfix' ? position : '',
    values: isOfAmounts ? values.slice(0, MOST_VALUES).map(String) : [],
  }
}

/** Amounts of a cost that are read. */
const MOST_VALUES = 100

/** The columns with what other sites have in other forms, or not at all. */
export type OwnMembers = Pick<EventRow, 'tickets' | 'custom_fields'>

/** Members of a form of our own: tickets, and site-level fields. What has another form is left out. */
export function readOwnMembers(source: SourceObject, timezone: string, notes: Skipped[]): OwnMembers {
  const leave = (name: string): null => {
    notes.push(noteAt(source, name, 'it has a form that cannot be kept'))
    return null
  }
  const sold = tickets.parse(valueAt(source, 'tickets') ?? [], { now: 0, siteZone: timezone })
  const sales = sold.ok ? ticketsIn(timezone, sold.value) : undefined
  const fields = valueAt(source, 'custom_fields')
  const kept = fieldsOf(isObject(fields) ? fields : {})
  return {
    tickets: sales === undefined ? leave('tickets') : jsonOf(sales),
    custom_fields: kept.ok ? jsonOf(kept.value) : leave('custom_fields'),
  }
}

/** Fields in the form that they have here are as they were written; those of another form are made safe. */
function fieldsOf(fields: Readonly<Record<string, unknown>>): ReturnType<typeof safeJson> {
  const areTexts = Object.values(fields).every((text) => typeof text === 'string' && text.isWellFormed())
  return areTexts && customFields.parse(fields, { now: 0, siteZone: 'UTC' }).ok
    ? { ok: true, value: fields }
    : safeJson(fields)
}

/** JSON of a list or object; null when it is empty. */
function jsonOf(value: unknown): string | null {
  const json = JSON.stringify(value)
  return json === '[]' || json === '{}' ? null : json
}
