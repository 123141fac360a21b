import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { maskSecrets, readConfig } from '../../base/config.ts'
import { Failure } from '../../base/errors.ts'
import { mappedRole } from './claims.ts'
import { readProviders } from './providers.ts'

const ONE = {
  id: 'club',
  label: 'Club',
  issuer: 'https://club.example/o/calendar/',
  client_id: 'kalends',
  client_secret: 'a very secret text',
}

/** What is wrong with a file. */
function problemsOf(content: unknown, env: Readonly<Record<string, string>> = {}): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-'))
  const oidc = join(folder, 'oidc.json')
  writeFileSync(oidc, typeof content === 'string' ? content : JSON.stringify(content))
  try {
    readProviders(readConfig({ oidc }, env))
    return []
  } catch (error) {
    assert.ok(error instanceof Failure)
    assert.ok(!error.message.includes(ONE.client_secret))
    return (error.data['problems'] as string[]).map((problem) => problem.replaceAll(oidc, 'oidc.json'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a provider has defaults that let in those who are invited, and nobody else', () => {
  const env = Object.entries(ONE).map(([name, value]) => [`KALENDS_OIDC_${name.toUpperCase()}`, value])
  const [provider] = readProviders(readConfig({}, Object.fromEntries(env)))
  const { id, label, issuer, client_id: clientId, client_secret: clientSecret } = ONE
  assert.deepEqual(provider, {
    ...{ id, label, issuer, clientId, clientSecret, scopes: 'openid profile email', roleClaim: '', roles: {} },
    ...{ roleSync: 'first', create: 'invited', defaultRole: undefined, trustEmail: false },
  })
  assert.deepEqual(readProviders(readConfig({}, {})), [])
  const shown = JSON.stringify(maskSecrets(readConfig({}, Object.fromEntries(env))))
  assert.ok(!shown.includes(clientSecret), shown)
})

test('roles in an environment variable may have any value but end with a role', () => {
  const env = Object.fromEntries(
    Object.entries(ONE).map(([name, value]) => [`KALENDS_OIDC_${name.toUpperCase()}`, value]),
  )
  const roles = { KALENDS_OIDC_ROLE_CLAIM: 'groups', KALENDS_OIDC_ROLES: 'cn=staff=editor, all=subscriber' }
  const [provider] = readProviders(readConfig({}, { ...env, ...roles, KALENDS_OIDC_TRUST_EMAIL: 'yes' }))
  assert.deepEqual([provider?.roles, provider?.trustEmail], [{ 'cn=staff': 'editor', all: 'subscriber' }, true])
})

test('what is wrong in a file is named with its place, all at once, and never the secret', () => {
  assert.deepEqual(problemsOf([ONE]), [])
  assert.deepEqual(problemsOf('{ "client_secret": "a very secret text'), ['oidc.json is not JSON'])
  assert.deepEqual(problemsOf(ONE), ['oidc.json must be a list of providers: [{ ... }]'])
  const place = 'oidc.json: provider 1:'
  assert.deepEqual(problemsOf([{ ...ONE, id: 'Not this', roles: { staff: 'king' }, colour: 'red', create: 'maybe' }]), [
    `${place} there is no member "colour"`,
    `${place} id is not usable: it must match ^[a-z0-9-]{1,40}$`,
    `${place} roles: "staff" must have one of administrator, editor, author, contributor, subscriber`,
    `${place} roles need a role_claim`,
    `${place} create must be one of invited, no, yes`,
  ])
  assert.deepEqual(problemsOf([{ ...ONE, client_secret_file: 'secret' }]), [
    `${place} either client_secret or client_secret_file is required`,
  ])
  assert.match(problemsOf([{ ...ONE, client_secret: undefined, client_secret_file: 'none' }])[0] ?? '', /ENOENT/)
  assert.deepEqual(problemsOf([ONE, ONE]), [
    'oidc.json: two providers have the id "club"',
    `oidc.json: two providers have the issuer "${ONE.issuer}"`,
  ])
  const many = Array.from({ length: 6 }, (_none, index) => ({
    ...ONE,
    id: `club${index}`,
    issuer: `https://${index}.example`,
  }))
  assert.deepEqual(problemsOf(many), ['oidc.json has 6 providers, at most 5 are possible'])
  assert.equal(problemsOf([ONE], { KALENDS_OIDC_ID: 'club' }).length, 1)
})

test('an issuer is https, names one tenant, and stays as it was typed', () => {
  const place = 'oidc.json: provider 1:'
  const problems = (issuer: string) => problemsOf([{ ...ONE, issuer }])
  assert.deepEqual(problems('http://club.example'), [`${place} issuer must be an https address`])
  assert.match(problems('https://login.microsoftonline.com/common/v2.0')[0] ?? '', /issuer must name one tenant/)
  assert.deepEqual(problems('https://login.microsoftonline.com/9b2c/v2.0'), [])
  const env = Object.fromEntries(
    Object.entries(ONE).map(([name, value]) => [`KALENDS_OIDC_${name.toUpperCase()}`, value]),
  )
  const typed = { ...env, KALENDS_OIDC_ISSUER: 'https://a.example/x/.well-known/openid-configuration' }
  assert.equal(readProviders(readConfig({}, typed))[0]?.issuer, 'https://a.example/x')
})

test('the highest mapped role wins; nothing else than text at the path counts, and too many are the same as none', () => {
  const logged: unknown[] = []
  const log = { warn: (about: unknown) => void logged.push(about) }
  const provider = (roleClaim: string) => {
    const roles = { staff: 'author', boss: 'administrator', all: 'subscriber' } as const
    return {
      ...ONE,
      clientId: '',
      scopes: '',
      roleSync: 'first',
      create: 'no',
      defaultRole: undefined,
      trustEmail: false,
      roleClaim,
      roles,
    } as const
  }
  for (const [path, claims, role] of [
    ['groups', { groups: ['all', 'boss', 'staff'] }, 'administrator'],
    ['groups', { groups: 'staff' }, 'author'],
    ['groups', { groups: ['constructor', '__proto__', 7, null, ['boss']] }, undefined],
    ['groups', {}, undefined],
    ['realm_access.roles', { realm_access: { roles: ['staff'] } }, 'author'],
    ['https://a.example/roles', { 'https://a.example/roles': ['staff'] }, 'author'],
    ['realm_access.roles', { realm_access: ['boss'] }, undefined],
    ['groups', { groups: ['boss'], _claim_names: { groups: 'src1' } }, undefined],
    ['', { groups: ['boss'] }, undefined],
  ] as const)
    assert.equal(mappedRole(provider(path), claims, log as never), role, JSON.stringify(claims))
  const [none, flat, many] = ['groups', 'realm_access.roles', 'groups'].map((claim) => ({ provider: 'club', claim }))
  assert.deepEqual(logged, [none, flat, many])
})
