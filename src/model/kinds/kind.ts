import type { MessageId } from '../../base/i18n/translate.ts'

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
  /** Hosts whose frames are allowed in HTML; none if absent. */
  readonly iframeHosts?: readonly string[]
}

/**
 * The error code of an invalid value: `rest_invalid_type` when the declared type is not met, else `rest_invalid_param`.
 */
export type RefusalCode = 'rest_invalid_param' | 'rest_invalid_type'

/** A value read, or the reason it was refused (see `Reason`). */
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

/** Schemas of what names an item that exists: its ID as number or text, or an object that has it. */
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

/** Why a value is refused; the message is `reasons.REASON` in the catalogues. */
export type Reason = MessageId extends infer Id ? (Id extends `reasons.${infer Name}` ? Name : never) : never

/** The message of a reason. */
export function reasonId(reason: Reason): MessageId {
  return `reasons.${reason}`
}

/** A refusal by the value's content; `detail` is the value for `{detail}` in the text of the reason, in English. */
export function refuse(reason: Reason, detail?: string): ParseResult<never> {
  return { ok: false, code: 'rest_invalid_param', reason, ...(detail !== undefined && { detail }) }
}

/** A refusal by the value's type: it appears under `details` of the response. */
export function mistyped(reason: Reason): ParseResult<never> {
  return { ok: false, code: 'rest_invalid_type', reason }
}
