import { field } from './kinds/field.ts'
import { termName } from './kinds/term-name.ts'
import { inline, slug } from './kinds/text.ts'

/** The fields of an event tag in the interface's order (interface: Event tag). */
export const TAG_FIELDS = [
  field('name', termName, 'Name of the term', { label: 'Name', required: true, example: 'Rowing' }),
  field('description', inline, 'Text about the term', {
    label: 'Description',
    cleared: '',
    example: 'On the bay',
  }),
  field('slug', slug, 'Part of the address that names the term', { label: 'Slug' }),
] as const
