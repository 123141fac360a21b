import type { Caller } from '../auth/caller.ts'
import type { ErrorCode } from '../errors.ts'
import type { AnyField, ValuesOf } from '../fields/field.ts'
import type { FieldContext, Reason, RefusalCode } from '../fields/kind.ts'
import type { PasswordTries } from '../limits/guesses.ts'
import type { Fragments } from './cache/fragments.ts'
import type { Part } from './cache/versions.ts'
import type { KeyedRequest } from './idempotency/keyed-request.ts'
import type { ItemVersion } from './item-version.ts'
import type { Mount } from './mount.ts'
import type { NamedSchema } from './openapi/parts.ts'
import type { Upload } from './request/upload.ts'
import type { Preconditions } from './route/preconditions.ts'
import type { Urls } from './urls.ts'

/** The methods of the interface. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The methods that update an item; they mean the same (decisions: Partial update). */
export const UPDATE_METHODS = ['POST', 'PUT', 'PATCH'] as const

/** One request as routes see it: who calls, when, and what was sent, read by the declared fields. */
export interface Call<Values = Readonly<Record<string, unknown>>> {
  readonly caller: Caller
  /** The present moment, Unix milliseconds; the same for the whole request. */
  readonly now: number
  /** What reading a value turns on. */
  readonly context: FieldContext
  /** Language of descriptions and messages. */
  readonly language: string
  readonly mount: Mount
  readonly urls: Urls
  /** Path parameters as text, percent-decoded. */
  readonly path: Readonly<Record<string, string>>
  /** What was sent under a name, unread; undefined when nothing was. */
  sent(name: string): unknown
  /** The fields that were sent and read, and defaults where they apply. */
  readonly values: Values
  /** Counts the event passwords that are tried; absent where they are not limited. */
  readonly tries?: PasswordTries
  /** The file that was sent; only on routes with `uploadLimit`, and absent when nothing was. */
  readonly upload?: Upload
  /** Present for anonymous callers whose answers may be kept. */
  readonly fragments?: Fragments
  /** Of a write that came with an Idempotency-Key. */
  readonly keyed?: KeyedRequest
  /** What a write demands of its item; absent where it demands nothing. */
  readonly preconditions?: Preconditions
}

/** A parameter that was refused: by its own kind, or by a route because of what it names. */
export interface Refusal {
  readonly name: string
  readonly code: RefusalCode
  readonly reason: Reason
}

/**
 * How long an answer to an anonymous reader lasts: as long as none of its parts changes, and until a moment at the latest
 * when time itself changes it (architecture: Caches).
 */
export interface Lasting {
  /** Everything that it was made of; `[]` when no write changes it. */
  readonly parts: readonly Part[]
  /** Unix milliseconds; absent where time changes nothing. */
  readonly until?: number
}

/**
 * Of what an answer is put together, where parts of it are kept for other answers, too: bytes that may be kept as they are,
 * see `ownBytes`. Its tag is made of theirs.
 */
export interface Pieces {
  /** Finished texts, in their order. */
  readonly texts: readonly Buffer[]
  /** Everything else of it that is not always the same. */
  readonly rest: string
  /** The whole, one part after the other. */
  readonly all: readonly Buffer[]
}

/** What a route answers. `body` is a value for JSON. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** The JSON of the body where it was made beforehand, for calls that are `isPlain`; `body` is then not looked at. */
  readonly text?: Buffer | Pieces
  /** Media type of `text` where it is no JSON: then no parameter of a request changes its form. */
  readonly type?: string
  /** Named as they are written on the wire (`X-TEC-Total`), which envelopes show; `vary` stays outside of envelopes. */
  readonly headers?: Readonly<Record<string, string>>
  /** True when the answer depends on a secret in the request and must not be stored by anyone. */
  readonly secret?: boolean
  /** Absent for answers that are made anew each time. */
  readonly lasting?: Lasting | undefined
  /** Of the item that is answered, as its caller sees it; absent for everything that is no item, or is gone. */
  readonly version?: ItemVersion
  /** In the answer to a write: the body with which GET now answers the item at the same address, from which its tag is made. */
  readonly read?: unknown
}

/** What `target` finds for a path: the loaded item, or the parameter that names nothing. */
export type Found<Item> = { readonly item: Item } | { readonly refused: Refusal }

/** Operations that the OpenAPI document shows together. */
export interface Group {
  readonly name: string
  /** What they are about, in one English line. */
  readonly about: string
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
  /** What the route does, in one English line. */
  readonly summary: string
  /** More of what it does, in one or two English sentences. */
  readonly description: string
  /** Where the OpenAPI document shows it; absent for what the service says of itself. */
  readonly group?: Group
  /** Path parameters in order. */
  readonly pathFields: readonly AnyField[]
  /** Query parameters of a GET or DELETE, or the fields of a write. */
  readonly fields: Fields
  /** Whether fields arrive in the body (and, less specific, in the query string). */
  readonly hasBody: boolean
  /**
   * Present on routes that take a file: the most bytes that their body may have, whatever the limit of other bodies. The
   * body is not read as JSON or as a form of fields but handed over as `call.upload`; fields come from the query string
   * and from the texts of a multipart form. Callers to whom the route is not open are refused before anything of the
   * body is taken in.
   */
  readonly uploadLimit?: number
  /** Whether declared defaults are filled in. */
  readonly fillsDefaults: boolean
  readonly answer: {
    readonly status: number
    /** What the success answer is, or each item of its list. */
    readonly schema: NamedSchema
    /** Collection of which it is a page: an envelope of `schema`, or a text of it all. */
    readonly list?: string
    /** Media type without parameters where it is no JSON. */
    readonly type?: string
  }
  /** Errors of its own that it may answer, for the documents: beside those of every route, of fields and of permission. */
  readonly errors: readonly ErrorCode[]
  /**
   * An answer for which nothing has to be looked up, because what it was made of is as it was. Asked before all stages, and
   * only where no field was sent; undefined leaves the call to them.
   */
  ready?(call: Call): Reply | undefined
  /** Loads what the path names. @throws Failure to end the request at once. */
  target?(call: Call<ValuesOf<Fields>>): Promise<Found<Item>>
  /** What GET answers this caller for the item now: equal values that are sent back are left alone (decisions: Round trip). */
  shown?(call: Call<ValuesOf<Fields>>, item: Item): Promise<Readonly<Record<string, unknown>>>
  /** Loads what the values name; adds refusals of unknown ones. */
  resolve?(call: Call<ValuesOf<Fields>>, item: Item, refusals: Refusal[]): Promise<Loaded>
  /** Whether callers of this role may use the route at all: it decides the Allow header. */
  open(caller: Caller): boolean
  /** Whether this caller may do this to this item: true, or the code of the refusal. */
  permit?(call: Call<ValuesOf<Fields>>, item: Item, loaded: Loaded): true | ErrorCode
  handle(call: Call<ValuesOf<Fields>>, item: Item, loaded: Loaded): Promise<Reply>
}

/** A route with its types forgotten, as tables hold it. */
export type AnyRoute = Route<readonly AnyField[], unknown, unknown>

/** Declares a route with its types checked, and forgets them for the table. */
export function route<const Fields extends readonly AnyField[], Item = undefined, Loaded = undefined>(
  declared: Route<Fields, Item, Loaded>,
): AnyRoute {
  // Each stage is only ever handed what the stage before it of the same route made.
  return declared as unknown as AnyRoute
}
