import type { EventsRoom } from '../calendar/events/index.ts'
import type { OrganizerContent } from '../calendar/organizers/index.ts'
import type { OpenLinked } from '../calendar/shared/linked/open.ts'
import type { VenueContent } from '../calendar/venues/index.ts'
import type { Site } from '../model/site.ts'
import type { Storage } from '../storage/engine.ts'

/** What the namespace is built on: the resources of the interface. */
export interface TecDeps {
  readonly storage: Storage
  readonly site: Site
  readonly events: EventsRoom
  readonly venues: OpenLinked<VenueContent>
  readonly organizers: OpenLinked<OrganizerContent>
}
