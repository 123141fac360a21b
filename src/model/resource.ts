/**
 * The five resources of the interface: their names in routes, responses and page addresses.
 * `key` is the name of an item, `collection` the path and list member, `page` the first part of a page address,
 * `wireType` the type name of the wire (`?post_type=` addresses, `taxonomy` of terms).
 */
export const RESOURCES = {
  event: { key: 'event', collection: 'events', page: 'event', wireType: 'tribe_events' },
  venue: { key: 'venue', collection: 'venues', page: 'venue', wireType: 'tribe_venue' },
  organizer: { key: 'organizer', collection: 'organizers', page: 'organizer', wireType: 'tribe_organizer' },
  category: { key: 'category', collection: 'categories', page: 'events/category', wireType: 'tribe_events_cat' },
  tag: { key: 'tag', collection: 'tags', page: 'tag', wireType: 'post_tag' },
} as const

/** Name of a resource. */
export type ResourceKey = keyof typeof RESOURCES

/** The resources that have a status, an author and a slug. */
export type EntryKey = 'event' | 'venue' | 'organizer'

/** The resources that classify events. */
export type TermKey = 'category' | 'tag'
