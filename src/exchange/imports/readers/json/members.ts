import { fail } from '../../../../base/errors.ts'
import { parseDate } from '../../../../base/time/parse.ts'
import { toLocal, toUtc } from '../../../../base/time/zones.ts'
import { booleanOf } from '../../../../model/kinds/boolean.ts'
import type { Skipped } from '../../types.ts'

/** An object of a recorded response with the place where it stands. */
export interface SourceObject {
  readonly members: Readonly<Record<string, unknown>>
  readonly place: Place
}

/** A place in a file: `path` is `events[3].venue`, or '' for the whole file. */
export interface Place {
  readonly file: string
  readonly path: string
}

/** The place of a member (`name`) or element (`[3]`) below another. */
export function below(place: Place, step: string | number): Place {
  const next = typeof step === 'number' ? `[${step}]` : step
  const dot = place.path === '' || typeof step === 'number' ? '' : '.'
  return { file: place.file, path: `${place.path}${dot}${next}` }
}

/** A place as messages show it: `june.json: events[3].start_date`. */
export function placeText({ file, path }: Place): string {
  return path === '' ? file : `${file}: ${path}`
}

/** The error that ends an import because of what stands at a place; `reason` continues it: `is not a date`. */
export function unusable(place: Place, reason: string): Error {
  return fail('recorded_not_usable', { place: placeText(place), reason })
}

/** The note on a member that was left out or read differently. */
export function noteAt({ place }: SourceObject, name: string, why: string): Skipped {
  return { what: placeText(below(place, name)), why, isNote: true }
}

/** The member as it stands; undefined when it is absent or null. */
export function valueAt(source: SourceObject, name: string): unknown {
  const { members } = source
  return Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined
}

/** An object, with its place. @throws recorded_not_usable */
export function sourceAt(value: unknown, place: Place): SourceObject {
  if (!isObject(value)) throw unusable(place, 'is not an object')
  return { members: value, place }
}

/** Whether a value is an object with members: no array, not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a member; '' when it is absent, null or false. @throws recorded_not_usable */
export function textAt(source: SourceObject, name: string): string {
  const value = valueAt(source, name)
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw unusable(below(source.place, name), 'is not a text')
}

/** A yes or no; the fallback when it is absent, null or ''. @throws recorded_not_usable */
export function flagAt(source: SourceObject, name: string, fallback = false): boolean {
  const value = valueAt(source, name)
  if (value === undefined || value === '') return fallback
  const flag = booleanOf(value)
  if (flag === undefined) throw unusable(below(source.place, name), 'is neither true nor false')
  return flag
}

/** A whole number that names something, as number or digits; undefined when it is absent, null, '', false or 0. */
export function idAt(source: SourceObject, name: string): number | undefined {
  const value = valueAt(source, name)
  if (value === undefined || value === '' || value === false) return undefined
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    throw unusable(below(source.place, name), 'is not an id')
  return id === 0 ? undefined : id
}

/** A number, also as text; null when it is absent or no number. */
export function numberAt(source: SourceObject, name: string): number | null {
  const value = valueAt(source, name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The elements of a list with their places; a single object counts as a list of one, none (null, false, '') as `[]`. */
export function listAt(
  source: SourceObject,
  name: string,
): readonly { readonly value: unknown; readonly place: Place }[] {
  const value = valueAt(source, name)
  const place = below(source.place, name)
  if (value === undefined || value === false || value === '') return []
  if (isObject(value) && !isNumbered(value)) return [{ value, place }]
  if (typeof value !== 'object' || value === null) throw unusable(place, 'is not a list')
  return Object.values(value).map((one: unknown, index) => ({ value: one, place: below(place, index) }))
}

/** Whether an object is a list of which the recording server had taken elements out: `{"1": ..., "3": ...}`, or `{}`. */
function isNumbered(value: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(value).every((name) => /^\d+$/.test(name))
}

/** A clock reading `YYYY-MM-DD HH:MM:SS` of a zone; undefined when it is absent or no date, such as 0000-00-00. */
export function clockAt(source: SourceObject, name: string, zone: string): string | undefined {
  const text = textAt(source, name)
  // Relative dates such as `tomorrow` would mean another day with every import.
  const parsed = /^\s*\d{4}-\d\d-\d\d/.test(text) ? parseDate(text, { now: 0, zone }) : undefined
  if (parsed?.ok !== true) return undefined
  return parsed.kind === 'local' ? parsed.local : toLocal(parsed.utc, zone)
}

/** A clock reading that cannot be missing. @throws recorded_not_usable */
export function requiredClockAt(source: SourceObject, name: string, zone: string): string {
  const clock = clockAt(source, name, zone)
  if (clock !== undefined) return clock
  const isMissing = valueAt(source, name) === undefined
  throw unusable(below(source.place, name), isMissing ? 'is missing' : 'is not a date that can be read')
}

/**
 * A moment that is recorded twice, in UTC under `name_utc` and on the clock of a zone under `name`: UTC text, undefined
 * when neither is a date. Drafts have zeros for the first.
 */
export function momentAt(source: SourceObject, name: string, zone: string): string | undefined {
  const utc = clockAt(source, `${name}_utc`, 'UTC')
  if (utc !== undefined) return utc
  const local = clockAt(source, name, zone)
  return local === undefined ? undefined : toUtc(local, zone)
}
