import { color } from './color.ts'
import { field } from './kinds/field.ts'
import { positiveOrNone } from './kinds/integer.ts'
import { TAG_FIELDS } from './tag.ts'

/** The fields of an event category in the interface's order (interface: Event category). */
export const CATEGORY_FIELDS = [
  ...TAG_FIELDS,
  field('parent', { ...positiveOrNone, control: 'parent' }, 'api.terms.idParentCategory0None', {
    label: 'fields.parentCategory',
    cleared: 0,
  }),
  field('color', color, 'api.terms.color', { label: 'fields.color', cleared: '', unlisted: true, example: 'teal' }),
] as const
