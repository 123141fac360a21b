import { isHttpUrl } from '../../base/text/http-url.ts'
import { isCalendarDate } from '../../base/time/clock.ts'
import { FIELD_NAME } from './custom-fields.ts'

/** Types of declared fields. */
export const DECLARED_TYPES = ['text', 'number', 'boolean', 'date', 'url', 'choice'] as const

/** A further field of events that a site has declared. */
export interface DeclaredField {
  /** As in `custom_fields`. */
  readonly name: string
  /** What people read. */
  readonly label: string
  readonly type: (typeof DECLARED_TYPES)[number]
  /** The values of a choice; `[]` for other types. */
  readonly choices: readonly string[]
}

/** Most fields that a site declares: as many as an event may have. */
export const MOST_DECLARED = 50

const [LONGEST, MOST_CHOICES] = [200, 100]

/** A declared field, or an English sentence without a period about what is wrong with it. */
export type ReadDeclaration =
  | { readonly ok: true; readonly field: DeclaredField }
  | { readonly ok: false; readonly reason: string }

/** What is sent to declare a field; choices are separated by commas. */
export interface DeclarationInput {
  readonly name: string
  readonly type: string
  readonly label?: string | undefined
  readonly choices?: string | undefined
}

/** Reads a declaration; the label is the name where none is given. */
export function readDeclaration({ name, type, label = name, choices }: DeclarationInput): ReadDeclaration {
  const refused = (reason: string): ReadDeclaration => ({ ok: false, reason })
  if (!FIELD_NAME.test(name)) return refused('its name is not 1 to 64 lower case letters, digits and underscores')
  const known = DECLARED_TYPES.find((one) => one === type)
  if (known === undefined) return refused(`its type is none of ${DECLARED_TYPES.join(', ')}`)
  const text = label.trim()
  if (text === '' || text.length > LONGEST) return refused(`its label is not 1 to ${LONGEST} characters`)
  const values = (choices ?? '').split(',').map((one) => one.trim())
  const given = [...new Set(values)].filter((one) => one !== '')
  if (known !== 'choice') {
    if (given.length > 0) return refused('choices are for the type choice only')
    return { ok: true, field: { name, label: text, type: known, choices: [] } }
  }
  if (given.length === 0 || given.length > MOST_CHOICES || given.some((one) => one.length > LONGEST))
    return refused(`it needs 1 to ${MOST_CHOICES} choices of at most ${LONGEST} characters`)
  return { ok: true, field: { name, label: text, type: known, choices: given } }
}

/** What is wrong with the value of a declared field, as the end of an English sentence; undefined when nothing is. */
export function problemOfValue({ type, choices }: DeclaredField, value: string): string | undefined {
  // An empty text stands for no value.
  if (value === '') return undefined
  const problems: Readonly<Record<DeclaredField['type'], string | undefined>> = {
    text: undefined,
    number: /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? undefined : 'is not a number',
    boolean: value === 'true' || value === 'false' ? undefined : 'is neither true nor false',
    date: isDay(value) ? undefined : 'is not a date such as 2027-06-30',
    url: isHttpUrl(value) ? undefined : 'is not an http or https address',
    choice: choices.includes(value) ? undefined : `is none of ${choices.join(', ')}`,
  }
  return problems[type]
}

function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  return year !== undefined && isCalendarDate({ year: Number(year), month: Number(month), day: Number(day) })
}
