import type { CustomTypesConfig } from 'pg'

/** PostgreSQL type IDs whose values are numbers here (`select oid, typname from pg_type`). */
const NUMBERS = { int8: 20, int2: 21, int4: 23, oid: 26, float4: 700, float8: 701, numeric: 1700 } as const

const BOOLEAN = 16
const BYTES = 17

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  ...Object.values(NUMBERS).map((type) => [type, numberOf] as const),
  [BOOLEAN, (text) => (text === 't' ? 1 : 0)],
  [BYTES, (text) => Buffer.from(text.slice('\\x'.length), 'hex')],
])

/** How the driver parses values: numbers as numbers, booleans as 0 and 1, everything else as text. */
export const POSTGRES_TYPES: CustomTypesConfig = {
  getTypeParser: (type: number) => PARSERS.get(type) ?? ((text: string) => text),
}

/** @throws RangeError for a whole number that a JavaScript number would round */
function numberOf(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text)) {
    throw new RangeError(`the integer ${text} is too large for a number`)
  }
  return value
}

/**
 * Values for the driver: booleans become 0 and 1, an array stays one value. PostgreSQL refuses text with a NUL; no
 * stored text has one (`tidyCharacters`), so a lookup with U+FFFD in its place finds nothing either.
 * @throws TypeError for what no column can contain: undefined, NaN, infinities, dates, objects, functions
 */
export function bindable(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value, index) => {
    if (Array.isArray(value)) return value.map((item) => simpleValue(item, index))
    return simpleValue(value, index)
  })
}

function simpleValue(value: unknown, index: number): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  if (value === null || typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint8Array) return value
  const kind = typeof value === 'number' ? String(value) : typeof value
  throw new TypeError(`value ${index + 1} of the statement cannot be stored: ${kind}`)
}
