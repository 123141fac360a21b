import { type MessageId, type MessageValues, translate, translateKnown } from './i18n/translate.ts'
import { writtenMessage } from './i18n/written.ts'

/**
 * Every error of Kalends, each written once: code, HTTP status, and the names of the values in its message, which is
 * `errors.CODE` in the catalogues.
 *
 * Codes are the contract: clients and scripts test for them, so they never change. Messages are for people. Status 0 means that the error is never sent
 * over HTTP: it ends a command or keeps the server from starting.
 *
 * Codes with hyphens and codes starting with `rest_` are those of the interface in the wild (wire: events 10, rest
 * 6.1). Where that server responds with 500 for a mistake of the caller, Kalends responds with 400.
 */
export const ERRORS = {
  // Reading the request.
  rest_too_many_requests: { status: 429, slots: ['seconds'] },
  rest_no_route: { status: 404 },
  rest_bad_request: { status: 400 },
  rest_request_timeout: { status: 408 },
  rest_body_too_large: { status: 413, slots: ['limit'] },
  rest_too_many_params: { status: 400, slots: ['limit'] },
  rest_headers_too_large: { status: 431 },
  rest_invalid_json: { status: 400 },
  rest_invalid_namespace: { status: 404 },
  rest_missing_callback_param: { status: 400, slots: ['params'] },
  rest_invalid_param: { status: 400, slots: ['params'] },
  rest_invalid_type: { status: 400, slots: ['param', 'type'] },
  rest_invalid_header: { status: 400, slots: ['header'] },
  bad_date: { status: 400, slots: ['param'] },

  // Authentication and permission.
  incorrect_password: { status: 401 },
  invalid_token: { status: 401 },
  insufficient_scope: { status: 403, slots: ['scope'] },
  ambiguous_credentials: { status: 400 },
  rest_not_logged_in: { status: 401 },
  rest_forbidden: { status: 403 },
  rest_cross_origin: { status: 403 },
  /** Of requests to /mcp. */
  rest_unknown_host: { status: 403 },
  rest_csrf_token: { status: 403 },
  'event-not-accessible': { status: 403 },
  'venue-not-accessible': { status: 403 },
  'organizer-not-accessible': { status: 403 },
  'event-password-protected': { status: 403 },

  // Writes that must not overwrite each other (RFC 9110 section 13, RFC 6585).
  precondition_failed: { status: 412 },
  venue_taken: { status: 409 },
  possible_duplicate: { status: 409 },
  precondition_required: { status: 428 },

  // Batches.
  batch_failed: { status: 400, slots: ['request'] },
  batch_unknown_reference: { status: 400, slots: ['reference'] },
  batch_unsuitable_request: { status: 400 },
  batch_too_much: { status: 413 },
  batch_without_media: { status: 400 },

  // Following changes.
  cursor_expired: { status: 410 },

  // Requests with an Idempotency-Key (IETF draft-ietf-httpapi-idempotency-key-header).
  idempotency_in_progress: { status: 409 },
  idempotency_mismatch: { status: 422 },
  idempotency_limit: { status: 429 },

  // Events, venues, organizers.
  'rest-event-not-found': { status: 404 },
  'event-archive-page-not-found': { status: 404 },
  'venue-archive-page-not-found': { status: 404 },
  'organizer-archive-page-not-found': { status: 404 },
  /** Of every list in the namespace `tec/v1`. */
  tec_rest_organizers_page_not_found: { status: 404 },
  'event-is-in-trash': { status: 410 },
  'venue-is-in-trash': { status: 410 },
  'organizer-is-in-trash': { status: 410 },
  'could-not-create-venue': { status: 400 },
  'could-not-create-organizer': { status: 400 },

  // Images.
  'subscription-not-found': { status: 404 },
  bad_subscription: { status: 400, slots: ['reason'] },
  'webhook-not-found': { status: 404 },
  'webhook-delivery-not-found': { status: 404 },
  bad_webhook: { status: 400, slots: ['reason'] },
  'token-not-found': { status: 404 },
  bad_token: { status: 400, slots: ['reason'] },
  'media-not-found': { status: 404 },
  'media-in-use': { status: 409 },

  // Categories and tags.
  term_exists: { status: 400 },
  empty_term_name: { status: 400 },
  duplicate_term_slug: { status: 400, slots: ['slug'] },
  db_insert_error: { status: 400 },
  rest_term_invalid: { status: 404 },
  rest_taxonomy_not_hierarchical: { status: 400 },

  // The server itself.
  internal_server_error: { status: 500 },
  /** Not 503: that says that nothing was done, so that a proxy may send the request elsewhere. */
  rest_write_uncertain: { status: 502 },
  rest_query_too_costly: { status: 503 },
  rest_too_busy: { status: 503 },
  rest_unavailable: { status: 503 },
  rest_data_missing: { status: 503 },
  rest_disk_full: { status: 503 },

  // Starting the server, and its commands.
  bad_configuration: { status: 0, slots: ['problems'] },
  data_not_writable: { status: 0, slots: ['path', 'reason'] },
  folder_not_usable: { status: 0, slots: ['path', 'reason'] },
  secret_not_usable: { status: 0, slots: ['path', 'reason'] },
  no_calendar: { status: 0, slots: ['path'] },
  database_lost: { status: 0, slots: ['path', 'state', 'key'] },
  key_missing: { status: 0, slots: ['path'] },
  database_newer: { status: 0, slots: ['path'] },
  database_not_usable: { status: 0, slots: ['reason'] },
  database_damaged: { status: 0, slots: ['reason'] },
  already_running: { status: 0, slots: ['path'] },
  writer_silent: { status: 0, slots: ['path'] },
  port_in_use: { status: 0, slots: ['port', 'host', 'option'] },
  cannot_listen: { status: 0, slots: ['port', 'host', 'reason'] },
  unknown_operation: { status: 0, slots: ['name'] },
  wrong_usage: { status: 0, slots: ['reason'] },
  unexpected: { status: 0, slots: ['reason'] },
  file_not_readable: { status: 0, slots: ['path', 'reason'] },
  unknown_role: { status: 0, slots: ['role', 'roles'] },
  bad_user_name: { status: 0, slots: ['name'] },
  bad_user_email: { status: 0, slots: ['email'] },
  name_taken: { status: 0, slots: ['name'] },
  email_taken: { status: 0, slots: ['email'] },
  user_disabled: { status: 0, slots: ['name'] },
  bad_person_password: { status: 0 },
  bad_link: { status: 0 },
  provider_unavailable: { status: 0, slots: ['provider', 'reason'] },
  provider_not_usable: { status: 0, slots: ['provider', 'reason'] },
  sign_in_declined: { status: 0, slots: ['provider'] },
  sign_in_expired: { status: 0 },
  identity_unknown: { status: 0, slots: ['provider'] },
  identity_taken: { status: 0, slots: ['provider'] },
  identity_email_taken: { status: 0, slots: ['provider', 'email'] },
  bad_passkey: { status: 0 },
  too_many_passkeys: { status: 0 },
  last_administrator: { status: 0, slots: ['name'] },
  last_way_in: { status: 0, slots: ['name'] },
  mail_not_configured: { status: 0 },
  mail_failed: { status: 0, slots: ['reason'] },
  bad_field: { status: 0, slots: ['name', 'reason'] },
  no_such_field: { status: 0, slots: ['name'] },
  no_such_user: { status: 0, slots: ['name'] },
  recorded_not_json: { status: 0, slots: ['file', 'reason'] },
  recorded_not_usable: { status: 0, slots: ['place', 'reason'] },
  site_not_found: { status: 0, slots: ['address', 'reason'] },
  site_refuses: { status: 0, slots: ['address', 'reason'] },
  import_running: { status: 0 },
  subscription_failed: { status: 0, slots: ['reason'] },
  subscription_busy: { status: 0, slots: ['wait', 'reason'] },
  calendar_not_readable: { status: 0, slots: ['file', 'reason'] },
  no_administrator: { status: 0 },
  backup_failed: { status: 0, slots: ['reason'] },
  restore_failed: { status: 0, slots: ['reason'] },
  backup_running: { status: 0, slots: ['path'] },
  backup_not_usable: { status: 0, slots: ['path', 'reason'] },
  restore_target_in_use: { status: 0, slots: ['path', 'reason'] },
  restore_unfinished: { status: 0, slots: ['path'] },
  restore_other: { status: 0, slots: ['path', 'source', 'database'] },
  export_failed: { status: 0, slots: ['reason'] },
  export_not_usable: { status: 0, slots: ['path', 'reason'] },
  import_target_in_use: { status: 0, slots: ['database', 'reason'] },
  redirect_not_usable: { status: 0, slots: ['reason'] },
  no_such_redirect: { status: 0, slots: ['source'] },
  program_missing: { status: 0, slots: ['program', 'version'] },
  doctor_in_use: { status: 0, slots: ['database'] },
  no_such_password: { status: 0, slots: ['name', 'id'] },
} as const satisfies Record<string, { readonly status: number; readonly slots?: readonly string[] }>

/** Code of an error; the keys of `ERRORS`. */
export type ErrorCode = keyof typeof ERRORS

/** The message of an error: every error has one. */
function messageId(code: ErrorCode): MessageId {
  return `errors.${code}`
}

/**
 * Members of `data` in an error response beside `status`, such as `params`. A member named `status` replaces the status
 * of the code (`rest_forbidden` is 401 for a caller without credentials), and one named `additional_data` is placed
 * beside `data` (wire: rest 3.9).
 */
export type FailureData = { readonly status?: number; readonly additional_data?: readonly unknown[] } & Readonly<
  Record<string, unknown>
>

type SlotsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  readonly slots: readonly (infer Name extends string)[]
}
  ? Name
  : never

type FailArguments<Code extends ErrorCode> = [SlotsOf<Code>] extends [never]
  ? [slots?: MessageValues, data?: FailureData]
  : [slots: Readonly<Record<SlotsOf<Code>, string | number>>, data?: FailureData]

/** An error with a code of `ERRORS`. Made by `fail`, turned into a response or a line of output in one place only. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  /** HTTP status; 0 for errors of commands and of the start. */
  readonly status: number
  /** Slot values, stored so that the text can be rendered in another language. */
  readonly slots: MessageValues
  /** Members of the response's `data` beside `status`; `{}` when there are none. */
  readonly data: Readonly<Record<string, unknown>>
  /** Items of the response's `additional_data`; `[]` when it has none. */
  readonly additional: readonly unknown[]

  /** Use `fail`, which checks the slots at compile time. */
  constructor(code: ErrorCode, slots: MessageValues, data: FailureData) {
    super(errorText('en', code, slots))
    const { status = ERRORS[code].status, additional_data = [], ...members } = data
    this.code = code
    this.status = status
    this.slots = slots
    this.data = members
    this.additional = additional_data
  }
}

/**
 * A failure to throw: `throw fail('rest_body_too_large', { limit: 1024 })`.
 * The third argument holds members for the response's `data`, see `FailureData`.
 */
export function fail<Code extends ErrorCode>(code: Code, ...rest: FailArguments<Code>): Failure {
  const [slots = {}, data = {}] = rest as [MessageValues?, FailureData?]
  return new Failure(code, slots, data)
}

const PASSING: ReadonlySet<ErrorCode> = new Set(['rest_unavailable', 'rest_data_missing', 'rest_disk_full'])

/** Whether an operation failed because something it needs is temporarily away. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Failure && PASSING.has(error.code)
}

/** Whether an operation may succeed in a moment, unchanged: the server is too busy, or something it needs is away. */
export function mayWorkLater(error: unknown): boolean {
  return error instanceof Failure && error.status === 503
}

/** True for a code of `ERRORS`; used where a code arrives as text from another process. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text)
}

/** The message of an error in a language. A value that is the ID of a message is translated as well. */
export function errorText(language: string, code: ErrorCode, slots: MessageValues = {}): string {
  const values = Object.entries(slots).map(([name, value]) => [name, said(language, value)] as const)
  return translate(language, messageId(code), Object.fromEntries(values))
}

function said(language: string, value: string | number): string | number {
  return typeof value === 'string' ? translateKnown(language, value) : value
}

/** The page `docs/reference/errors.md`, generated so that it cannot disagree with `ERRORS`. */
export function errorsReference(): string {
  const entries = Object.entries(ERRORS) as [ErrorCode, { status: number }][]
  const overHttp = entries.filter(([, error]) => error.status > 0)
  const ofCommands = entries.filter(([, error]) => error.status === 0)
  return [
    '# Errors',
    '',
    'Written by `node scripts/docs.ts` from `src/base/errors.ts` and `locales/en.json`; do not edit.',
    '',
    'An error response is `{"code": ..., "message": ..., "data": {"status": ...}}`. Check the code: it never changes,',
    'while the message is in the language of the request and may be reworded. `{name}` stands for a value.',
    '`rest_forbidden` has status 401 for callers without credentials and 403 for others.',
    '',
    '| Code | Status | Message |',
    '|---|---|---|',
    ...overHttp.map(([code, error]) => `| \`${code}\` | ${error.status} | ${writtenMessage(messageId(code))} |`),
    '',
    '## Commands and start',
    '',
    'These end a command with exit code 1 and one line on standard error, or one JSON object with `--json`.',
    '',
    '| Code | Message |',
    '|---|---|',
    ...ofCommands.map(([code]) => `| \`${code}\` | ${writtenMessage(messageId(code))} |`),
    '',
  ].join('\n')
}
