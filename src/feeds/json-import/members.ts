import { fail } from '../../errors.ts'
import { booleanOf } from '../../fields/boolean.ts'
import { parseDate } from '../../time/parse.ts'
import { toLocal, toUtc } from '../../time/zones.ts'

/** An object of a recorded answer with the place where it stands. */
export interface Recorded {
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

/** The member as it stands; undefined when it is absent or null. */
export function valueAt(recorded: Recorded, name: string): unknown {
  const { members } = recorded
  return Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined
}

/** An object, with its place. @throws recorded_not_usable */
export function recordedAt(value: unknown, place: Place): Recorded {
  if (!isObject(value)) throw unusable(place, 'is not an object')
  return { members: value, place }
}

/** Whether a value is an object with members: no array, not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a member; '' when it is absent, null or false. @throws recorded_not_usable */
export function textAt(recorded: Recorded, name: string): string {
  const value = valueAt(recorded, name)
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw unusable(below(recorded.place, name), 'is not a text')
}

/** A yes or no; the fallback when it is absent, null or ''. @throws recorded_not_usable */
export function flagAt(recorded: Recorded, name: string, fallback = false): boolean {
  const value = valueAt(recorded, name)
  if (value === undefined || value === '') return fallback
  const flag = booleanOf(value)
  if (flag === undefined) throw unusable(below(recorded.place, name), 'is neither true nor false')
  return flag
}

/** A whole number that names something, as number or digits; undefined when it is absent, null, '', false or 0. */
export function idAt(recorded: Recorded, name: string): number | undefined {
  const value = valueAt(recorded, name)
  if (value === undefined || value === '' || value === false) return undefined
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    throw unusable(below(recorded.place, name), 'is not an id')
  return id === 0 ? undefined : id
}

/** A number, also as text; null when it is absent or no number. */
export function numberAt(recorded: Recorded, name: string): number | null {
  const value = valueAt(recorded, name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The elements of a list with their places; a single object counts as a list of one, none (null, false, '') as `[]`. */
export function listAt(
  recorded: Recorded,
  name: string,
): readonly { readonly value: unknown; readonly place: Place }[] {
  const value = valueAt(recorded, name)
  const place = below(recorded.place, name)
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
export function clockAt(recorded: Recorded, name: string, zone: string): string | undefined {
  const text = textAt(recorded, name)
  // Relative dates such as `tomorrow` would mean another day with every import.
  const parsed = /^\s*\d{4}-\d\d-\d\d/.test(text) ? parseDate(text, { now: 0, zone }) : undefined
  if (parsed?.ok !== true) return undefined
  return parsed.kind === 'local' ? parsed.local : toLocal(parsed.utc, zone)
}

/** A clock reading that cannot be missing. @throws recorded_not_usable */
export function requiredClockAt(recorded: Recorded, name: string, zone: string): string {
  const clock = clockAt(recorded, name, zone)
  if (clock !== undefined) return clock
  const isMissing = valueAt(recorded, name) === undefined
  throw unusable(below(recorded.place, name), isMissing ? 'is missing' : 'is not a date that can be read')
}

/**
 * A moment that is recorded twice, in UTC under `name_utc` and on the clock of a zone under `name`: UTC text, undefined
 * when neither is a date. Drafts have zeros for the first.
 */
export function momentAt(recorded: Recorded, name: string, zone: string): string | undefined {
  const utc = clockAt(recorded, `${name}_utc`, 'UTC')
  if (utc !== undefined) return utc
  const local = clockAt(recorded, name, zone)
  return local === undefined ? undefined : toUtc(local, zone)
}
