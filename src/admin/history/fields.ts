import type { RawInput } from '../../http/request/body.ts'
import type { AnyField } from '../../model/kinds/field.ts'
import { customText, isDeclared } from '../declared.ts'

/** Where an item of the journal has what a field says, if under another name. */
const COLUMNS: Readonly<Record<string, string>> = {
  venue: 'name',
  organizer: 'name',
  start_date: 'start_local',
  end_date: 'end_local',
  image: 'image_id',
}

/** Kinds of linked items by the fields of events. */
const LINKS: Readonly<Record<string, string>> = {
  venue: 'venue',
  organizer: 'organizer',
  categories: 'category',
  tags: 'tag',
}

/** What an item was after a change, as the API takes it; undefined where the journal does not say. */
export function pastValue(snapshot: RawInput, field: AnyField): unknown {
  if (isDeclared(field)) return customText(snapshot, field)
  const { name, kind } = field
  const value = snapshot[COLUMNS[name] ?? name]
  switch (kind.control) {
    case undefined:
    case 'secret':
    case 'published':
      return undefined
    case 'linked':
    case 'terms':
      return linksIn(snapshot, name)
    case 'image':
      return value ?? false
    case 'boolean':
      return value === 1 || value === true
    case 'recurrence':
      return linesIn(value)
    case 'tickets':
      return typeof value === 'string' ? (JSON.parse(value) as unknown) : []
    case 'choice':
      return value === 'scheduled' ? '' : (value ?? '')
    case 'number':
      return value ?? ''
    default:
      return value === null ? undefined : value
  }
}

function linksIn({ links }: RawInput, name: string): unknown {
  const kind = LINKS[name]
  return kind === undefined || typeof links !== 'object' || links === null ? undefined : (links as RawInput)[kind]
}

function linesIn(value: unknown): readonly string[] {
  if (typeof value !== 'string') return []
  const { lines } = JSON.parse(value) as { lines?: unknown }
  return Array.isArray(lines) ? lines.map(String) : []
}

/** The fields in which two states of an item differ. */
export function changedFields(fields: readonly AnyField[], one: RawInput, other: RawInput): readonly AnyField[] {
  return fields.filter((field) => JSON.stringify(pastValue(one, field)) !== JSON.stringify(pastValue(other, field)))
}

/** A value in a few words; '' where only its name is useful: long texts and links. */
export function inShort({ kind, name }: AnyField, value: unknown): string {
  const isTold = ['line', 'zone', 'moment', 'money', 'number', 'choice', 'day'].includes(kind.control ?? '')
  if (kind.control === 'recurrence' && Array.isArray(value)) return value.join(' ').slice(0, LONGEST)
  const isName = kind.control === 'linked' && typeof value === 'string' && name !== ''
  return isTold || isName ? String(value ?? '').slice(0, LONGEST) : ''
}

/** Characters of a value that a history shows. */
const LONGEST = 120
