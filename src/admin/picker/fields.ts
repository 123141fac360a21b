/** A field of events in which people pick an existing item or name a new one. */
export interface PickedField {
  readonly name: 'venue' | 'organizer' | 'categories' | 'tags'
  /** Name of the list in the API. */
  readonly collection: string
  /** Member with the name. */
  readonly member: string
}

/** The fields that are picked. */
export const PICKED: readonly PickedField[] = [
  { name: 'venue', collection: 'venues', member: 'venue' },
  { name: 'organizer', collection: 'organizers', member: 'organizer' },
  { name: 'categories', collection: 'categories', member: 'name' },
  { name: 'tags', collection: 'tags', member: 'name' },
]

/** Whether several may be picked: their names are separated by commas. */
export function isSeveral({ name }: Pick<PickedField, 'name'>): boolean {
  return name !== 'venue'
}
