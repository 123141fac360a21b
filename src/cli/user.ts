import type { User } from '../accounts/users/index.ts'
import { ROLES } from '../http/auth/rights.ts'
import { type CommandGroup, declare, group } from './command.ts'
import { table } from './output.ts'

/** `kalends user ...`: who may sign in, and with which role. */
export function declareUser(shell: CommandGroup): void {
  const user = group(shell, 'user', 'add, list and change users')
  declareAdd(user)
  declare(user, { usage: 'list', summary: 'list all users' }, async (called) => {
    called.show({ users: await called.operate('listUsers', {}) }, ({ users }) => table(HEADING, users.map(cells)))
  })
  const link = {
    usage: 'link <name>',
    summary: 'create a link for choosing a password; it works once, within a week',
  }
  declare(user, link, async (called) => {
    const { publicAddress, ...made } = await called.operate('makeLink', { name: called.argument(0) })
    const { host, port } = called.config
    const origin = publicAddress || `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    const { name, path, expiresAt } = made
    called.show(
      { name, address: `${origin}${path}`, expiresAt },
      ({ address }) => `${linkText(name, expiresAt)}\n\n    ${address}\n\n`,
    )
  })
  const role = { usage: 'role <name> <role>', summary: `change the role of a user: ${ROLES.join(', ')}` }
  declare(user, role, async (called) => {
    const changed = await called.operate('setRole', { name: called.argument(0), role: called.argument(1) })
    called.show(changed, ({ name, role }) => `${name} is now ${role}.\n`)
  })
  const disable = { usage: 'disable <name>', summary: 'disable the sign-in of a user, whose items stay' }
  declare(user, disable, async (called) => {
    const changed = await called.operate('disableUser', { name: called.argument(0) })
    called.show(changed, ({ name }) => `${name} cannot sign in anymore.\n`)
  })
  declare(user, { usage: 'enable <name>', summary: 'enable the sign-in of a disabled user' }, async (called) => {
    const changed = await called.operate('enableUser', { name: called.argument(0) })
    called.show(changed, ({ name }) => `${name} can sign in again.\n`)
  })
}

function declareAdd(user: CommandGroup): void {
  const declared = {
    usage: 'add <name>',
    summary: 'add a user',
    required: {
      '--role <ROLE>': ROLES.join(', '),
      '--email <ADDRESS>': 'email address, which also works for signing in',
    },
    optional: { '--display-name <TEXT>': 'name to show (default: the username)' },
  }
  declare(user, declared, async (called) => {
    const added = await called.operate('addUser', {
      name: called.argument(0),
      role: called.option('role') ?? '',
      email: called.option('email') ?? '',
      displayName: called.option('displayName'),
    })
    const next = `Next: kalends password add ${added.name}`
    called.show(added, ({ id, name, role }) => `Added ${name}, ${role}, with the ID ${id}. ${next}\n`)
  })
}

function linkText(name: string, expiresAt: string): string {
  return `Link for ${name} to choose a password. It works once, until ${expiresAt} UTC, and is shown only now:`
}

const HEADING = ['id', 'name', 'role', 'e-mail', 'state'] as const

function cells(user: User): string[] {
  const state = user.disabledAt === null ? 'enabled' : `disabled ${user.disabledAt}`
  return [String(user.id), user.name, user.role, user.email, state]
}
