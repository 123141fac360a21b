import type { ApplicationPassword, NewPassword } from '../accounts/users/index.ts'
import { fail } from '../base/errors.ts'
import { groupPassword } from '../http/auth/authenticate.ts'
import { type CommandGroup, declare, group } from './command.ts'
import { table } from './output.ts'

/** `kalends password ...`: application passwords, with which users and programs sign in. */
export function declarePassword(shell: CommandGroup): void {
  const password = group(shell, 'password', 'add, list and revoke application passwords')
  const add = {
    usage: 'add <name>',
    summary: 'add an application password for a user; it is shown once',
    optional: { '--label <TEXT>': 'what it is for' },
  }
  declare(password, add, async (called) => {
    const input = { name: called.argument(0), label: called.option('label') }
    called.show(await called.operate('addPassword', input), newPassword)
  })
  declare(password, { usage: 'list <name>', summary: 'list the application passwords of a user' }, async (called) => {
    const passwords = await called.operate('listPasswords', { name: called.argument(0) })
    called.show({ passwords }, (result) => table(HEADING, result.passwords.map(cells)))
  })
  const revoke = { usage: 'revoke <name> <id>', summary: 'revoke an application password at once' }
  declare(password, revoke, async (called) => {
    const [name, id] = [called.argument(0), called.argument(1)]
    if (!/^\d{1,15}$/.test(id)) throw fail('no_such_password', { name, id })
    const revoked = await called.operate('revokePassword', { name, id: Number(id) })
    called.show(revoked, (result) => `Revoked the application password ${result.id} of ${name}.\n`)
  })
}

function newPassword({ user, id, password }: NewPassword): string {
  return [
    `New application password of ${user}, with the ID ${id}:`,
    '',
    `    ${groupPassword(password)}`,
    '',
    'It is shown only now. Use it with the username in HTTP Basic authentication; spaces do not matter.',
    '',
  ].join('\n')
}

const HEADING = ['id', 'label', 'made', 'last use', 'state'] as const

function cells(password: ApplicationPassword): string[] {
  const state = password.revokedAt === null ? 'valid' : `revoked ${password.revokedAt}`
  return [String(password.id), password.label, password.createdAt, password.usedAt ?? '', state]
}
