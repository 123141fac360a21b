import type { RowOf } from '../model/column.ts'
import type { EVENT_COLUMNS } from '../model/event.ts'
import type { ORGANIZER_COLUMNS } from '../model/organizer.ts'
import type { Status } from '../model/status.ts'
import type { VENUE_COLUMNS } from '../model/venue.ts'
import type { SubscriptionTable, SyncLogTable } from './subscription-tables.ts'
import type {
  ApplicationPasswordTable,
  ChallengeTable,
  IdempotencyKeyTable,
  IdentityTable,
  MailChoiceTable,
  MailTable,
  PasskeyTable,
  PendingSignInTable,
  RecoveryCodeTable,
  ReviewNoticeTable,
  SessionTable,
  SignInLinkTable,
  TokenTable,
  UsedLogoutTokenTable,
  UserPasswordTable,
  UserTable,
} from './user-tables.ts'
import type { WebhookDeliveryTable, WebhookTable } from './webhook-tables.ts'
import type { LongWorkItemTable, LongWorkTable } from './work-tables.ts'

export type * from './subscription-tables.ts'
export type * from './user-tables.ts'
export type * from './webhook-tables.ts'
export type * from './work-tables.ts'

/**
 * The tables as Kysely sees them. Columns are snake_case, booleans are 0 or 1, moments are UTC text
 * `YYYY-MM-DD HH:MM:SS`, wall clocks are text of the same form in the row's own zone, and JSON is text.
 * The migrations beside this file create exactly these columns; a contract test compares the two.
 */

/** What events, venues and organizers have in common: one row of the calendar that has a status, an author and a slug. */
export interface EntryColumns {
  /** Identifier from the one counter of all entries. */
  id: number
  /** Identifier of the user who owns the entry. */
  author_id: number
  status: Status
  /** Status before the entry went to the trash; null outside the trash. */
  trashed_from: Status | null
  /** Unique within its table, percent-encoded lower-case for non-Latin text; ends with `__trashed` while in the trash. */
  slug: string
  /** Publication date, UTC. */
  published_at: string
  /** Last change, UTC. */
  modified_at: string
  /** Clean HTML as returned; '' when none. */
  description: string
  /** Clean HTML as returned; '' when none. */
  excerpt: string
  /** Entry ID of the image; null when none. */
  image_id: number | null
  /** Image object of an import, JSON as recorded; null when none. */
  image_recorded: string | null
  /** Unknown members of an import, JSON object; null when none. */
  extra: string | null
  /** 1, 2, 3 ... with every change of the row. */
  revision: number
}

/** The columns of every entry, for selections. */
export const ENTRY_COLUMNS = [
  'id',
  'author_id',
  'status',
  'trashed_from',
  'slug',
  'published_at',
  'modified_at',
  'description',
  'excerpt',
  'image_id',
  'image_recorded',
  'extra',
  'revision',
] as const satisfies readonly (keyof EntryColumns)[]

/** An event. */
export type EventTable = EntryColumns & RowOf<typeof EVENT_COLUMNS>

/** What venues and organizers have in common. */
export interface LinkedColumns extends EntryColumns {
  /** Plain text. */
  name: string
  /** fold(name): duplicates are found by it. */
  name_folded: string
  phone: string
  website: string
}

/** The columns of every linked item, for selections. */
export const LINKED_COLUMNS = [
  ...ENTRY_COLUMNS,
  'name',
  'name_folded',
  'phone',
  'website',
] as const satisfies readonly (keyof LinkedColumns)[]

/** A venue (interface: Venue). */
export type VenueTable = LinkedColumns & RowOf<typeof VENUE_COLUMNS>

/** An organizer (interface: Organizer). */
export type OrganizerTable = LinkedColumns & RowOf<typeof ORGANIZER_COLUMNS>

/** An event category or an event tag; `parent` is always 0 for tags. */
export interface TermTable {
  id: number
  /** Plain text. */
  name: string
  name_folded: string
  /** Sort key of the name, compared as bytes. */
  name_key: string
  slug: string
  /** Clean inline HTML; '' when none. */
  description: string
  parent: number
  /** A color of the palette; '' for the one that pages choose, as for all tags. */
  color: string
  /** The color that pages choose for a category, as its number in the palette; 0 for tags. */
  shade: number
  /** Number of published events that use the term directly. */
  count: number
  /** Folded name, slug and description: what a search covers. */
  search_text: string
  extra: string | null
  revision: number
}

/** One row for each occurrence of an event: what lists filter and order by, copied by the event's write. */
export interface OccurrenceTable {
  /** What lists name: that of the event, of a further date that of the date. */
  id: number
  /** The row of `event` that it shows: the event, or the exception. */
  event_id: number
  start_local: string
  end_local: string
  start_utc: string
  end_utc: string
  /** Length class in days: 1, 7, 31, 366 or 9999. */
  span: number
  published_at: string
  status: string
  /** 1 when lists may show it, 0 for hide_from_listings. */
  listed: number
  author_id: number
  featured: number
}

/** A date of a recurring event; its row for lists is the one of `occurrence` with its ID. */
export interface SeriesDateTable {
  /** Identifier of the date: that of the event for the first one. */
  id: number
  series_id: number
  /** Start on the clock of the event as the rule gives it, whatever an exception says. */
  recurrence_id: string
  /** 1, 2, 3 ... in the order of `recurrence_id`; 0 for a date that was taken out. */
  position: number
  /** 1 for the only date of a day; 2, 3 ... for further ones, whose slugs end with it. */
  of_day: number
  /** The row of `event` that the date has for itself because it differs from the others; null when it does not. */
  exception_id: number | null
  /** `yoga/2027-01-11`: below what slug and which day it keeps its page; null where its series and start say that. */
  address: string | null
}

/** What an event or a date was called before. */
export interface FormerSlugTable {
  /** The event, or the date of a recurring one. */
  entry_id: number
  /** 1, 2, 3 ... from the oldest to the newest that is stored of the entry. */
  number: number
  slug: string
  /** When it got another one, UTC text. */
  at: string
}

/** Which kind of target an occurrence link names. */
export const LINK_KIND = { venue: 1, organizer: 2, category: 3, tag: 4, trait: 5 } as const

/** Traits of events that lists ask for, as targets of the kind `trait`. */
export const TRAIT = { featured: 1, ticketed: 2 } as const

/**
 * Copy of the relations for lists: a page by one venue, organizer, category, tag or trait is read from its primary key.
 * The events of a category are listed under all its ancestors, too.
 */
export interface OccurrenceLinkTable {
  kind: number
  target_id: number
  listed: number
  status: string
  start_local: string
  published_at: string
  occurrence_id: number
  event_id: number
}

/** Length of the period of an event count: `YYYY-MM` or `YYYY-MM-DD`. */
export const COUNT_LEVEL = { month: 1, day: 2 } as const

/** How many listed occurrences start and end in a period on their own clock, so that totals need not be counted. */
export interface EventCountTable {
  /** Kind of the target (`LINK_KIND`); 0 for all occurrences, whose `target_id` is 0 too. */
  kind: number
  target_id: number
  status: string
  level: number
  period: string
  starts: number
  ends: number
}

/** A relation of an event with its place in the order sent. */
export interface EventRelation {
  event_id: number
  position: number
}

/** The journal: what changed, in commit order (architecture: one journal). */
export interface JournalTable {
  seq: number
  at: string
  /** User who caused the change; null for the program itself. */
  actor: number | null
  resource: string
  id: number
  revision: number
  action: string
  /** JSON of the row after the change; null after a permanent deletion. */
  snapshot: string | null
  /** What the program of an agent is called that the change was made through; null for everything else. */
  agent: string | null
}

/** An image. Its file never changes, only its description. */
export interface MediaTable {
  /** Identifier from the one counter of all entries. */
  id: number
  /** User who uploaded it, or whose write fetched it. */
  author_id: number
  /** UTC. */
  created_at: string
  /** Plain text. */
  title: string
  /** Text in place of the image, plain; '' when none. */
  alt: string
  /** `image/jpeg`. */
  mime: string
  /** Pixels, of the full size as it is shown. */
  width: number
  height: number
  /** Bytes of the full size. */
  filesize: number
  /** Name of the full size in the media folder: `HASH.jpg`. */
  file: string
  /** JSON object of the smaller sizes by name; `{}` when there are none. */
  sizes: string
  /** Address that it was fetched from, normalized; null when it was uploaded. */
  source_url: string | null
  revision: number
  /** Made from the first title; null for images of early versions. */
  slug: string | null
  /** Inline HTML. */
  caption: string
  /** ID of the event, venue or organizer that it was attached to; 0 for none. That may be deleted. */
  post_id: number
  /** UTC; null when it is as it was uploaded. */
  modified_at: string | null
}

/** Something that was imported, and its state then. */
export interface ProvenanceTable {
  /** Address of the API of a site, `subscription 5`, or `files`; `calendars` for images of both. */
  origin: string
  /** `event`, `venue`, ..., `user` or `picture` of a site; `uid` for an event of a calendar or table. */
  kind: string
  /** Its ID there, its global ID, or the address of an image. */
  external_id: string
  /** Its ID here. */
  item_id: number
  /** Of its content when it was imported; of an event of a calendar JSON of the digest of each part. */
  digest: string
  /** 1 while an event is in the trash because its subscription no longer has it, 2 when it stayed because it was over. */
  is_gone: number
}

/** An item without a status that was removed, as long as it can be restored. */
export interface RemovedItemTable {
  /** Of the removal: an item may be removed again after it was restored. */
  id: number
  /** See `REMOVED_KINDS`. */
  kind: string
  item_id: number
  /** What people call it, plain. */
  title: string
  /** User who owns it; 0 for nobody. */
  author_id: number
  /** User who removed it; null for the program itself. */
  actor: number | null
  /** When it was removed, UTC text. */
  at: string
  /** JSON of its row, secrets included, and of what went with it. */
  kept: string
}

/** Who submitted an event, and what became of it. */
export interface SubmissionTable {
  event_id: number
  /** '' once somebody has decided: the outbox has what the last notice needs. */
  name: string
  email: string
  created_at: string
  /** In which the form was sent; '' for that of the site. */
  language: string
  state: SubmissionState
  /** Why it was declined; '' for no reason. */
  reason: string
  /** UTC text; null while it waits. */
  decided_at: string | null
  /** Digest of the token in the link of whoever submitted it; '' for none. */
  link: string
  /** The token itself, sealed with the key of the site: a question by mail has the link again. */
  sealed_link: string
  /** '' for none. */
  question: string
  answer: string
  /** Event that was in the calendar already; null for its own. */
  into_id: number | null
}

/** What became of a submission. */
export type SubmissionState = 'waiting' | 'published' | 'declined' | 'withdrawn'

/** A ticket of an event that is no date of another one: what it is stands in `event.tickets`. */
export interface TicketTable {
  /** Of the counter of entries. */
  id: number
  event_id: number
  /** Its place in `event.tickets`, from 0. */
  position: number
}

/** All tables by name. */
export interface Database {
  meta: { key: string; value: string }
  counter: { name: string; value: number }
  entry: { id: number; kind: string }
  term: { id: number; taxonomy: string }
  entry_text: { id: number; body: string; terms: string | null }
  event: EventTable
  venue: VenueTable
  organizer: OrganizerTable
  category: TermTable
  tag: TermTable
  event_venue: EventRelation & { venue_id: number }
  event_organizer: EventRelation & { organizer_id: number }
  event_category: EventRelation & { category_id: number }
  event_tag: EventRelation & { tag_id: number }
  occurrence: OccurrenceTable
  occurrence_link: OccurrenceLinkTable
  series_date: SeriesDateTable
  ticket: TicketTable
  former_slug: FormerSlugTable
  media: MediaTable
  event_count: EventCountTable
  journal: JournalTable
  journal_head: { id: number; seq: number }
  user: UserTable
  application_password: ApplicationPasswordTable
  token: TokenTable
  user_password: UserPasswordTable
  session: SessionTable
  passkey: PasskeyTable
  challenge: ChallengeTable
  recovery_code: RecoveryCodeTable
  sign_in_link: SignInLinkTable
  mail: MailTable
  mail_choice: MailChoiceTable
  review_notice: ReviewNoticeTable
  identity: IdentityTable
  pending_sign_in: PendingSignInTable
  used_logout_token: UsedLogoutTokenTable
  idempotency_key: IdempotencyKeyTable
  provenance: ProvenanceTable
  source: SubscriptionTable
  source_visit: SyncLogTable
  redirect: { source: string; target: string; created_at: string }
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  long_work: LongWorkTable
  long_work_item: LongWorkItemTable
  removed_item: RemovedItemTable
  submission: SubmissionTable
  decline_reason: { id: number; reason: string }
}
