import type { EventRow } from '../../../../calendar/events/index.ts'
import { customFields } from '../../../../model/kinds/custom-fields.ts'
import { tickets, ticketsIn } from '../../../../model/kinds/tickets.ts'
import type { Skipped } from '../../types.ts'
import { below, isObject, placeText, type SourceObject, valueAt } from './members.ts'
import { safeJson } from './unknown.ts'

/** The columns with what other sites have in other forms, or not at all. */
export type OwnMembers = Pick<EventRow, 'tickets' | 'custom_fields'>

/** Members of a form of our own: tickets, and site-level fields. What has another form is left out. */
export function readOwnMembers(
  source: SourceObject,
  timezone: string,
): { readonly columns: OwnMembers; readonly skipped: readonly Skipped[] } {
  const skipped: Skipped[] = []
  const leave = (name: string): null => {
    skipped.push({ what: placeText(below(source.place, name)), why: 'it has a form that cannot be kept', isNote: true })
    return null
  }
  const sold = tickets.parse(valueAt(source, 'tickets') ?? [], { now: 0, siteZone: timezone })
  const sales = sold.ok ? ticketsIn(timezone, sold.value) : undefined
  const fields = valueAt(source, 'custom_fields')
  const kept = fieldsOf(isObject(fields) ? fields : {})
  const columns = {
    tickets: sales === undefined ? leave('tickets') : jsonOf(sales),
    custom_fields: kept.ok ? jsonOf(kept.value) : leave('custom_fields'),
  }
  return { columns, skipped }
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
