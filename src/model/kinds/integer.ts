import { type Kind, mistyped, type ParseResult, refuse } from './kind.ts'

/** Whole number of a scalar: JSON integers and text such as `10`, ` 10`, `1.0`, `1e1`; undefined for everything else. */
export function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!/^[+-]?\d+(\.0*)?([eE]\+?\d{1,3})?$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

function parsePositive(value: unknown): ParseResult<number> {
  const number = wholeNumber(value)
  if (number === undefined || number < 1) return refuse('not_positive')
  return { ok: true, value: number }
}

/** A whole number of 1 or more: page, per_page, the ID of something that exists. */
export const positive: Kind<number> = {
  declared: { type: 'integer' },
  schema: { type: 'integer', minimum: 1 },
  parse: parsePositive,
}

/** A whole number of 0 or more, where 0 (also '' and false) says none: a parent. */
export const positiveOrNone: Kind<number> = {
  declared: { type: 'integer' },
  schema: { type: 'integer', minimum: 0 },
  parse(value) {
    if (value === '' || value === false || (Array.isArray(value) && value.length === 0)) return { ok: true, value: 0 }
    const number = wholeNumber(value)
    if (number === undefined) return mistyped('not_integer')
    return number < 0 ? refuse('not_positive') : { ok: true, value: number }
  },
}

/** The digits of a path segment; may exceed every ID that exists. */
export const pathId: Kind<number> = {
  declared: { type: 'integer' },
  schema: { type: 'integer', minimum: 1 },
  parse(value) {
    const digits = typeof value === 'string' ? value : ''
    const number = Number(digits)
    return /^\d+$/.test(digits) && Number.isSafeInteger(number) && number > 0
      ? { ok: true, value: number }
      : refuse('unknown_id')
  },
}
