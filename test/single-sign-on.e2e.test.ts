import assert from 'node:assert/strict'
import test from 'node:test'
import { listSessions, makeLink } from '../src/accounts/sessions/index.ts'
import { identitiesOfUser } from '../src/accounts/single-sign-on/index.ts'
import { addUser, disableUser, enableUser, findLogin, setRole } from '../src/accounts/users/index.ts'
import type { TestApp } from './support/app.ts'
import { knowPassword, PASSWORD } from './support/known-password.ts'
import { Surfer, siteWith } from './support/single-sign-on.ts'
import { mailFlags, openSmtp } from './support/smtp.ts'

const GROUPS = { role_claim: 'groups', roles: { editors: 'editor', admins: 'administrator' } }
const UNKNOWN = (label: string) => `Your account at ${label} is not connected to a user here. Ask for an invitation.`

/** Adds somebody who has been invited; returns the token of the link. */
async function invite({ app }: TestApp, name: string, role = 'author'): Promise<string> {
  await addUser(app, { name, email: `${name}@club.example`, role })
  return (await makeLink(app, { name })).path.split('/').at(-1) ?? ''
}

async function roleOf({ app }: TestApp, name: string): Promise<string | undefined> {
  return (await findLogin(app.storage, name))?.role
}

test('Keycloak: nested roles, a verified address, and a sign-out that goes there and comes back', async (t) => {
  const { site, providers } = await siteWith(t, {
    keycloak: {
      behaviour: {
        path: '/realms/town',
        claims: {
          ...{ email: 'ada@club.example', email_verified: true, preferred_username: 'ada', name: 'Ada Byron' },
          realm_access: { roles: ['offline_access', 'calendar-editor', 'calendar-author'] },
        },
      },
      member: {
        create: 'yes',
        role_claim: 'realm_access.roles',
        roles: { 'calendar-author': 'author', 'calendar-editor': 'editor' },
      },
    },
  })
  const keycloak = providers['keycloak']!
  const surfer = new Surfer(site)
  const page = await surfer.ask('/admin/login')
  assert.match(page.text, /\/admin\/oidc\/keycloak\?next=%2Fadmin">Sign in with Keycloak</)
  assert.equal((await surfer.signIn('keycloak', '?next=/admin/events')).url, `${site.origin}/admin/events`)
  const user = await findLogin(site.app.storage, 'ada')
  assert.deepEqual([user?.role, user?.email, user?.displayName], ['editor', 'ada@club.example', 'Ada Byron'])
  const out = await surfer.send('/admin/logout', {})
  assert.equal(new URL(out.url).origin, keycloak.origin)
  assert.equal(await surfer.user(), '')
  const back = await surfer.sendForm(out, { logout: 'yes' })
  assert.deepEqual([back.url, back.status], [`${site.origin}/admin/login?done=out`, 200])
  assert.match(back.text, /You’re signed out\./)
})

test('Keycloak: back-channel logout ends the sessions of one session there, by its sid, and a token counts once', async (t) => {
  const { site, providers } = await siteWith(t, { keycloak: { member: { create: 'yes', default_role: 'author' } } })
  const keycloak = providers['keycloak']!
  keycloak.claims = { preferred_username: 'ada' }
  const [here, there] = [new Surfer(site), new Surfer(site)]
  await here.signIn('keycloak')
  await there.signIn('keycloak')
  assert.deepEqual([await here.user(), await there.user()], ['ada', 'ada'])
  const { text, url } = await here.ask(`${keycloak.origin}/session/end`)
  await here.sendForm({ text, url }, { logout: 'yes' })
  assert.equal(keycloak.logoutTokens.length, 1)
  assert.deepEqual([await here.user(), await there.user()], ['', 'ada'])
  const again = await fetch(`${site.origin}/admin/oidc/keycloak/logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: keycloak.logoutTokens[0] ?? '' }),
  })
  assert.deepEqual([again.status, again.headers.get('cache-control')], [400, 'no-store'])
})

test('Authentik: an issuer with a slash, an address that is not verified, and groups by their names', async (t) => {
  const path = '/application/o/calendar/'
  const claims = { email: 'grace@club.example', email_verified: false, groups: ['editors', 'admins', 'others'] }
  const { site, providers } = await siteWith(t, {
    authentik: { behaviour: { path, claims }, member: { trust_email: true, ...GROUPS } },
  })
  await invite(site, 'grace')
  const surfer = new Surfer(site)
  const refused = await surfer.signIn('authentik')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /If you have a user here, sign in as before and connect the account under Profile\./)
  assert.ok(refused.text.includes(UNKNOWN('Authentik')))
  providers['authentik']!.claims = { ...claims, email_verified: true }
  assert.equal((await surfer.signIn('authentik')).url, `${site.origin}/admin`)
  assert.deepEqual([await surfer.user(), await roleOf(site, 'grace')], ['grace', 'administrator'])
})

test('an issuer without the slash that the provider writes: the message names both', async (t) => {
  const { site, providers } = await siteWith(t, { authentik: { behaviour: { path: '/o/calendar/' } } })
  const issuer = providers['authentik']!.issuer
  const wrong = await siteWith(t, { authentik: { member: { issuer: issuer.replace(/\/$/, '') } } })
  const { status, text } = await new Surfer(wrong.site).signIn('authentik')
  assert.equal(status, 502)
  assert.ok(text.includes(`issuer is \`${issuer.replace(/\/$/, '')}\`, the provider says \`${issuer}\``), text)
  assert.equal((await new Surfer(site).signIn('authentik')).status, 403)
})

test('Entra ID: nothing is said about the address, and too many groups are the same as none', async (t) => {
  const claims = { email: 'grace@club.example', roles: ['Editors'] }
  const roles = { role_claim: 'roles', roles: { Editors: 'editor', Readers: 'subscriber' }, role_sync: 'always' }
  const { site, providers } = await siteWith(t, {
    entra: { behaviour: { path: '/tenant/v2.0', claims }, member: { trust_email: true, ...roles } },
  })
  const entra = providers['entra']!
  const link = await invite(site, 'grace')
  const surfer = new Surfer(site)
  assert.ok((await surfer.signIn('entra')).text.includes(UNKNOWN('Entra')))
  assert.equal((await surfer.signIn('entra', `?link=${link}`)).url, `${site.origin}/admin`)
  assert.equal(await roleOf(site, 'grace'), 'editor')
  for (const [said, role] of [
    [{ roles: ['Readers'] }, 'subscriber'],
    [{ roles: ['Editors'], _claim_names: { roles: 'src1' } }, 'subscriber'],
    [{}, 'subscriber'],
    [{ roles: ['Readers', 'Editors'] }, 'editor'],
  ] as const) {
    entra.claims = said
    await surfer.signIn('entra')
    assert.equal(await roleOf(site, 'grace'), role)
  }
})

test('Google: a verified address opens an invitation where that is set, and the sign-out stays here', async (t) => {
  const claims = { email: 'Grace@club.example', email_verified: true, hd: 'club.example' }
  const google = { behaviour: { claims, endsSessions: false }, member: { trust_email: true, role_claim: 'groups' } }
  const { site } = await siteWith(t, { google })
  await invite(site, 'grace')
  const surfer = new Surfer(site)
  await surfer.signIn('google')
  assert.deepEqual([await surfer.user(), await roleOf(site, 'grace')], ['grace', 'author'])
  assert.equal((await surfer.send('/admin/logout', {})).url, `${site.origin}/admin/login?done=out`)
})

test('claims of userinfo count where the ID token has none', async (t) => {
  const claims = { email: 'grace@club.example', email_verified: true, groups: ['editors'] }
  const behaviour = { claims, isUserinfoOnly: true }
  const { site } = await siteWith(t, { keycloak: { behaviour, member: { trust_email: true, ...GROUPS } } })
  await invite(site, 'grace')
  const surfer = new Surfer(site)
  await surfer.signIn('keycloak')
  assert.deepEqual([await surfer.user(), await roleOf(site, 'grace')], ['grace', 'editor'])
})

test('an invitation connects whoever opened its link, once; what is taken stays taken', async (t) => {
  const { site, providers } = await siteWith(t, { club: {}, closed: { member: { create: 'no' } } })
  const [club, closed] = [providers['club']!, providers['closed']!]
  const link = await invite(site, 'grace')
  const shown = await new Surfer(site).ask(`/admin/link/${link}`)
  assert.match(shown.text, new RegExp(`/admin/oidc/club\\?link=${link}">Sign in with Club<`))
  assert.doesNotMatch(shown.text, /Sign in with Closed/)
  assert.ok((await new Surfer(site).signIn('closed', `?link=${link}`)).text.includes(UNKNOWN('Closed')))
  assert.equal((await new Surfer(site).signIn('club', `?link=${link}`)).url, `${site.origin}/admin`)
  const again = await new Surfer(site).signIn('club', `?link=${link}`)
  assert.match(again.text, /This sign-in has expired or was already used/)
  const further = await invite(site, 'edith')
  const taken = await new Surfer(site).signIn('club', `?link=${further}`)
  assert.match(taken.text, /Your account at Club is already connected to another user here/)
  club.subject = 'somebody else'
  assert.equal((await new Surfer(site).signIn('club', `?link=${further}`)).url, `${site.origin}/admin`)
  assert.equal(closed.subject, 'ada')
})

test('under Profile people connect and disconnect accounts once they have confirmed who they are', async (t) => {
  const smtp = await openSmtp(t)
  const behaviour = { claims: { email: 'ada@club.example' } }
  const { smtp: address, mailFrom } = mailFlags(smtp)
  const { site, providers } = await siteWith(t, { club: { behaviour } }, { smtp: address, mailFrom })
  const surfer = new Surfer(site)
  await knowPassword(site.app, 'editor')
  await surfer.go('/admin/login', { login: 'editor', password: PASSWORD })
  site.clock.now += 11 * 60_000
  assert.match(
    (await surfer.send('/admin/profile/identities', { action: 'connect', provider: 'club' })).url,
    /admin\/confirm/,
  )
  await surfer.send('/admin/confirm', { password: PASSWORD, next: '/admin/profile/identities' })
  site.clock.now -= 11 * 60_000
  const connected = await surfer.send('/admin/profile/identities', { action: 'connect', provider: 'club' })
  assert.equal(connected.url, `${site.origin}/admin/profile?done=connected`)
  assert.match(connected.text, /Account connected\.[\s\S]*ada@club\.example/)
  const [mail] = await smtp.arrived(1)
  assert.deepEqual(mail?.to, ['editor@example.org'])
  assert.match(mail?.parts['text/plain'] ?? '', /your account editor was connected to Club/)
  const other = new Surfer(site)
  await other.signIn('club')
  assert.equal(await other.user(), 'editor')
  await knowPassword(site.app, 'author')
  const author = new Surfer(site)
  await author.go('/admin/login', { login: 'author', password: PASSWORD })
  const taken = await author.send('/admin/profile/identities', { action: 'connect', provider: 'club' })
  assert.match(taken.text, /already connected to another user here/)
  assert.match(taken.text, /<h1>Accounts elsewhere<\/h1>[\s\S]*href="\/admin\/profile">Profile</)
  const user = await findLogin(site.app.storage, 'editor')
  const [identity] = await identitiesOfUser(site.app.storage, user?.id ?? 0)
  assert.equal(identity?.issuer, providers['club']?.issuer)
  const form = { action: 'disconnect', identity: identity?.id ?? '' }
  assert.equal(
    (await surfer.send('/admin/profile/identities', form)).url,
    `${site.origin}/admin/profile?done=disconnected`,
  )
  assert.deepEqual([await surfer.user(), await other.user()], ['editor', ''])
  assert.ok((await other.signIn('club')).text.includes(UNKNOWN('Club')))
})

test('nobody disconnects the last way in, but administrators may; they see identities, and others do not', async (t) => {
  const claims = { email: 'ada@club.example', preferred_username: 'ada' }
  const { site } = await siteWith(t, {
    club: { behaviour: { claims }, member: { create: 'yes', default_role: 'editor' } },
  })
  const surfer = new Surfer(site)
  await surfer.signIn('club')
  const user = await findLogin(site.app.storage, 'ada')
  const [identity] = await identitiesOfUser(site.app.storage, user?.id ?? 0)
  const form = { action: 'disconnect', identity: identity?.id ?? '' }
  const kept = await surfer.send('/admin/profile/identities', form)
  assert.match(kept.text, /This is your last way to sign in/)
  assert.equal((await surfer.ask('/admin/users/ada')).status, 403)
  await knowPassword(site.app, 'administrator')
  const admin = new Surfer(site)
  await admin.go('/admin/login', { login: 'administrator', password: PASSWORD })
  assert.match((await admin.ask('/admin/users/ada')).text, /Club[\s\S]*ada@club\.example/)
  await admin.send('/admin/users/ada', form)
  assert.deepEqual(await identitiesOfUser(site.app.storage, user?.id ?? 0), [])
  // Replicas hear of it although no session has ended.
  const told = () =>
    site.app.storage.first(site.app.storage.db.selectFrom('meta').select('value').where('key', '=', 'session.last'))
  const before = await told()
  const administrator = await findLogin(site.app.storage, 'administrator')
  await admin.send('/admin/profile/identities', { action: 'connect', provider: 'club' })
  assert.equal((await identitiesOfUser(site.app.storage, administrator?.id ?? 0)).length, 1)
  assert.notDeepEqual(await told(), before)
  assert.deepEqual(await listSessions(site.app, user?.id ?? 0), [])
})

test('who signed in at a provider proves it there again before sensitive changes, with the own account', async (t) => {
  const { site, providers } = await siteWith(t, { club: { member: { create: 'yes', default_role: 'author' } } })
  const club = providers['club']!
  club.claims = { preferred_username: 'ada' }
  const surfer = new Surfer(site)
  await surfer.signIn('club')
  const path = '/admin/profile/sign-in'
  assert.equal((await surfer.go(path)).url, `${site.origin}${path}`)
  site.clock.now += 11 * 60_000
  const asked = await surfer.go(path)
  assert.match(asked.text, /name="provider" value="club">Sign in with Club</)
  const form = { provider: 'club', next: path, _csrf: await surfer.token() }
  site.clock.now -= 11 * 60_000
  const begun = await surfer.ask('/admin/confirm', form)
  assert.deepEqual(
    ['prompt', 'max_age'].map((name) => new URL(begun.to ?? '').searchParams.get(name)),
    ['login', '0'],
  )
  const other = new Surfer(site)
  await other.signIn('club')
  const later = await surfer.until((await surfer.ask('/admin/confirm', form)).to ?? '', /callback/)
  site.clock.now += 9 * 60_000
  assert.equal((await surfer.go(later)).url, `${site.origin}${path}`)
  site.clock.now += 2 * 60_000
  assert.equal((await surfer.go(path)).url, `${site.origin}${path}`)
  assert.match((await other.go(path)).url, /admin\/confirm/)
})

test('disabled stays disabled, and the role of the first sign-in stays where roles are not followed', async (t) => {
  const claims = { preferred_username: 'ada', groups: ['editors'] }
  const { site, providers } = await siteWith(t, {
    club: { behaviour: { claims }, member: { create: 'yes', ...GROUPS } },
  })
  const surfer = new Surfer(site)
  await surfer.signIn('club')
  assert.equal(await roleOf(site, 'ada'), 'editor')
  providers['club']!.claims = { groups: ['admins'] }
  await surfer.signIn('club')
  assert.equal(await roleOf(site, 'ada'), 'editor')
  await disableUser(site.app, { name: 'ada' })
  const refused = await surfer.signIn('club')
  assert.deepEqual([refused.status, await surfer.user()], [403, ''])
  assert.match(refused.text, /Your user here is disabled/)
  await enableUser(site.app, { name: 'ada' })
  await setRole(site.app, { name: 'ada', role: 'author' })
  await surfer.signIn('club')
  assert.deepEqual([await surfer.user(), await roleOf(site, 'ada')], ['ada', 'author'])
})

test('who connects an account keeps the role, and who is invited by link gets the mapped one', async (t) => {
  const claims = { groups: ['editors'] }
  const { site, providers } = await siteWith(t, { club: { behaviour: { claims }, member: GROUPS } })
  const club = providers['club']!
  await knowPassword(site.app, 'administrator')
  const administrator = new Surfer(site)
  await administrator.go('/admin/login', { login: 'administrator', password: PASSWORD })
  await administrator.send('/admin/profile/identities', { action: 'connect', provider: 'club' })
  await knowPassword(site.app, 'author')
  club.subject = 'by link'
  const { path } = await makeLink(site.app, { name: 'author' })
  await new Surfer(site).signIn('club', `?link=${path.split('/').at(-1)}`)
  club.subject = 'invited'
  await new Surfer(site).signIn('club', `?link=${await invite(site, 'grace')}`)
  for (const [subject, name, role] of [
    ['ada', 'administrator', 'administrator'],
    ['by link', 'author', 'author'],
    ['invited', 'grace', 'editor'],
  ] as const) {
    club.subject = subject
    const surfer = new Surfer(site)
    await surfer.signIn('club')
    assert.deepEqual([await surfer.user(), await roleOf(site, name)], [name, role])
  }
})

test('without a mapped or default role nobody new gets in, and two people never share a name', async (t) => {
  const claims = { preferred_username: 'Ada Byron@club', groups: ['others'] }
  const { site, providers } = await siteWith(t, {
    strict: { behaviour: { claims }, member: { create: 'yes', ...GROUPS } },
    open: { behaviour: { claims }, member: { create: 'yes', default_role: 'subscriber' } },
  })
  assert.ok((await new Surfer(site).signIn('strict')).text.includes(UNKNOWN('Strict')))
  const names: string[] = []
  for (const subject of ['one', 'two', 'one']) {
    providers['open']!.subject = subject
    const surfer = new Surfer(site)
    await surfer.signIn('open')
    names.push(await surfer.user())
  }
  assert.deepEqual(names, ['Ada-Byron', 'Ada-Byron-2', 'Ada-Byron'])
  assert.equal((await findLogin(site.app.storage, 'Ada-Byron-2'))?.email, 'Ada-Byron-2@open.invalid')
})

test('without password sign-in only those who are named for emergencies have a form', async (t) => {
  const flags = { passwordSignIn: 'no', breakGlass: 'administrator' }
  const { site } = await siteWith(t, { club: {} }, flags)
  const shown = await new Surfer(site).ask('/admin/login')
  assert.doesNotMatch(shown.text, /type="password"/)
  assert.match(shown.text, /Sign in with a password[\s\S]*Sign in with Club/)
  assert.match((await new Surfer(site).ask('/admin/login?with=password')).text, /type="password"/)
  for (const [name, to] of [
    ['editor', undefined],
    ['administrator', `${site.origin}/admin`],
  ] as const) {
    await knowPassword(site.app, name)
    assert.equal((await new Surfer(site).ask('/admin/login', { login: name, password: PASSWORD })).to, to)
  }
  const link = await invite(site, 'grace')
  assert.doesNotMatch((await new Surfer(site).ask(`/admin/link/${link}`)).text, /type="password"/)
  const forced = await new Surfer(site).ask(`/admin/link/${link}`, { password: PASSWORD })
  assert.equal(forced.to, undefined)
  assert.equal((await new Surfer(site).signIn('club', `?link=${link}`)).url, `${site.origin}/admin`)
})

test('who had a password before it was turned off connects an account with a link from an administrator', async (t) => {
  const flags = { passwordSignIn: 'no', breakGlass: 'administrator' }
  const { site, providers } = await siteWith(t, { club: {}, closed: { member: { create: 'no' } } }, flags)
  for (const [name, provider] of [
    ['editor', 'club'],
    ['author', 'closed'],
  ] as const) {
    providers[provider]!.subject = name
    await knowPassword(site.app, name)
    const { purpose, path } = await makeLink(site.app, { name })
    assert.equal(purpose, 'password')
    const { text } = await new Surfer(site).ask(path)
    assert.match(text, /Sign in with Club[\s\S]*Sign in with Closed/)
    const surfer = new Surfer(site)
    const token = path.split('/').at(-1)
    assert.equal((await surfer.signIn(provider, `?link=${token}`)).url, `${site.origin}/admin`)
    assert.equal(await surfer.user(), name)
    assert.equal((await new Surfer(site).ask(path)).status, 404)
  }
  const forgotten = await makeLink(site.app, { name: 'contributor', purpose: 'reset' })
  assert.doesNotMatch((await new Surfer(site).ask(forgotten.path)).text, /Sign in with/)
  providers['club']!.subject = 'stranger'
  const refused = await new Surfer(site).signIn('club', `?link=${forgotten.path.split('/').at(-1)}`)
  assert.match(refused.text, /This sign-in has expired or was already used/)
})

test('without a public address there is no button, and nothing starts', async (t) => {
  const { site } = await siteWith(t, { club: {} }, { baseUrl: '' })
  const surfer = new Surfer(site)
  assert.doesNotMatch((await surfer.ask('/admin/login')).text, /Sign in with/)
  assert.equal((await surfer.signIn('club')).url, `${site.origin}/admin/login`)
})

test('a site below a path of its host is led back to there', async (t) => {
  const { site } = await siteWith(
    t,
    { club: { member: { create: 'yes', default_role: 'author' } } },
    { baseUrl: '/town' },
  )
  const surfer = new Surfer(site)
  const { text } = await surfer.ask('/town/admin/login?next=/admin/venues')
  const link = /href="([^"]*)">Sign in with Club</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.equal((await surfer.go(link)).url, `${site.origin}/town/admin/venues`)
  const out = await surfer.send('/town/admin/logout', {})
  const back = await surfer.sendForm(out, { logout: 'yes' })
  assert.equal(back.url, `${site.origin}/town/admin/login?done=out`)
})
