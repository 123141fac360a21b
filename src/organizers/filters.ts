import { linkedListFields } from '../entries/linked/filters.ts'

/** Query parameters of the list of organizers (interface: Organizers). What they mean is written once for linked items. */
export const ORGANIZER_LIST_FIELDS = linkedListFields('organizers')
