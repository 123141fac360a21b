import type { Logger } from '../log.ts'
import type { OperationCall } from './cluster/operations.ts'

/** What an operation did to the rights of somebody, from its input and its result. */
type Describe = (input: Named, result: Named) => Readonly<Record<string, unknown>>

/** What inputs and results say that a line may hold: never a password. */
interface Named {
  readonly id?: unknown
  readonly name?: unknown
  readonly user?: unknown
  readonly role?: unknown
  readonly label?: unknown
}

const ofUser: Describe = (_input, { id, name, role }) => ({ user: name, userId: id, role })

/** Operations that change who may do what. */
const AUDITED: Readonly<Record<string, readonly [change: string, describe: Describe]>> = {
  addUser: ['user added', ofUser],
  setRole: ['role set', ofUser],
  disableUser: ['user disabled', ofUser],
  enableUser: ['user enabled', ofUser],
  addPassword: ['password added', (_input, { user, id, label }) => ({ user, passwordId: id, label })],
  revokePassword: ['password revoked', ({ name }, { id, label }) => ({ user: name, passwordId: id, label })],
}

/** Writes a line of level info about an operation that has changed the rights of somebody; none for all others. */
export function audit(log: Logger, call: OperationCall, result: unknown): void {
  const [change, describe] = AUDITED[call.name] ?? []
  if (change === undefined || describe === undefined) return
  log.info({ change, ...describe(call.input as Named, result as Named), by: 'command' }, 'audit')
}

/** Writes the line about the administrator of the first start. */
export function auditFirstStart(log: Logger, user: string): void {
  log.info({ change: 'user added', user, role: 'administrator', by: 'first start' }, 'audit')
}
