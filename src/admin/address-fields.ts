import type { AnyField } from '../model/kinds/field.ts'
import { type FormValues, textIn } from './form-values.ts'

/** What an address has a region in, beside `stateprovince`, which says the same; items from elsewhere may have them. */
const FURTHER_REGIONS: readonly string[] = ['state', 'province']

/** The region follows whatever is smaller than it. */
const BEFORE_REGION = 'city'

/**
 * The fields of an item as its form asks for them: one region of an address, and a further one only where it says
 * something.
 */
export function askedFields(fields: readonly AnyField[], values: FormValues): readonly AnyField[] {
  const region = fields.filter(({ name }) => name === 'stateprovince')
  return fields.flatMap((field) => {
    if (region.includes(field)) return []
    if (FURTHER_REGIONS.includes(field.name) && textIn(values, field.name) === '') return []
    return field.name === BEFORE_REGION ? [field, ...region] : [field]
  })
}

/** Whether a form asks for more than one region of an address, so that it has to say which of them is needed. */
export function hasFurtherRegions(values: FormValues): boolean {
  return FURTHER_REGIONS.some((name) => textIn(values, name) !== '')
}
