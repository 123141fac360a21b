import { wholeNumber } from './integer.ts'
import { type Kind, type ParseResult, refuse } from './kind.ts'

/** Most items that one list may hold. */
export const LIST_LIMIT = 1000

/** Most characters of all texts of one list: each of its items may be as long as the longest name. */
const TEXT_LIMIT = 256_000

/** Whether a list has more text than allowed, which is known before anything is split, trimmed or folded. */
export function isOverlong(value: unknown): boolean {
  let length = 0
  for (const item of Array.isArray(value) ? value : [value]) if (typeof item === 'string') length += item.length
  return length > TEXT_LIMIT
}

/** The items of a CSV text, array, object of values or scalar; undefined for null. Blank items are dropped. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === 'string' ? csv(item) : [item]))
  if (typeof value === 'string') return csv(value)
  return typeof value === 'object' ? Object.values(value) : [value]
}

function csv(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** A list of IDs, each 1 or more, as array or CSV; at least one. */
export const idList: Kind<readonly number[]> = {
  declared: { type: 'array', items: { type: 'integer' } },
  schema: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: LIST_LIMIT },
  parse(value): ParseResult<readonly number[]> {
    if (isOverlong(value)) return refuse('bad_list')
    const items = itemsOf(value) ?? []
    const ids = items.map(wholeNumber)
    if (ids.length === 0 || ids.length > LIST_LIMIT) return refuse('bad_list')
    const known = ids.filter((id) => id !== undefined && id > 0)
    return known.length === ids.length ? { ok: true, value: [...new Set(known as number[])] } : refuse('bad_list')
  },
}

/** A list of term IDs, slugs or names as array or CSV; at least one. Items are text; the module finds the terms. */
export const termRefs: Kind<readonly string[]> = {
  declared: { type: 'array', items: { type: 'integer' } },
  schema: { type: 'array', items: { type: ['integer', 'string'] }, minItems: 1, maxItems: LIST_LIMIT },
  parse(value): ParseResult<readonly string[]> {
    if (isOverlong(value)) return refuse('bad_list')
    const items = itemsOf(value) ?? []
    if (items.length === 0 || items.length > LIST_LIMIT) return refuse('bad_list')
    const texts = items.map((item) => (typeof item === 'number' ? String(item) : item))
    const known = texts.filter((item) => typeof item === 'string')
    return known.length === texts.length ? { ok: true, value: [...new Set(known)] } : refuse('bad_list')
  },
}
