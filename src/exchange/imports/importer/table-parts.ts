import { presentCost } from '../../../base/text/cost.ts'
import { TABLE_PARTS } from '../../../model/event-parts.ts'
import { webAddress } from '../../../model/kinds/address.ts'
import type { Site } from '../../../model/site.ts'
import { columnsSaying } from '../readers/csv/columns.ts'
import type { MergedEvent } from './outcome.ts'

/** An event as a file has it, and as it is stored. */
export interface MergedPair {
  readonly wanted: MergedEvent
  readonly stored: MergedEvent
}

/** The currency of costs that name none. */
export type CurrencyOfSite = Pick<Site, 'currencySymbol' | 'currencyPosition'>

/** The parts of events of which a table with columns for these fields says something: the others stay as they are. */
export function partsSaid(fields: ReadonlySet<string>): ReadonlySet<string> {
  const said = Object.entries(TABLE_PARTS).filter(([, part]) =>
    part.fields.some((field) => columnsSaying(field).some((one) => fields.has(one))),
  )
  return new Set(said.map(([part]) => part))
}

/** Whether the table of events that is made here would say of the stored event what a table says of one of its parts. */
export function isSameInTable(part: string, { wanted, stored }: MergedPair, site: CurrencyOfSite): boolean {
  const [said, here] = [wanted.row, stored.row]
  switch (part) {
    case 'dates':
      // A table does not say how an event recurs, nor which one is meant of the times that a clock shows twice.
      if (stored.lines.length > 0) return true
      return (['start_local', 'end_local', 'timezone', 'all_day'] as const).every((one) => said[one] === here[one])
    case 'description':
    case 'excerpt':
      return said[part] === here[part].trim()
    case 'cost':
      return costShown(said, site) === costShown(here, site)
    case 'cancellation':
      return said.event_status === here.event_status
    case 'attendance':
      return said.virtual_url === (webAddress(here.virtual_url) ?? '')
    case 'website':
      return (said.website ?? '') === (webAddress(here.website ?? '') ?? '')
    default:
      return false
  }
}

function costShown({ cost, cost_symbol, cost_position }: MergedEvent['row'], site: CurrencyOfSite): string {
  const position = cost_position === 'prefix' || cost_position === 'postfix' ? cost_position : ''
  const currency = { symbol: site.currencySymbol, position: site.currencyPosition }
  return presentCost({ text: cost, symbol: cost_symbol, position }, currency).cost
}
