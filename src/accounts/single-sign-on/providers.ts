import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { isHttpUrl } from '../../base/text/http-url.ts'
import { isRole, ROLES, type Role } from '../../http/auth/rights.ts'

/** An OpenID Connect provider that people sign in with, as it is configured. */
export interface Provider {
  /** Part of addresses. */
  readonly id: string
  /** What people call it. */
  readonly label: string
  /** Compared exactly with what the provider says. */
  readonly issuer: string
  readonly clientId: string
  readonly scopes: string
  /** Path of the claim with the roles; '' for none. */
  readonly roleClaim: string
  /** Values of that claim -> roles. */
  readonly roles: Readonly<Record<string, Role>>
  readonly roleSync: 'always' | 'first'
  /** Who gets in that has no account with an identity yet. */
  readonly create: 'no' | 'invited' | 'yes'
  /** Role of a new person without a mapped one; undefined where such a person is refused. */
  readonly defaultRole: Role | undefined
  /** Whether a verified address may match an invitation. */
  readonly trustEmail: boolean
}

/** A provider with what nothing but requests to it may contain. */
export interface ProviderWithSecret extends Provider {
  readonly clientSecret: string
}

/** Most providers. */
const MOST = 5

type Source = Pick<Config, Extract<keyof Config, `oidc${string}`> | 'mcpOauthIssuer'>

/** The providers that are configured; `[]` for none. @throws bad_configuration with all problems at once */
export function readProviders(config: Source): ProviderWithSecret[] {
  const problems: string[] = []
  const entries = entriesOf(config, problems)
  const folder = config.oidc === '' ? '.' : dirname(config.oidc)
  const providers = entries.map((entry, index) => {
    const place = config.oidc === '' ? 'KALENDS_OIDC' : `${config.oidc}: provider ${index + 1}`
    return readProvider(entry, folder, (text) => void problems.push(`${place}: ${text}`))
  })
  if (providers.length > MOST)
    problems.push(`${config.oidc} has ${providers.length} providers, at most ${MOST} are possible`)
  for (const name of ['id', 'issuer'] as const) {
    const twice = providers.find((one, index) => providers.findIndex((other) => other[name] === one[name]) < index)
    if (twice !== undefined) problems.push(`${config.oidc}: two providers have the ${name} "${twice[name]}"`)
  }
  const { mcpOauthIssuer: issuer } = config
  if (issuer !== '' && !providers.some((one) => one.issuer === issuer))
    problems.push(`--mcp-oauth-issuer must be the issuer of a provider for single sign-on, and ${issuer} is none`)
  if (problems.length > 0) throw fail('bad_configuration', { problems: problems.join('; ') }, { problems })
  return providers
}

/** A provider as JSON, or as environment variables, write it. */
type Entry = Readonly<Record<string, unknown>>

function entriesOf(config: Source, problems: string[]): readonly Entry[] {
  const single = singleOf(config)
  if (config.oidc === '') return single === undefined ? [] : [single]
  if (single !== undefined) problems.push('--oidc and the variables KALENDS_OIDC_... are both set: use one of them')
  try {
    const parsed: unknown = JSON.parse(readFileSync(config.oidc, 'utf8'))
    if (Array.isArray(parsed) && parsed.every((one) => typeof one === 'object' && one !== null))
      return parsed as Entry[]
    problems.push(`${config.oidc} must be a list of providers: [{ ... }]`)
  } catch (error) {
    // The message of a parser quotes the file, which may contain a secret.
    const isSyntax = error instanceof SyntaxError
    problems.push(`${config.oidc} ${isSyntax ? 'is not JSON' : `cannot be read: ${(error as Error).message}`}`)
  }
  return []
}

/** The provider that environment variables declare; undefined where none is set. */
function singleOf(config: Source): Entry | undefined {
  const values: Readonly<Record<string, string>> = config
  const set = MEMBERS.map((name) => [
    name,
    values[`oidc_${name}`.replaceAll(/_(.)/g, (_, first) => first.toUpperCase())],
  ])
  const members = Object.fromEntries(set.filter(([, value]) => value !== ''))
  const { roles, trust_email: trusted } = members
  if (set.every(([, value]) => value === '')) return undefined
  return {
    ...members,
    ...(roles !== undefined && { roles: Object.fromEntries(roles.split(',').map(pairOf)) }),
    ...(trusted !== undefined && { trust_email: trusted === 'yes' }),
  }
}

/** Values may contain `=`, as names in directories do; roles do not. */
function pairOf(pair: string): [string, string] {
  const cut = pair.lastIndexOf('=')
  return [pair.slice(0, Math.max(0, cut)).trim(), pair.slice(cut + 1).trim()]
}

type Problem = (text: string) => void

const MEMBERS = [
  ...['id', 'label', 'issuer', 'client_id', 'client_secret', 'client_secret_file', 'scopes'],
  ...['role_claim', 'roles', 'role_sync', 'create', 'default_role', 'trust_email'],
]

/** Reads a provider; `folder` is where the file of its secret is looked for. */
function readProvider(entry: Entry, folder: string, problem: Problem): ProviderWithSecret {
  const unknown = Object.keys(entry).filter((name) => !MEMBERS.includes(name))
  for (const name of unknown) problem(`there is no member "${name}"`)
  const text = (name: string, pattern: RegExp, usual?: string): string => {
    const value = entry[name] ?? usual
    if (typeof value === 'string' && pattern.test(value)) return value
    problem(value === undefined ? `${name} is missing` : `${name} is not usable: it must match ${pattern.source}`)
    return ''
  }
  const word = <Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value => {
    const value = values.find((one) => one === (entry[name] ?? values[0]))
    if (value === undefined) problem(`${name} must be one of ${values.join(', ')}`)
    return value ?? values[0]
  }
  const defaultRole = word('default_role', ['none', ...ROLES])
  const trustEmail = entry['trust_email'] ?? false
  if (typeof trustEmail !== 'boolean') problem('trust_email must be true or false')
  return {
    id: text('id', /^[a-z0-9-]{1,40}$/),
    label: text('label', /^.{1,60}$/),
    issuer: issuerOf(text('issuer', /^\S+$/), problem),
    clientId: text('client_id', /^.+$/),
    clientSecret: secretOf(entry, folder, problem),
    scopes: text('scopes', /\bopenid\b/, 'openid profile email'),
    roleClaim: entry['role_claim'] === undefined ? '' : text('role_claim', /^.+$/),
    roles: rolesOf(entry, problem),
    roleSync: word('role_sync', ['first', 'always']),
    create: word('create', ['invited', 'no', 'yes']),
    defaultRole: defaultRole === 'none' ? undefined : defaultRole,
    trustEmail: trustEmail === true,
  }
}

/** The issuer as it was typed, without the path of its discovery document. */
function issuerOf(typed: string, problem: Problem): string {
  const issuer = typed.replace(/\/\.well-known\/openid-configuration$/, '')
  if (issuer === '') return issuer
  const url = isHttpUrl(issuer) ? new URL(issuer) : undefined
  const isLocal = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url === undefined || (url.protocol !== 'https:' && !isLocal)) problem('issuer must be an https address')
  if (url?.hostname === 'login.microsoftonline.com' && /^\/(common|organizations|consumers)(\/|$)/.test(url.pathname))
    problem('issuer must name one tenant: everybody with a Microsoft account could sign in with "common"')
  return issuer
}

function secretOf(
  { client_secret: secret, client_secret_file: file }: Entry,
  folder: string,
  problem: Problem,
): string {
  if (typeof secret === 'string' && secret !== '' && file === undefined) return secret
  if (typeof file !== 'string' || secret !== undefined) {
    problem('either client_secret or client_secret_file is required')
    return ''
  }
  try {
    const text = readFileSync(resolve(folder, file), 'utf8').trim()
    if (text === '') problem(`client_secret_file ${file} is empty`)
    return text
  } catch (error) {
    problem(`client_secret_file cannot be read: ${(error as Error).message}`)
    return ''
  }
}

function rolesOf({ roles = {}, role_claim }: Entry, problem: Problem): Provider['roles'] {
  const entries = typeof roles === 'object' && roles !== null ? Object.entries(roles) : []
  const wrong = entries.find(([value, role]) => value === '' || typeof role !== 'string' || !isRole(role))
  if (wrong !== undefined) problem(`roles: "${wrong[0]}" must have one of ${ROLES.join(', ')}`)
  if (entries.length > 0 && role_claim === undefined) problem('roles need a role_claim')
  return Object.fromEntries(entries) as Provider['roles']
}
