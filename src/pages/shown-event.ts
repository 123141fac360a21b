import type { EventWithRelations } from '../calendar/events/index.ts'
import type { Incoming } from '../http/route.ts'
import type { PageContext } from './page-context.ts'
import type { WebParts } from './parts.ts'

/** An event that a page shows, with what its page is made of. */
export interface ShownEvent {
  readonly event: EventWithRelations
  readonly context: PageContext
  readonly parts: WebParts
  readonly incoming: Incoming
  /** Whether the reader sees its content. */
  readonly isOpened: boolean
}
