/** The declaration of a parameter for callers: the members that the index route and OPTIONS show, as on the wire. */
export interface Declared {
  /** JSON type; absent where the interface declares none. */
  readonly type?: string
  readonly format?: string
  readonly items?: { readonly type: string }
}

/** What a kind may need to read a value. */
export interface FieldContext {
  /** The present moment, Unix milliseconds. */
  readonly now: number
  /** IANA zone of the site. */
  readonly siteZone: string
  /**
   * True when the caller will be refused anyway: values are checked, but no expensive results are computed, because
   * nobody would see them.
   */
  readonly checkOnly?: boolean
  /** Hosts whose frames are allowed in HTML; none when absent. */
  readonly iframeHosts?: readonly string[]
}

/**
 * The error code of an invalid value: `rest_invalid_type` when the declared type is not met, else `rest_invalid_param`.
 */
export type RefusalCode = 'rest_invalid_param' | 'rest_invalid_type'

/** A value read, or the reason it was refused (a key of REASONS). */
export type ParseResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: RefusalCode; readonly reason: Reason; readonly detail?: string }

/** The controls of forms. */
export type Control =
  | 'line'
  | 'secret'
  | 'text'
  | 'html'
  | 'day'
  | 'moment'
  | 'published'
  | 'zone'
  | 'boolean'
  | 'linked'
  | 'parent'
  | 'terms'
  | 'image'
  | 'money'
  | 'number'
  | 'language'
  | 'choice'
  | 'recurrence'
  | 'tickets'

/** A kind of field: how it is declared, described as JSON Schema and read. Kinds know nothing of any resource. */
export interface Kind<Value> {
  readonly declared: Declared
  /** JSON Schema (2020-12) of what may be sent. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Its control in a form; absent where no form has it. */
  readonly control?: Control
  /** Reads a value that was sent and is not null. */
  parse(value: unknown, context: FieldContext): ParseResult<Value>
}

/** Schemas of what names an item that exists: its id as number or text, or an object that has it. */
export const BY_ID: readonly Kind<unknown>['schema'][] = [
  { type: 'integer', minimum: 0 },
  { type: 'string' },
  { type: 'object', properties: { id: { type: ['integer', 'string'] } }, required: ['id'] },
]

/** A schema by its name in the OpenAPI document. */
export function schemaRef(name: string): Kind<unknown>['schema'] {
  return { $ref: `#/components/schemas/${name}` }
}

/** The type that a kind yields. */
export type ValueOf<K> = K extends Kind<infer Value> ? Value : never

/** Why values are refused, in English; the keys are also the translation keys. */
export const REASONS = {
  not_integer: 'is not a whole number.',
  not_positive: 'must be a whole number of 1 or more.',
  not_number: 'is not a number.',
  out_of_range: 'is outside of the allowed range.',
  not_boolean: 'is not a yes-or-no value.',
  not_text: 'is not text.',
  empty: 'must not be empty.',
  too_long: 'is too long.',
  too_many_words: 'has more than eight words.',
  no_long_word: 'needs a word of three or more letters: there is too much here to search for less.',
  bad_date: 'is not a date that can be read.',
  bad_batch: 'must be 1 to 100 requests, each with method and path; identifiers differ.',
  too_many_passwords: 'sets too many passwords: send these requests with atomic=false, or alone.',
  bad_cursor: 'is not a cursor of this server.',
  bad_zone: 'is not a known time zone.',
  bad_language: 'is not a language tag, such as de or pt-BR.',
  bad_status: 'is not one of the allowed status values.',
  bad_url: 'is not an http or https address.',
  bad_email: 'is not an e-mail address.',
  bad_list: 'is not a list of identifiers.',
  bad_term: 'names a term that does not exist.',
  bad_cost: 'is not a cost.',
  bad_image: 'is not a picture that is known here.',
  not_picture: 'is not a picture (JPEG, PNG, WebP, GIF or AVIF), or it is damaged.',
  too_many_pixels: 'is a picture with too many pixels.',
  too_complex: 'is a picture that would take too much memory or time, or has too many frames or parts.',
  too_many_bytes: 'is too large a file.',
  not_fetched: 'is an address from which nothing could be fetched.',
  too_many_addresses: 'names more pictures of other sites than one request may.',
  bad_linked: 'is neither an identifier nor the data of a new item.',
  bad_choice: 'is not one of the allowed values.',
  not_listed: 'must be one of these: {detail}.',
  needs_others: 'must be sent together with these: {detail}.',
  bad_tickets: 'is not a list of tickets.',
  bad_sale: 'names a ticket whose sale ends before it begins.',
  unknown_id: 'names nothing that exists.',
  unknown_slug: 'names nothing that exists.',
  unknown_user: 'names no user.',
  not_alone: 'must be sent together with its counterpart.',
  end_before_start: 'must not lie before the start.',
  bad_recurrence: 'is no recurrence that can be used: {detail}.',
  not_lines: 'is neither a list of lines nor text.',
  bad_custom_fields: 'is not an object of at most 50 texts, named in lower case letters, digits and underscores.',
  undeclared_field: 'does not fit the fields of this site: {detail}.',
  unknown_parameter: 'is not a parameter of this route.',
  own_descendant: 'must not be the item itself or one of its descendants.',
  common_to_series: 'is common to all dates of a series: send scope=all to change it.',
  date_is_there: 'cannot bring the date back: the series has another one with its start.',
  date_before_series: 'cannot bring the date back: it lies before the start of the series.',
  date_in_trash: 'cannot divide the series before a date in the trash: bring the date back first.',
  bad_division: 'cannot divide the series before this date: no rule would give the same dates.',
} as const

/** A key of REASONS. */
export type Reason = keyof typeof REASONS

/** A refusal by the value's content; `detail` is the value for `{detail}` in the text of the reason, in English. */
export function refuse(reason: Reason, detail?: string): ParseResult<never> {
  return { ok: false, code: 'rest_invalid_param', reason, ...(detail !== undefined && { detail }) }
}

/** A refusal by the value's type: it appears under `details` of the response. */
export function mistyped(reason: Reason): ParseResult<never> {
  return { ok: false, code: 'rest_invalid_type', reason }
}
