import { field } from './kinds/field.ts'
import { termName } from './kinds/term-name.ts'
import { inline, slug } from './kinds/text.ts'

/** The fields of an event tag in the interface's order (interface: Event tag). */
export const TAG_FIELDS = [
  field('name', termName, 'api.terms.nameTerm', { label: 'fields.name', required: true, example: 'Rowing' }),
  field('description', inline, 'api.terms.descriptionTerm', {
    label: 'fields.description',
    cleared: '',
    example: 'On the bay',
  }),
  field('slug', slug, 'api.terms.partUrlIdentifiesTerm', { label: 'fields.slug' }),
] as const
