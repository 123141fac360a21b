import type { Logger } from '../log.ts'
import type { OperationCall } from './cluster/operations.ts'

/** How an operation changed somebody's rights or what may be stored, from its input and its result. */
type Describe = (input: Named, result: Named) => Readonly<Record<string, unknown>>

/** The members of inputs and results that a log line may contain: never a password. */
interface Named {
  readonly id?: unknown
  readonly name?: unknown
  readonly user?: unknown
  readonly role?: unknown
  readonly label?: unknown
  readonly type?: unknown
}

const ofUser: Describe = (_input, { id, name, role }) => ({ user: name, userId: id, role })

/** Operations that change rights, and which fields events have. */
const AUDITED: Readonly<Record<string, readonly [change: string, describe: Describe]>> = {
  addUser: ['user added', ofUser],
  setRole: ['role set', ofUser],
  disableUser: ['user disabled', ofUser],
  enableUser: ['user enabled', ofUser],
  makeLink: ['link made', (_input, { name }) => ({ user: name })],
  addPassword: ['password added', (_input, { user, id, label }) => ({ user, passwordId: id, label })],
  addField: ['field declared', (_input, { name, type }) => ({ field: name, type })],
  removeField: ['field removed', ({ name }) => ({ field: name })],
  revokePassword: ['password revoked', ({ name }, { id, label }) => ({ user: name, passwordId: id, label })],
}

/** Logs an operation that is audited, at level info; nothing for all others. */
export function audit(log: Logger, call: OperationCall, result: unknown): void {
  const [change, describe] = AUDITED[call.name] ?? []
  if (change === undefined || describe === undefined) return
  log.info({ change, ...describe(call.input as Named, result as Named), by: 'command' }, 'audit')
}

/** Writes the line about the administrator of the first start. */
export function auditFirstStart(log: Logger, user: string): void {
  log.info({ change: 'user added', user, role: 'administrator', by: 'first start' }, 'audit')
}
