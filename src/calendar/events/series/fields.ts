import { isDeepStrictEqual } from 'node:util'
import { DATE_PARTS, type EventPart } from '../../../model/event-parts.ts'
import type { EventState } from '../../event-store/copies.ts'

function columnsOf(name: string): readonly string[] {
  const { columns = [], along = [] } = DATE_PARTS[name] ?? {}
  return [...columns, ...along]
}

function differs(part: EventPart, one: EventState, other: EventState): boolean {
  if (part.columns.some((name) => Reflect.get(one.row, name) !== Reflect.get(other.row, name))) return true
  return part.links !== undefined && !isDeepStrictEqual(one.links[part.links], other.links[part.links])
}

/** What a date has for itself when it comes whole from elsewhere: everything in which it differs from the series. */
export function differingParts(own: EventState, usual: EventState): string[] {
  return Object.entries(DATE_PARTS).flatMap(([name, part]) => (differs(part, own, usual) ? [name] : []))
}

/** The values of what a date has for itself: of its columns, and what it is linked to. */
export function ownValues({ row, links }: EventState, names: readonly string[]): readonly unknown[] {
  return names.map((name) => {
    const part = DATE_PARTS[name]
    return [
      columnsOf(name).map((one): unknown => Reflect.get(row, one)),
      part?.links === undefined ? [] : links[part.links],
    ]
  })
}

/** What a date has for itself after a write: what was sent and differs from the series, and what it had before. */
export function ownFields(
  values: Readonly<Record<string, unknown>>,
  { had, own, usual }: { readonly had: readonly string[]; readonly own: EventState; readonly usual: EventState },
): string[] {
  return Object.entries(DATE_PARTS).flatMap(([name, part]) => {
    const isSent = part.fields.some((field) => values[field] !== undefined)
    const isOwn = isSent ? differs(part, own, usual) : had.includes(name)
    return isOwn ? [name] : []
  })
}

/** A date as the series has it, with what it has for itself. */
export function withOwn(usual: EventState, own: EventState, names: readonly string[]): EventState {
  let { row, links } = usual
  for (const name of names) {
    const part = DATE_PARTS[name]
    row = { ...row, ...Object.fromEntries(columnsOf(name).map((one) => [one, Reflect.get(own.row, one)])) }
    if (part?.links !== undefined) links = { ...links, [part.links]: own.links[part.links] }
  }
  return { row, links }
}
