import { makeLink } from '../../accounts/sessions/index.ts'
import { addToken, listTokens, revokeToken, type WantedToken } from '../../accounts/tokens/index.ts'
import {
  addPassword,
  addUser,
  disableUser,
  enableUser,
  listPasswords,
  listUsers,
  type NewUser,
  revokePassword,
  setRole,
} from '../../accounts/users/index.ts'
import { fail } from '../../base/errors.ts'
import { forTheCalendar } from '../../base/requester.ts'
import { addField, listFields, removeField } from '../../calendar/events/index.ts'
import { addRedirect, listRedirects, removeRedirect } from '../../calendar/redirects/store.ts'
import type { DeclarationInput } from '../../model/kinds/declared-field.ts'
import { MIGRATIONS } from '../../storage/migrations/index.ts'
import type {
  App,
  CalendarFilesInput,
  CalendarFilesReport,
  EventsLeft,
  ImportReport,
  JsonFile,
  Progress,
  SiteImportInput,
  SiteReport,
  SubscriptionInput,
} from '../types.ts'

/** Takes reports of how far an operation is. */
export type OnProgress = (progress: Progress) => void

/** State of the database after `migrate`. */
export interface MigrationState {
  /** Path or address without password. */
  readonly database: string
  /** All migrations the database has, in their order. */
  readonly migrations: readonly { readonly id: number; readonly name: string }[]
}

/** What `import` gets. */
export interface ImportInput {
  readonly files: readonly JsonFile[]
  readonly author?: string | undefined
}

/**
 * What commands can have done to the data, by name. An operation runs in the process that holds the data folder: in the
 * command itself, or in the server that is running (see `operate`), so input and result are plain JSON values.
 */
const OPERATIONS = {
  migrate: async (app: App): Promise<MigrationState> => ({
    database: app.storage.location,
    // The application applies what is missing when it opens the database, so this is what the database has.
    migrations: MIGRATIONS.map(({ id, name }) => ({ id, name })),
  }),
  import: async (app: App, input: ImportInput, onProgress: OnProgress): Promise<ImportReport> => {
    if (app.importJson === undefined) throw fail('unknown_operation', { name: 'import' })
    return app.importJson(input.files, { author: input.author, onProgress })
  },
  importSite: async (app: App, input: SiteImportInput, onProgress: OnProgress): Promise<SiteReport> => {
    if (app.importSite === undefined) throw fail('unknown_operation', { name: 'importSite' })
    return app.importSite(input, onProgress)
  },
  importCalendars: async (
    app: App,
    input: CalendarFilesInput,
    onProgress: OnProgress,
  ): Promise<CalendarFilesReport> => {
    if (app.importCalendars === undefined) throw fail('unknown_operation', { name: 'importCalendars' })
    return app.importCalendars(input, onProgress)
  },
  listSubscriptions: (app: App) => subscriptionsOf(app).list(),
  addSubscription: (app: App, input: SubscriptionInput) => subscriptionsOf(app).add(input),
  changeSubscription: (app: App, { id, ...input }: SubscriptionInput & { id: number }) =>
    subscriptionsOf(app).change(id, input),
  removeSubscription: (app: App, { id, events }: { id: number; events?: EventsLeft | undefined }) =>
    subscriptionsOf(app).remove(id, { events }),
  syncSubscription: (app: App, { id }: { id: number }) => subscriptionsOf(app).sync(id),
  addUser: (app: App, input: NewUser) => addUser(app, input),
  listUsers: (app: App) => listUsers(app),
  setRole: (app: App, input: { name: string; role: string }) => setRole(app, input),
  disableUser: (app: App, input: { name: string }) => disableUser(app, input),
  enableUser: (app: App, input: { name: string }) => enableUser(app, input),
  addPassword: (app: App, input: { name: string; label?: string | undefined }) => addPassword(app, input),
  listPasswords: (app: App, input: { name: string }) => listPasswords(app, input),
  revokePassword: (app: App, input: { name: string; id: number }) => revokePassword(app, input),
  addToken: async (app: App, input: NewTokenInput) =>
    addToken(app, { ...input, user: input.user ?? (await onlyAdministrator(app)) }),
  listTokens: (app: App, input: { user?: string | undefined }) => listTokens(app, input),
  revokeToken: (app: App, input: { id: string }) => revokeToken(app, input),
  addField: (app: App, input: DeclarationInput) => addField(app, input),
  listFields: (app: App) => listFields(app),
  removeField: (app: App, input: { name: string }) => removeField(app, input),
  addRedirect: (app: App, input: { from: string; to: string }) => addRedirect(app, input),
  listRedirects: (app: App) => listRedirects(app),
  removeRedirect: (app: App, input: { from: string }) => removeRedirect(app, input),
  testMail: async (app: App, { address }: { address: string }) => {
    if (app.mail === undefined) throw fail('unknown_operation', { name: 'testMail' })
    await app.mail.test(address)
    return { address }
  },
  makeLink: async (app: App, input: { name: string }) => ({
    ...(await makeLink(app, input)),
    publicAddress: app.publicAddress?.() ?? '',
  }),
} as const

function subscriptionsOf({ subscriptions }: App): NonNullable<App['subscriptions']> {
  if (subscriptions === undefined) throw fail('unknown_operation', { name: 'subscriptions' })
  return subscriptions
}

/** What `addToken` gets; the only administrator where no user is named. */
type NewTokenInput = WantedToken & { readonly user?: string | undefined }

async function onlyAdministrator(app: App): Promise<string> {
  const users = await listUsers(app)
  const [first, ...others] = users.filter(({ role, disabledAt }) => role === 'administrator' && disabledAt === null)
  if (first !== undefined && others.length === 0) return first.name
  throw fail('wrong_usage', { reason: 'name the owner with --user: there is not exactly one administrator' })
}

type Operations = typeof OPERATIONS

/** Name of an operation. */
export type OperationName = keyof Operations

/** Input of an operation; `{}` for those that need none. */
export type OperationInput<Name extends OperationName> = Operations[Name] extends (
  app: App,
  input: infer Input,
  ...rest: never[]
) => unknown
  ? unknown extends Input
    ? Record<string, never>
    : Input
  : never

/** Result of an operation. */
export type OperationResult<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>

/** An operation with its input, as it travels to the process that runs it. */
export interface OperationCall {
  readonly name: string
  readonly input: unknown
}

/**
 * Runs an operation by name.
 * @throws unknown_operation when the call is from a command of another version, and what the operation throws
 */
export async function runOperation(app: App, call: OperationCall, onProgress: OnProgress): Promise<unknown> {
  if (!Object.hasOwn(OPERATIONS, call.name)) throw fail('unknown_operation', { name: call.name })
  // The names and their inputs are checked where calls are made; here they may have come through the socket.
  const run = OPERATIONS[call.name as OperationName] as (app: App, input: unknown, onProgress: OnProgress) => unknown
  return forTheCalendar(() => run(app, call.input, onProgress))
}
