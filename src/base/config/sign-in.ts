import { isAnything, isBaseUrl, list, text, toggle } from './kinds.ts'
import { option } from './option.ts'

/** One member of the provider that environment variables declare; '' where it has its default. */
const member = (env: string, hint: string, description: string) =>
  option({
    flag: undefined,
    env: `KALENDS_OIDC_${env}`,
    kind: text(hint, 'text', isAnything),
    default: '',
    description: `Single sign-on without a file: ${description}`,
  })

const nobody: readonly string[] = Object.freeze([])

/** Options of how people sign in. The members of a provider are described in docs/accounts.md. */
export const SIGN_IN_OPTIONS = {
  passwordSignIn: option({
    flag: '--password-sign-in',
    env: 'KALENDS_PASSWORD_SIGN_IN',
    kind: toggle,
    default: true,
    defaultText: 'yes',
    description: 'Whether people may sign in with passwords; if not, only those in `--break-glass` may.',
  }),
  breakGlass: option({
    flag: '--break-glass',
    env: 'KALENDS_BREAK_GLASS',
    kind: list('NAME', 'usernames', (name) => /^[^\s@:]{1,60}$/.test(name)),
    default: nobody,
    description: 'Users who may sign in with their password although `--password-sign-in` is off.',
  }),
  oidc: option({
    flag: '--oidc',
    env: 'KALENDS_OIDC',
    kind: text('FILE', 'the name of a file', isAnything),
    default: '',
    defaultText: 'none',
    description:
      'JSON file with up to five OpenID Connect providers for single sign-on; docs/accounts.md describes it.',
  }),
  oidcId: member('ID', 'NAME', '`id`, part of addresses such as `/admin/oidc/NAME/callback`.'),
  oidcLabel: member('LABEL', 'TEXT', '`label`, the text after “Sign in with”.'),
  oidcIssuer: member('ISSUER', 'URL', '`issuer`, exactly as the provider writes it.'),
  oidcClientId: member('CLIENT_ID', 'TEXT', '`client_id`.'),
  oidcClientSecret: { ...member('CLIENT_SECRET', 'TEXT', '`client_secret`.'), secret: true },
  oidcClientSecretFile: member('CLIENT_SECRET_FILE', 'FILE', '`client_secret_file`.'),
  oidcScopes: member('SCOPES', 'TEXT', '`scopes`.'),
  oidcRoleClaim: member('ROLE_CLAIM', 'PATH', '`role_claim`.'),
  oidcRoles: member('ROLES', 'VALUE=ROLE,...', '`roles`.'),
  oidcRoleSync: member('ROLE_SYNC', 'always|first', '`role_sync`.'),
  oidcCreate: member('CREATE', 'no|invited|yes', '`create`.'),
  oidcDefaultRole: member('DEFAULT_ROLE', 'ROLE', '`default_role`.'),
  oidcTrustEmail: member('TRUST_EMAIL', 'yes|no', '`trust_email`.'),
  mcpOauthIssuer: option({
    flag: '--mcp-oauth-issuer',
    env: 'KALENDS_MCP_OAUTH_ISSUER',
    kind: text('URL', 'an http(s) address', isBaseUrl),
    default: '',
    defaultText: 'none',
    description:
      'Issuer of OAuth access tokens for /mcp; one of the providers for single sign-on, exactly as it is written there. Needs `--base-url`.',
  }),
} as const
