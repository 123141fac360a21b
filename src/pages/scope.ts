import type { Freshness } from '../http/route.ts'
import { type Markup, NOTHING } from './html.ts'

/** Of which events the views below an address are: of all, or those of a venue, organizer, category or tag. */
export interface Scope {
  /** Path above its views, with a slash at its end: `/events/`, `/venue/town-hall/`. */
  readonly base: string
  /** Path of its list. */
  readonly home: string
  /** Parameters of the list of events that leave these events. */
  readonly filter: Readonly<Record<string, string>>
  /** The same for the address in the API that pages name; `filter` if absent. */
  readonly data?: Readonly<Record<string, string>>
  /** Plain text; '' for all events. */
  readonly name: string
  /** The heading of its list: its kind, its name, its facts. */
  readonly intro: Markup
  /** For search engines, plain text; '' for nothing. */
  readonly summary: string
  readonly image?: string
  readonly jsonLd?: unknown
  /** Dependencies of the intro. */
  readonly dependencies: Freshness['dependencies']
  /** True for what not everybody may read. */
  readonly isPrivate: boolean
}

/** All events. */
export const ALL_EVENTS: Scope = {
  base: '/events/',
  home: '/events/',
  filter: {},
  name: '',
  intro: NOTHING,
  summary: '',
  dependencies: [],
  isPrivate: false,
}
