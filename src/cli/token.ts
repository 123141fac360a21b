import type { AccessToken, CreatedToken } from '../accounts/tokens/index.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import { TOKEN_SCOPES } from '../http/auth/rights.ts'
import { type CommandGroup, declare, group } from './command.ts'
import { table } from './output.ts'
import { secondsOf } from './seconds.ts'

/** `kalends token ...`: with tokens programs act for a user. */
export function declareToken(shell: CommandGroup): void {
  const token = group(shell, 'token', 'add, list and revoke tokens of programs')
  const add = {
    usage: 'add <name>',
    summary: 'add a token; it is shown once',
    optional: {
      '--user <NAME>': 'its owner (default: the administrator, if there is only one)',
      '--expires <TIME>': 'when it expires, such as 30d, or never (default: 90d)',
    },
    repeatable: { '--scope <SCOPE>': `what it allows: ${TOKEN_SCOPES.join(', ')} (default: read)` },
  }
  declare(token, add, async (called) => {
    const scopes = called.repeated('scope').flatMap((text) => text.split(',').map((one) => one.trim()))
    const expiresAt = expiryOf(called.option('expires'), called.world.now())
    const input = { name: called.argument(0), user: called.option('user'), expiresAt }
    called.show(await called.operate('addToken', { ...input, ...(scopes.length > 0 && { scopes }) }), newToken)
  })
  const list = {
    usage: 'list',
    summary: 'list the tokens that have not expired',
    optional: { '--user <NAME>': 'only those of a user' },
  }
  declare(token, list, async (called) => {
    const tokens = await called.operate('listTokens', { user: called.option('user') })
    called.show({ tokens }, (result) => table(HEADING, result.tokens.map(cells)))
  })
  declare(token, { usage: 'revoke <id>', summary: 'revoke a token at once' }, async (called) => {
    const revoked = await called.operate('revokeToken', { id: called.argument(0) })
    called.show(revoked, ({ id, user }) => `Revoked the token ${id} of ${user}.\n`)
  })
}

/** Absent texts stay absent; `never` is null. @throws wrong_usage */
function expiryOf(text: string | undefined, now: number): string | null | undefined {
  if (text === undefined) return undefined
  return text === 'never' ? null : utcFromMillis(now + secondsOf(text) * 1000)
}

function newToken({ user, id, token, expiresAt }: CreatedToken): string {
  const until = expiresAt === null ? 'it is revoked' : `${expiresAt} UTC`
  return `New token of ${user}, with the ID ${id}, valid until ${until}:

    ${token}

It is shown only now. Send it as "Authorization: Bearer TOKEN".
`
}

const HEADING = ['id', 'user', 'name', 'scopes', 'made', 'expires', 'last use'] as const

function cells({ id, user, name, scopes, createdAt, expiresAt, usedAt }: AccessToken): string[] {
  return [id, user, name, scopes.join(' '), createdAt, expiresAt ?? 'never', usedAt ?? '']
}
