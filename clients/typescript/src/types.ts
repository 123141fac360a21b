import type { ErrorCode } from './generated/error-codes.ts'
import type { components as Events, operations } from './generated/events.ts'
import type { components as Own } from './generated/kalends.ts'

type Schemas = Events['schemas']
/** Without parameters that change the shape of a response. */
type QueryOf<Name extends keyof operations> = Omit<
  NonNullable<operations[Name]['parameters']['query']>,
  '_fields' | '_envelope'
>

export type CalendarEvent = Schemas['Event']
export type Venue = Schemas['Venue']
export type Organizer = Schemas['Organizer']
export type Category = Schemas['Category']
export type Tag = Schemas['Tag']
export type Image = Own['schemas']['Media']

type Items = { event: CalendarEvent; venue: Venue; organizer: Organizer; category: Category; tag: Tag }
type ServedChange = Own['schemas']['Changes']['changes'][number]

/** Kinds of items as changes name them. */
export type Resource = ServedChange['resource']

/** A change as the caller sees it. */
export type Change = { [R in Resource]: ChangeOf<R> }[Resource]

type ChangeOf<R extends Resource> = Omit<ServedChange, 'resource' | 'item'> & {
  readonly resource: R
  /** Continues after this change, or after an earlier one. */
  readonly cursor: string
  /** With `expand`: the item now, absent if it is gone. */
  readonly item?: Items[R]
}

/** The types of each kind of items: of an item, of filters, and of what creates and updates one. */
export interface Kinds {
  events: [CalendarEvent, QueryOf<'listEvents'>, Schemas['EventCreate'], Schemas['EventUpdate']]
  venues: [Venue, QueryOf<'listVenues'>, Schemas['VenueCreate'], Schemas['VenueUpdate']]
  organizers: [Organizer, QueryOf<'listOrganizers'>, Schemas['OrganizerCreate'], Schemas['OrganizerUpdate']]
  categories: [Category, QueryOf<'listCategories'>, Schemas['CategoryCreate'], Schemas['CategoryUpdate']]
  tags: [Tag, QueryOf<'listTags'>, Schemas['TagCreate'], Schemas['TagUpdate']]
}

export type Kind = keyof Kinds

/** A code of the server, or one of the client: `network`, `timeout`, `paging_loop`. */
export type Code = ErrorCode | 'network' | 'timeout' | 'paging_loop' | (string & {})

/** What an error says besides its message. */
export interface ErrorFacts {
  readonly code: Code
  readonly status?: number
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly details?: unknown
  readonly retryAfter?: number | undefined
}

/** Options of a client. */
export interface Options {
  /** A token (`kal_...`) of the user whose rights the client has. */
  readonly token?: string | undefined
  /** Username and application password. */
  readonly login?: readonly [name: string, password: string]
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** How often a request is repeated when that is safe; default 4. */
  readonly retries?: number
  /** Milliseconds for each attempt; default 30,000. */
  readonly timeout?: number
  /** Responses to revalidate: a Map to share among clients (its keys contain credentials), or false. */
  readonly cache?: Map<string, CachedResponse> | false
  /** Language of messages, such as `de`. */
  readonly language?: string | undefined
}

/** The latest response of an address. */
export interface CachedResponse {
  readonly etag: string
  readonly text: string
}

/** The site that a client talks to. */
export interface Site {
  /** `kalends`, or `tec` for a site of The Events Calendar, which can only be read. */
  readonly kind: 'kalends' | 'tec'
  /** Address of its REST interface, ending with a slash or, without permalinks, `?rest_route=/`. */
  readonly root: string
  /** `cal/events/v1` or `tribe/events/v1` */
  readonly namespace: string
  readonly name: string
  readonly timezone: string
}

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Number of items on all pages. */
  readonly total: number
  /** Where changes after this page start; absent on TEC sites. */
  readonly cursor: string | undefined
}

/** A list, which is read page by page while it is iterated; each iteration reads it again. */
export interface List<T> extends AsyncIterable<T> {
  /** Never empty ones. @throws paging_loop when the site repeats a page */
  pages(): AsyncIterable<Page<T>>
  first(): Promise<T | undefined>
  total(): Promise<number>
  /** At most `max` items; all by default. */
  toArray(max?: number): Promise<T[]>
}

/** An item as any response shows it, or its ID. */
export type Target = number | { readonly id: number }

export interface WriteOptions {
  /** Dates of a series that the write concerns: this one by default. */
  readonly scope?: 'this' | 'following' | 'all'
  /** Tag that the item must still have; false for any state. By default that of the object that was read. */
  readonly ifMatch?: string | false
}

export interface RemoveOptions extends WriteOptions {
  readonly permanent?: boolean
}

/** Writes of one kind of items. */
export interface Writes<K extends Kind> {
  create(values: Kinds[K][2]): Promise<Kinds[K][0]>
  /** Changes the members that are given; null empties one. @throws Conflict */
  update(target: Target, values: Kinds[K][3], options?: WriteOptions): Promise<Kinds[K][0]>
  /** Moves an item to the trash, or deletes it `permanent`ly, as categories and tags always are. @throws Conflict */
  remove(target: Target, options?: RemoveOptions): Promise<Kinds[K][0]>
}

/** Writes of kinds with a trash. */
export interface TrashWrites<K extends Kind> extends Writes<K> {
  /** Takes an item out of the trash, as a draft. */
  restore(target: Target): Promise<Kinds[K][0]>
}

/** Events, venues or organizers. */
export interface Entries<K extends Kind> extends TrashWrites<K> {
  list(filter?: Kinds[K][1]): List<Kinds[K][0]>
  /** Protected events need their password. */
  get(id: number | { readonly slug: string }, options?: { readonly password?: string }): Promise<Kinds[K][0]>
}

/** Categories or tags. */
export interface Terms<K extends Kind> extends Writes<K> {
  list(filter?: Kinds[K][1]): List<Kinds[K][0]>
  get(id: number): Promise<Kinds[K][0]>
}

/** Writes that return what later writes of a batch can refer to, instead of promises. */
export type Batched<W> = {
  readonly [Name in keyof W]: W[Name] extends (...args: infer A) => Promise<infer T> ? (...args: A) => T : never
}

/** Collects the writes of a batch. */
export interface Batch {
  readonly events: Batched<TrashWrites<'events'>>
  readonly venues: Batched<TrashWrites<'venues'>>
  readonly organizers: Batched<TrashWrites<'organizers'>>
  readonly categories: Batched<Writes<'categories'>>
  readonly tags: Batched<Writes<'tags'>>
}

export interface ChangesOptions {
  /** Cursor after which to start; now by default. */
  readonly since?: string | undefined
  readonly resource?: Resource | readonly Resource[]
  /** `item` adds the items. */
  readonly expand?: 'item'
  /** Includes events that no list shows. */
  readonly include_hidden?: boolean
  /** False ends when all changes until now are read; by default the iteration goes on. */
  readonly stream?: boolean
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

export interface ImageTexts {
  readonly title?: string
  readonly alt?: string
}

/** A calendar: a Kalends site, or one of The Events Calendar, where everything but `list` and `get` throws Unsupported. */
export interface Client {
  readonly events: Entries<'events'>
  readonly venues: Entries<'venues'>
  readonly organizers: Entries<'organizers'>
  readonly categories: Terms<'categories'>
  readonly tags: Terms<'tags'>
  readonly media: { upload(file: Blob, texts?: ImageTexts): Promise<Image> }
  site(): Promise<Site>
  /** Changes in order; without `since` those from now on. @throws CursorExpired */
  changes(options?: ChangesOptions): AsyncIterable<Change>
  /** Keeps a copy of the calendar in a store. */
  mirror(store: Store, options?: MirrorOptions): Promise<void>
  /**
   * Sends up to 100 writes as one request: all of them are done, or none. What a call on `b` returns can be used in
   * later ones. Returns what `collect` returns, with items in place of references.
   */
  batch<T>(collect: (b: Batch) => T | Promise<T>): Promise<T>
}

/** An event as a mirror stores it. */
export type StoredEvent = Omit<CalendarEvent, 'venue' | 'organizer' | 'categories' | 'tags'> & {
  readonly venue: readonly number[]
  readonly organizer: readonly number[]
  readonly categories: readonly number[]
  readonly tags: readonly number[]
}

/** An item as a mirror stores it. */
export type StoredItem = StoredEvent | Venue | Organizer | Omit<Category, 'count'> | Omit<Tag, 'count'>

/** Where `mirror` keeps its copy. */
export interface Store {
  put(resource: Resource, item: StoredItem): unknown
  delete(resource: Resource, id: number): unknown
  /** IDs of all stored items of a resource. */
  ids(resource: Resource): Iterable<number> | Promise<Iterable<number>>
  /** Stores the cursor that is given, an empty one to start over; returns the stored one, undefined if there is none. */
  cursor(next?: string): string | undefined | Promise<string | undefined>
}

export interface MirrorOptions {
  readonly signal?: AbortSignal | undefined
  /** Stops when the copy is up to date. */
  readonly once?: boolean
}

/** The members of an event that say when it is. */
export type Timed = Pick<
  CalendarEvent,
  'all_day' | 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone'
>

type Global = typeof globalThis
/** `Temporal.ZonedDateTime`, or ISO text with offset where `Temporal` is missing. */
export type ZonedTime = Global extends { Temporal: { ZonedDateTime: { prototype: infer T } } } ? T : object | string
/** `Temporal.PlainDate`, or ISO text where `Temporal` is missing. */
export type Day = Global extends { Temporal: { PlainDate: { prototype: infer T } } } ? T : object | string
