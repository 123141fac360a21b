import { DISTANCE_FIELDS, linkedListFields } from '../entries/linked/filters.ts'

/** Query parameters of the list of venues (interface: Venues), then ours. What they mean is written once for linked items. */
export const VENUE_LIST_FIELDS = [...linkedListFields('venues'), ...DISTANCE_FIELDS] as const
