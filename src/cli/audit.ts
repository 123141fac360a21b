import type { Config } from '../base/config.ts'
import { createLog, type Logger } from '../base/log.ts'
import { logFormatOf } from './logs.ts'
import type { OperationCall } from './running-server/operations.ts'
import type { SiteReport, World } from './types.ts'

type About = Readonly<Record<string, unknown>>

/** How an operation changed someone's rights or what may be stored, from its input and its result: each is a line. */
type Describe = (input: Named, result: Named) => About | readonly About[]

/** The members of inputs and results that a log line may contain: never a password. */
interface Named {
  readonly id?: unknown
  readonly name?: unknown
  readonly user?: unknown
  readonly role?: unknown
  readonly label?: unknown
  readonly type?: unknown
  readonly scopes?: unknown
}

const ofUser = (_input: Named, { id, name, role }: Named): About => ({ user: name, userId: id, role })

/** As `aboutToken` says it: copied, so that other commands need not load that module. */
const ofToken = (_input: Named, { user, id, name, scopes }: Named): About => ({
  ...{ user, tokenId: id, label: name },
  scopes: Array.isArray(scopes) ? scopes.join(' ') : '',
})

/** Operations that change rights, and which fields events have. */
const AUDITED: Readonly<Record<string, readonly [change: string, describe: Describe]>> = {
  addUser: ['user added', ofUser],
  setRole: ['role set', ofUser],
  disableUser: ['user disabled', ofUser],
  enableUser: ['user enabled', ofUser],
  makeLink: ['link made', (_input, { name }) => ({ user: name })],
  addPassword: ['password added', (_input, { user, id, label }) => ({ user, passwordId: id, label })],
  addToken: ['token added', ofToken],
  revokeToken: ['token revoked', ofToken],
  addField: ['field declared', (_input, { name, type }) => ({ field: name, type })],
  removeField: ['field removed', ({ name }) => ({ field: name })],
  importSite: ['user added', (_input, result) => (result as SiteReport).users.made.map((one) => ofUser({}, one))],
  revokePassword: ['password revoked', ({ name }, { id, label }) => ({ user: name, passwordId: id, label })],
}

/** Logs an operation that is audited, at level info; nothing for all others. */
export function audit(log: Logger, call: OperationCall, result: unknown): void {
  const [change, describe] = AUDITED[call.name] ?? []
  if (change === undefined || describe === undefined) return
  for (const about of [describe(call.input as Named, result as Named)].flat())
    log.info({ change, ...about, by: 'command' }, 'audit')
}

/** Logs that a whole calendar came, with all the rights in it: its users, where they are named. */
export function auditCalendar(log: Logger, change: string, users: readonly Named[] = []): void {
  log.info({ change, by: 'command' }, 'audit')
  for (const user of users) log.info({ change: 'user added', ...ofUser({}, user), by: 'command' }, 'audit')
}

/** Where a command writes such lines: its standard error, unless a person sees the result there already. */
export function auditLog({ world, config }: { readonly world: World; readonly config: Config }): Logger {
  const level = world.stderr.isTTY === true ? 'silent' : config.logLevel
  return createLog({ level, now: world.now, format: logFormatOf({ world, config }), stream: world.stderr })
}

/** Writes the line about the administrator of the first start. */
export function auditFirstStart(log: Logger, user: string): void {
  log.info({ change: 'user added', user, role: 'administrator', by: 'first start' }, 'audit')
}
