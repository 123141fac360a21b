import type { ErrorCode } from '../base/errors.ts'
import type { MessageId } from '../base/i18n/translate.ts'
import type { AnyField, ValuesOf } from '../model/kinds/field.ts'
import type { FieldContext, Reason, RefusalCode } from '../model/kinds/kind.ts'
import type { Mount, Urls } from './address.ts'
import type { Caller, CallerRole, TokenScope } from './auth/rights.ts'
import type { Fragments } from './cache/fragments.ts'
import type { Dependency } from './cache/versions.ts'
import type { KeyedRequest } from './idempotency/keyed-request.ts'
import type { PasswordTries } from './limits/guesses.ts'
import type { NamedSchema } from './openapi/parts.ts'
import type { RawInput } from './request/body.ts'
import type { Upload } from './request/upload.ts'
import type { StreamSource } from './response/event-streams.ts'
import type { ItemVersion, Preconditions } from './route/preconditions.ts'

/** The methods of the interface. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The methods that update an item; they mean the same (decisions: Partial update). */
export const UPDATE_METHODS = ['POST', 'PUT', 'PATCH'] as const

/** A parsed request: everything that a route may look at, before any field is read. */
export interface Incoming {
  readonly caller: Caller
  /** The present moment, Unix milliseconds; the same for the whole request. */
  readonly now: number
  /** What reading a value turns on. */
  readonly context: FieldContext
  /** Language of descriptions and messages. */
  readonly language: string
  /** On which day weeks start in the region of the client, 0 for Sunday; undefined when it names none. */
  readonly weekday?: number | undefined
  readonly mount: Mount
  readonly urls: Urls
  /** Path parameters as text, percent-decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: RawInput
  readonly body: RawInput
  /** Token for the forms of a page in the session of the caller; absent without one, and where no page is asked for. */
  readonly csrf?: string
  /** Counts the event passwords that are tried; absent where they are not limited. */
  readonly tries?: PasswordTries | undefined
  /** The file that was sent; only on routes with `uploadLimit`, and absent when nothing was. */
  readonly upload?: Upload | undefined
  /** Present for anonymous callers whose responses may be cached. */
  readonly fragments?: Fragments | undefined
  /** Header of a stream that continues. */
  readonly lastEventId?: string
  /**
   * Counts rows that a write changes beyond the one of its request, see `Route.rows`; absent where nobody counts.
   * @throws rest_too_many_requests, batch_too_much
   */
  readonly spend?: (rows: number) => void
  /** For a write with an Idempotency-Key. */
  readonly keyed?: KeyedRequest | undefined
  /** Whether it is part of a batch, in whose transaction nothing waits for another thread. */
  readonly isBatched?: boolean
  /** Whether a new event is refused that looks like one which its caller may read; only programs of the server itself ask. */
  readonly refusesDuplicates?: boolean | undefined
  /** Whether a list of events by their IDs or their series has those that are hidden from lists; asked as above. */
  readonly listsHidden?: boolean | undefined
  /** The preconditions of a write; absent where it has none. */
  readonly preconditions?: Preconditions | undefined
}

/** One request as its route sees it: caller, time, and the declared fields that were sent. */
export interface Call<Values = Readonly<Record<string, unknown>>> extends Incoming {
  /** What was sent, by name and unread: in the body, or else in the query string. */
  readonly sent: RawInput
  /** The fields that were sent and read, and defaults where they apply. */
  readonly values: Values
}

/** An invalid parameter: by its own kind, or because of what it refers to. */
export interface InvalidParam {
  readonly name: string
  readonly code: RefusalCode
  readonly reason: Reason
  /** The value for `{detail}` in the text of the reason, in English. */
  readonly detail?: string
}

/**
 * How long a response to an anonymous reader lasts: as long as none of its parts changes, and until a moment at the latest
 * when time itself changes it (architecture: Caches).
 */
export interface Freshness {
  /** Everything it was built from; `[]` if no write changes it. */
  readonly dependencies: readonly Dependency[]
  /** Unix milliseconds; absent where time changes nothing. */
  readonly until?: number
}

/**
 * A body assembled from pieces that other responses share: bytes that can be cached as they are, see `ownBytes`. Its
 * tag is made of theirs.
 */
export interface Pieces {
  /** Finished texts, in their order. */
  readonly texts: readonly Buffer[]
  /** Everything else in it that may vary. */
  readonly rest: string
  /** The whole, one part after the other. */
  readonly all: readonly Buffer[]
}

/** What a route responds with. `body` is a value for JSON. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** The JSON of the body where it was made beforehand, for calls that are `isPlain`; `body` is then not looked at. */
  readonly text?: Buffer | Pieces
  /** Instead of `text`: a body that is produced while it is sent. It has neither length nor validators, and is not cached. */
  readonly chunks?: AsyncIterable<Buffer>
  /** Media type of `text` where it is no JSON: then no parameter of a request changes its form. */
  readonly type?: string
  /** Sends the body bit by bit, in place of `text`; only with status 200. */
  readonly stream?: StreamSource
  /** Named as they are written on the wire (`X-TEC-Total`), which envelopes show; `vary` stays outside of envelopes. */
  readonly headers?: Readonly<Record<string, string>>
  /** True when the response depends on a secret in the request and must not be stored by anyone. */
  readonly secret?: boolean
  /** Absent for responses that are rebuilt each time. */
  readonly freshness?: Freshness | undefined
  /** Of the item in the response, as its caller sees it; absent for everything that is not an item, or was deleted. */
  readonly version?: ItemVersion
  /** The body that repetitions with the same Idempotency-Key get, where `body` has what is shown and stored nowhere else. */
  readonly replayed?: unknown
  /** In the response to a write: the body with which GET now returns the item at the same address, from which its tag is made. */
  readonly read?: unknown
}

/** What `target` finds for a path: the loaded item, or the parameter that names nothing. */
export type Found<Item> = { readonly item: Item } | { readonly refused: InvalidParam }

/** An error as the interface shows it. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Operations that the OpenAPI document shows together. */
export interface Group {
  readonly name: string
  /** What they are for, in one line. */
  readonly about: MessageId
}

/**
 * A route as data. Its stages run in this order, and a failure ends the request: presence of required fields, target,
 * reading of each field and `resolve` (reported together), `permit`, `handle` (decisions: missing, invalid, permission).
 * `Item` is what the path names, `Loaded` what the values name.
 */
export interface Route<Fields extends readonly AnyField[], Item, Loaded> {
  readonly method: Method
  /** Path below the namespace with `:id` and `:slug`: `/events/by-slug/:slug`. */
  readonly path: string
  /** OpenAPI operationId. */
  readonly operation: string
  /** What the route does, in one line; absent where no document shows it. */
  readonly summary?: MessageId | undefined
  /** More of what it does, in one or two sentences; absent where no document shows it. */
  readonly description?: MessageId | undefined
  /** Its group in the OpenAPI document; absent for routes about the service itself. */
  readonly group?: Group
  /** Path parameters in order. */
  readonly pathFields: readonly AnyField[]
  /** Query parameters of a GET or DELETE, or the fields of a write. */
  readonly fields: Fields
  /** Whether fields arrive in the body (and, less specific, in the query string). */
  readonly hasBody: boolean
  /**
   * Present on routes that take a file: the largest body in bytes, whatever the limit of other bodies. The body is not
   * read as JSON or as a form but passed as `call.upload`; fields come from the query string and from the texts of a
   * multipart form. Callers who may not use the route are refused before the body is read.
   */
  readonly uploadLimit?: number
  /** Whether declared defaults are filled in. */
  readonly fillsDefaults: boolean
  readonly response: {
    readonly status: number
    /** The schema of the success response, or of each item of its list. */
    readonly schema: NamedSchema
    /** Collection of which it is a page: an envelope of `schema`, or a text of it all. */
    readonly list?: string
    /** Media type without parameters where it is no JSON. */
    readonly type?: string
  }
  /** Routes that respond in its place to requests which prefer another media type, by that type. */
  readonly forms?: ReadonlyMap<string, AnyRoute>
  /** Whether each request is charged as one of those that take long. */
  readonly isCostly?: boolean
  /** Specific errors, for the documents: beside those of every route, of fields and of permission. */
  readonly errors: readonly ErrorCode[]
  /**
   * A response that is still fresh, so that nothing needs to be looked up. Called before all stages, and only if no
   * field was sent; with undefined the stages run.
   */
  ready?(call: Call): Reply | undefined
  /** Loads what the path names. @throws Failure to end the request at once. */
  target?(call: Call<ValuesOf<Fields>>): Promise<Found<Item>>
  /** What GET returns this caller for the item now: equal values that are sent back are left alone (decisions: Round trip). */
  shown?(call: Call<ValuesOf<Fields>>, item: Item): Promise<Readonly<Record<string, unknown>>>
  /** Loads what the values refer to; adds an error for unknown ones. */
  resolve?(call: Call<ValuesOf<Fields>>, item: Item, refusals: InvalidParam[]): Promise<Loaded>
  /** What a token needs for it; `admin` if absent. */
  readonly scope?: TokenScope
  /** Whether callers of this role may use the route at all: it decides the Allow header. */
  open(role: CallerRole): boolean
  /** Whether this caller may do this to this item: true, or the error code. */
  permit?(call: Call<ValuesOf<Fields>>, item: Item, loaded: Loaded): true | ErrorCode
  /** How many rows a write changes, such as the dates of a series; 1 if absent. */
  rows?(call: Call<ValuesOf<Fields>>, item: Item, loaded: Loaded): Promise<number>
  handle(call: Call<ValuesOf<Fields>>, item: Item, loaded: Loaded): Promise<Reply>
  /** The body of an error where it is not that of the interface. */
  showError?(error: ErrorBody, call: Call): unknown
  /** As how many requests it counts; 1 if absent. Called before anything else, with what was sent. */
  counts?(call: Call): number
}

/** A route without its type parameters, for tables. */
export type AnyRoute = Route<readonly AnyField[], unknown, unknown>

/** Declares a route with its types checked, and forgets them for the table. */
export function route<const Fields extends readonly AnyField[], Item = undefined, Loaded = undefined>(
  declared: Route<Fields, Item, Loaded>,
): AnyRoute {
  // Each stage only gets what the previous stage of the same route returned.
  return declared as unknown as AnyRoute
}
