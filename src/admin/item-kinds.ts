import type { MessageId } from '../base/i18n/translate.ts'
import type { Role } from '../http/auth/rights.ts'
import { CATEGORY_FIELDS } from '../model/category.ts'
import type { AnyField } from '../model/kinds/field.ts'
import { ORGANIZER_FIELDS } from '../model/organizer.ts'
import type { TermKey } from '../model/resource.ts'
import { TAG_FIELDS } from '../model/tag.ts'
import { VENUE_FIELDS } from '../model/venue.ts'

/** A kind of items beside events, with its pages. */
export interface ItemKind {
  /** Name in the journal. */
  readonly resource: 'venue' | 'organizer' | TermKey
  /** Name of the collection in the API and in addresses. */
  readonly collection: string
  readonly title: MessageId
  readonly create: MessageId
  /** Member with the name. */
  readonly member: string
  readonly fields: readonly AnyField[]
  readonly role: Role
  /** Members that the list shows beside the name. */
  readonly columns: readonly string[]
  /** Whether items have a parent among themselves. */
  readonly isTree?: true
}

/** The kinds of items beside events. */
export const KINDS: readonly ItemKind[] = [
  {
    resource: 'venue',
    collection: 'venues',
    title: 'admin.venues',
    create: 'admin.newVenue',
    member: 'venue',
    // Whether maps are shown is for programs: pages show them wherever they can.
    fields: VENUE_FIELDS.filter(({ name }) => !name.startsWith('show_map')),
    role: 'contributor',
    columns: ['address', 'city'],
  },
  {
    resource: 'organizer',
    collection: 'organizers',
    title: 'fields.organizers',
    create: 'admin.newOrganizer',
    member: 'organizer',
    fields: ORGANIZER_FIELDS,
    role: 'contributor',
    columns: ['email', 'phone'],
  },
  {
    resource: 'category',
    collection: 'categories',
    title: 'fields.categories',
    create: 'admin.newCategory',
    member: 'name',
    fields: CATEGORY_FIELDS,
    role: 'author',
    columns: ['count'],
    isTree: true,
  },
  {
    resource: 'tag',
    collection: 'tags',
    title: 'fields.tags',
    create: 'admin.newTag',
    member: 'name',
    fields: TAG_FIELDS,
    role: 'author',
    columns: ['count'],
  },
]

/** Whether items of a kind are categories or tags, which have a name and no status. */
export function isTerm({ resource }: Pick<ItemKind, 'resource'>): boolean {
  return resource === 'category' || resource === 'tag'
}
