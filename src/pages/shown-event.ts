import type { EventWithRelations } from '../calendar/events/index.ts'
import type { Incoming } from '../http/route.ts'
import type { PagesDeps } from './deps.ts'
import type { PageContext } from './page-context.ts'

/** An event that a page shows, with what its page is made of. */
export interface ShownEvent {
  readonly event: EventWithRelations
  readonly context: PageContext
  readonly deps: PagesDeps
  readonly incoming: Incoming
  /** Whether the reader sees its content. */
  readonly isOpened: boolean
}
