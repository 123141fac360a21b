import { type Kind, mistyped, refuse } from './kind.ts'

/** A decimal number within bounds: coordinates, distances. Text is accepted when it is a plain decimal. */
export function number(minimum: number, maximum: number): Kind<number> {
  return {
    control: 'number',
    declared: { type: 'double' },
    schema: { type: 'number', minimum, maximum },
    parse(value) {
      const given = typeof value === 'string' && /^\s*[+-]?\d*\.?\d+\s*$/.test(value) ? Number(value) : value
      if (typeof given !== 'number' || !Number.isFinite(given)) return mistyped('not_number')
      return given < minimum || given > maximum ? refuse('out_of_range') : { ok: true, value: given }
    },
  }
}
