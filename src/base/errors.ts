/**
 * Every error of Kalends, each written once: code, HTTP status and English text.
 *
 * Codes are the contract: clients and scripts test for them, so they never change. Texts are for people and may be
 * translated; `{name}` marks a slot that is filled when the error occurs. Status 0 means that the error is never sent
 * over HTTP: it ends a command or keeps the server from starting.
 *
 * Codes with hyphens and codes starting with `rest_` are those of the interface in the wild (wire: events 10, rest
 * 6.1). Where that server responds with 500 for a mistake of the caller, Kalends responds with 400.
 */
export const ERRORS = {
  // Reading the request.
  rest_too_many_requests: { status: 429, text: 'Too many requests. Please try again in {seconds} seconds.' },
  rest_no_route: { status: 404, text: 'There is no route with this address and method.' },
  rest_bad_request: { status: 400, text: 'The request could not be read.' },
  rest_request_timeout: { status: 408, text: 'The request took too long to arrive.' },
  rest_body_too_large: { status: 413, text: 'The request body is larger than {limit} bytes.' },
  rest_too_many_params: { status: 400, text: 'The request has more than {limit} parameters or values.' },
  rest_headers_too_large: { status: 431, text: 'The request headers are too large.' },
  rest_invalid_json: { status: 400, text: 'The request body is not valid JSON.' },
  rest_invalid_namespace: { status: 404, text: 'There is no namespace with this name.' },
  rest_missing_callback_param: { status: 400, text: 'Required parameters are missing: {params}' },
  rest_invalid_param: { status: 400, text: 'Some parameters are not valid: {params}' },
  rest_invalid_type: { status: 400, text: '{param} is not of type {type}.' },
  rest_invalid_header: { status: 400, text: 'The header {header} is malformed.' },
  bad_date: { status: 400, text: '{param} is not a date that can be understood.' },

  // Authentication and permission.
  incorrect_password: { status: 401, text: 'The name, the e-mail address or the application password is wrong.' },
  rest_not_logged_in: { status: 401, text: 'You are not logged in: no credentials were sent.' },
  rest_forbidden: { status: 403, text: 'You are not allowed to do this.' },
  rest_cross_origin: { status: 403, text: 'Pages of other sites may not send changes here.' },
  rest_csrf_token: {
    status: 403,
    text: 'This was not sent from a page of this site, or the page is too old. Reload it and try again.',
  },
  'event-not-accessible': { status: 403, text: 'This event is not open to you.' },
  'venue-not-accessible': { status: 403, text: 'This venue is not open to you.' },
  'organizer-not-accessible': { status: 403, text: 'This organizer is not open to you.' },
  'event-password-protected': { status: 403, text: 'This event needs a password, and none or a wrong one was sent.' },

  // Writes that must not overwrite each other (RFC 9110 section 13, RFC 6585).
  precondition_failed: {
    status: 412,
    text: 'The item is not in the state that this request expects: it has changed in the meantime, or exists already.',
  },
  venue_taken: {
    status: 409,
    text: 'The venue takes one event at a time, and other events are there at that time.',
  },
  precondition_required: {
    status: 428,
    text: 'Send the ETag of the item as If-Match: changes without it are refused.',
  },

  // Batches.
  batch_failed: { status: 400, text: 'Request {request} of the batch failed, so that nothing was changed.' },
  batch_unknown_reference: {
    status: 400,
    text: 'The reference {reference} names no earlier response, or no member of it.',
  },
  batch_unsuitable_request: {
    status: 400,
    text: 'A batch may read single items and change events, venues, organizers, categories and tags, and nothing else.',
  },
  batch_too_much: { status: 413, text: 'This batch is too much at once. Send it in parts.' },
  batch_without_media: {
    status: 400,
    text: 'A batch that is made as a whole fetches no images: upload them first and send their identifiers.',
  },

  // Following changes.
  cursor_expired: {
    status: 410,
    text: 'The changes since this cursor are not known. Read all lists again and follow from their cursor.',
  },

  // Requests with an Idempotency-Key (IETF draft-ietf-httpapi-idempotency-key-header).
  idempotency_in_progress: {
    status: 409,
    text: 'A request with this Idempotency-Key is still being processed. Try again in a moment.',
  },
  idempotency_mismatch: { status: 422, text: 'This Idempotency-Key was used for another request.' },
  idempotency_limit: {
    status: 429,
    text: 'Too many Idempotency-Keys were used within 24 hours. Send the request later, or without a key.',
  },

  // Events, venues, organizers.
  'rest-event-not-found': { status: 404, text: 'There is no event with this id.' },
  'event-archive-page-not-found': { status: 404, text: 'The list of events has no such page.' },
  'venue-archive-page-not-found': { status: 404, text: 'The list of venues has no such page.' },
  'organizer-archive-page-not-found': { status: 404, text: 'The list of organizers has no such page.' },
  'event-is-in-trash': { status: 410, text: 'This event is in the trash already.' },
  'venue-is-in-trash': { status: 410, text: 'This venue is in the trash already.' },
  'organizer-is-in-trash': { status: 410, text: 'This organizer is in the trash already.' },
  'could-not-create-venue': { status: 400, text: 'No venue can be made from the data that was sent.' },
  'could-not-create-organizer': { status: 400, text: 'No organizer can be made from the data that was sent.' },

  // Images.
  'source-not-found': { status: 404, text: 'There is no source with this id.' },
  bad_source: { status: 400, text: 'The source cannot be followed: {reason}.' },
  'webhook-not-found': { status: 404, text: 'There is no webhook with this id.' },
  'webhook-delivery-not-found': { status: 404, text: 'The log of this webhook has no delivery with this id.' },
  bad_webhook: { status: 400, text: 'The webhook cannot be used like this: {reason}.' },
  'media-not-found': { status: 404, text: 'There is no picture with this id.' },
  'media-in-use': { status: 409, text: 'An event, venue or organizer has this picture. Take it off there first.' },

  // Categories and tags.
  term_exists: { status: 400, text: 'A term with this name exists already.' },
  empty_term_name: { status: 400, text: 'The name of a term cannot be empty.' },
  duplicate_term_slug: { status: 400, text: 'The slug "{slug}" belongs to another term.' },
  db_insert_error: { status: 400, text: 'The name of the term is too long.' },
  rest_term_invalid: { status: 404, text: 'There is no such term.' },
  rest_taxonomy_not_hierarchical: { status: 400, text: 'Tags have no parent.' },

  // The server itself.
  internal_server_error: { status: 500, text: 'Something went wrong inside the server. The cause is in its log.' },
  /** Not 503: that says that nothing was done, so that a proxy may send the request elsewhere. */
  rest_write_uncertain: {
    status: 502,
    text: 'It is not known whether the change was made: the answer to it was lost. Look before you try again.',
  },
  rest_query_too_costly: { status: 503, text: 'This query takes too long. Narrow it down, or try again later.' },
  rest_too_busy: { status: 503, text: 'Too many queries are waiting. Please try again in a moment.' },
  rest_unavailable: { status: 503, text: 'The server cannot answer right now. Please try again in a moment.' },
  rest_data_missing: {
    status: 503,
    text: 'Nothing can be changed: the files of the calendar are not where the server opened them.',
  },
  rest_disk_full: { status: 503, text: 'Nothing can be changed: the disk of the server takes no more data.' },

  // Starting the server, and its commands.
  bad_configuration: { status: 0, text: 'The configuration is not usable: {problems}' },
  data_not_writable: { status: 0, text: 'The data folder {path} cannot be written: {reason}' },
  folder_not_usable: { status: 0, text: 'The folder {path} cannot be made or written: {reason}' },
  secret_not_usable: { status: 0, text: 'The key file {path} is not usable: {reason}' },
  no_calendar: {
    status: 0,
    text: 'There is no calendar in {path}. Name its folder with --data, restore one with "kalends restore", or begin a new one with "kalends serve".',
  },
  database_lost: {
    status: 0,
    text: 'The database {path} is {state}, but the key of its calendar is there: restore a backup with "kalends restore" into an empty folder, or move {key} away to begin a new calendar.',
  },
  key_missing: {
    status: 0,
    text: 'The key file {path} of this calendar is missing: put it back from a backup or set KALENDS_SECRET. With another key (64 hexadecimal digits) all passwords have to be added anew.',
  },
  database_newer: { status: 0, text: 'The database was written by a newer version of Kalends: {path}' },
  database_not_usable: { status: 0, text: 'The database cannot be opened: {reason}' },
  database_damaged: {
    status: 0,
    text: 'The database is damaged ({reason}): see with "kalends doctor" what is lost, then restore a backup with "kalends restore" into an empty folder.',
  },
  already_running: { status: 0, text: 'Another Kalends server is already using the data folder {path}.' },
  writer_silent: { status: 0, text: 'Another process is using the data folder {path} and does not answer.' },
  port_in_use: { status: 0, text: 'Port {port} of {host} is in use by another program. Choose one with {option}.' },
  cannot_listen: { status: 0, text: 'Cannot listen on port {port} of {host}: {reason}' },
  unknown_operation: { status: 0, text: 'The running server does not know the operation "{name}".' },
  wrong_usage: { status: 0, text: '{reason}' },
  unexpected: { status: 0, text: 'Something went wrong: {reason}' },
  file_not_readable: { status: 0, text: 'The file {path} cannot be read: {reason}' },
  unknown_role: { status: 0, text: 'There is no role "{role}". Roles are: {roles}' },
  bad_user_name: { status: 0, text: 'A user name has 1 to 60 letters, digits or . _ - and not "{name}".' },
  bad_user_email: { status: 0, text: '"{email}" is not an e-mail address.' },
  name_taken: { status: 0, text: 'There is a user named "{name}" already.' },
  email_taken: { status: 0, text: 'There is a user with the e-mail address "{email}" already.' },
  user_disabled: { status: 0, text: 'The user "{name}" is disabled.' },
  bad_person_password: {
    status: 0,
    text: 'Choose a password of 8 or more characters that is not a user name.',
  },
  bad_link: { status: 0, text: 'This link has been used, has expired or is not complete. Ask for a new one.' },
  bad_field: { status: 0, text: 'The field "{name}" cannot be declared: {reason}.' },
  no_such_field: { status: 0, text: 'No field named "{name}" is declared.' },
  no_such_user: { status: 0, text: 'There is no user named "{name}".' },
  recorded_not_json: { status: 0, text: 'Nothing was imported: {file} is not valid JSON: {reason}' },
  recorded_not_usable: { status: 0, text: 'Nothing was imported: {place} {reason}.' },
  site_not_found: { status: 0, text: 'No calendar with this interface was found at {address}: {reason}' },
  site_refuses: { status: 0, text: 'The site {address} refuses the user and password: {reason}' },
  import_running: { status: 0, text: 'Another import of a site is running. Wait until it is done.' },
  source_failed: { status: 0, text: 'The source could not be read: {reason}.' },
  source_busy: { status: 0, text: 'The source asks for {wait} milliseconds of patience: {reason}.' },
  calendar_not_readable: { status: 0, text: 'Nothing was imported: {file} {reason}.' },
  no_administrator: {
    status: 0,
    text: 'There is no administrator to own what is imported: name a user with --author.',
  },
  backup_failed: { status: 0, text: 'No backup was made: {reason}' },
  restore_failed: { status: 0, text: 'Nothing was restored: {reason}' },
  backup_running: { status: 0, text: 'Another backup into {path} is running.' },
  backup_not_usable: { status: 0, text: '{path} is no backup that can be restored: {reason}' },
  restore_target_in_use: {
    status: 0,
    text: 'Restore into an empty data folder and an empty database. {path} is none: {reason}.',
  },
  restore_unfinished: {
    status: 0,
    text: 'A restore into {path} was interrupted: run the same "kalends restore" again, or empty the folder.',
  },
  restore_other: {
    status: 0,
    text: 'Another restore into {path} was interrupted, of {source} into {database}: run that one again, or empty the folder for this one.',
  },
  export_failed: { status: 0, text: 'Nothing was exported: {reason}' },
  export_not_usable: { status: 0, text: '{path} is no export that can be imported: {reason}' },
  import_target_in_use: {
    status: 0,
    text: 'Import an export into an empty calendar. {database} is none: {reason}.',
  },
  redirect_not_usable: { status: 0, text: 'No redirect was added: {reason}.' },
  no_such_redirect: { status: 0, text: 'There is no redirect from {source}.' },
  program_missing: {
    status: 0,
    text: 'The program {program} of PostgreSQL {version} or newer was not found. Install it (Debian: postgresql-client) or put its folder into PATH.',
  },
  doctor_in_use: { status: 0, text: 'The calendar {database} is in use: stop its servers, then repair it.' },
  no_such_password: { status: 0, text: 'User "{name}" has no valid application password with the id {id}.' },
} as const satisfies Record<string, { readonly status: number; readonly text: string }>

/** Code of an error; the keys of `ERRORS`. */
export type ErrorCode = keyof typeof ERRORS

/** Values for the slots of an error's text, by slot name. */
export type Slots = Readonly<Record<string, string | number>>

/** Names of the slots in a text: `'port' | 'host'` for `'Port {port} of {host}'`, `never` for a text without slots. */
export type SlotNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SlotNames<Rest>
  : never

/**
 * Members of `data` in an error response beside `status`, such as `params`. A member named `status` replaces the status
 * of the code (`rest_forbidden` is 401 for a caller without credentials), and one named `additional_data` is placed
 * beside `data` (wire: rest 3.9).
 */
export type FailureData = { readonly status?: number; readonly additional_data?: readonly unknown[] } & Readonly<
  Record<string, unknown>
>

type SlotsOf<Code extends ErrorCode> = SlotNames<(typeof ERRORS)[Code]['text']>

type FailArguments<Code extends ErrorCode> = [SlotsOf<Code>] extends [never]
  ? [slots?: Slots, data?: FailureData]
  : [slots: Readonly<Record<SlotsOf<Code>, string | number>>, data?: FailureData]

/** An error with a code of `ERRORS`. Made by `fail`, turned into a response or a line of output in one place only. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  /** HTTP status; 0 for errors of commands and of the start. */
  readonly status: number
  /** Slot values, stored so that the text can be rendered in another language. */
  readonly slots: Slots
  /** Members of the response's `data` beside `status`; `{}` when there are none. */
  readonly data: Readonly<Record<string, unknown>>
  /** Items of the response's `additional_data`; `[]` when it has none. */
  readonly additional: readonly unknown[]

  /** Use `fail`, which checks the slots at compile time. */
  constructor(code: ErrorCode, slots: Slots, data: FailureData) {
    super(fillSlots(ERRORS[code].text, slots))
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
  const [slots = {}, data = {}] = rest as [Slots?, FailureData?]
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

/** Fills the `{slots}` of a text; a slot without a value stays. */
export function fillSlots(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => String(Object.hasOwn(slots, name) ? slots[name] : slot))
}

/** The page `docs/reference/errors.md`, generated so that it cannot disagree with `ERRORS`. */
export function errorsReference(): string {
  const entries = Object.entries(ERRORS)
  const overHttp = entries.filter(([, error]) => error.status > 0)
  const ofCommands = entries.filter(([, error]) => error.status === 0)
  return [
    '# Errors',
    '',
    'Written by `node scripts/docs.ts` from `src/base/errors.ts`; do not edit.',
    '',
    'An error answer is `{"code": ..., "message": ..., "data": {"status": ...}}`. Test for the code: it never changes,',
    'while the message is in the language of the request and may be reworded. `{name}` stands for a value.',
    '`rest_forbidden` has status 401 for callers without credentials and 403 for the others.',
    '',
    '| Code | Status | Message |',
    '|---|---|---|',
    ...overHttp.map(([code, error]) => `| \`${code}\` | ${error.status} | ${error.text} |`),
    '',
    '## Commands and start',
    '',
    'These end a command with exit code 1 and one line on standard error, or one JSON object with `--json`.',
    '',
    '| Code | Message |',
    '|---|---|',
    ...ofCommands.map(([code, error]) => `| \`${code}\` | ${error.text} |`),
    '',
  ].join('\n')
}
