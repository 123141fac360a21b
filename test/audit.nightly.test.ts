import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { visitorAt } from './support/admin.ts'
import { PASSWORD } from './support/known-password.ts'
import { administratorOf, ask, sending } from './support/processes.ts'
import { databaseOf, kalends, kalendsBoth, openDataFolder, startServer } from './support/server.ts'

type Line = Readonly<Record<string, unknown>>

function linesIn(text: string): Line[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Line)
}

test('changes of rights are lines of the log, without any password', async (t) => {
  const data = await openDataFolder(t)
  const server = await startServer(data, ['--log-level', 'info'])
  const own = ['--data', data]
  await kalends('user', 'add', 'ann', '--role', 'author', '--email', 'ann@example.org', ...own)
  const { password } = JSON.parse(await kalends('password', 'add', 'ann', '--label', 'phone', '--json', ...own))
  await kalends('user', 'role', 'ann', 'editor', ...own)
  await kalends('password', 'revoke', 'ann', '2', ...own)
  await kalends('user', 'disable', 'ann', ...own)
  await kalends('user', 'enable', 'ann', ...own)
  await kalends('field', 'add', 'level', '--type', 'text', ...own)
  await kalends('field', 'remove', 'level', ...own)
  assert.equal(await server.stop('SIGTERM'), 0)
  const log = server.problems()
  assert.ok(!log.includes(password))
  const lines = linesIn(log).filter(({ msg }) => msg === 'audit')
  const isHere = (await databaseOf(data)).startsWith('sqlite:')
  // A command that works on PostgreSQL by itself writes its line to its own standard error.
  assert.deepEqual(
    lines.map(({ change, user, role, by }) => [change, user, role, by]),
    [
      ['user added', 'admin', 'administrator', 'first start'],
      ...(isHere
        ? [
            ['user added', 'ann', 'author', 'command'],
            ['password added', 'ann', undefined, 'command'],
            ['role set', 'ann', 'editor', 'command'],
            ['password revoked', 'ann', undefined, 'command'],
            ['user disabled', 'ann', 'editor', 'command'],
            ['user enabled', 'ann', 'editor', 'command'],
            ['field declared', undefined, undefined, 'command'],
            ['field removed', undefined, undefined, 'command'],
          ]
        : []),
    ],
  )
})

test('changes of rights in the administration are lines of the log when they are made, without any password', async (t) => {
  const data = await openDataFolder(t)
  const server = await startServer(data, ['--log-level', 'info'])
  const { origin } = server
  const choose = async (path: string, form: Readonly<Record<string, string>>): Promise<void> => {
    const body = new URLSearchParams({ ...form, password: PASSWORD })
    const sent = await fetch(origin + path, { method: 'POST', redirect: 'manual', headers: { origin }, body })
    assert.equal(sent.status, 303)
  }
  const [setup = ''] = /\/admin\/setup\?token=\S+/.exec(server.output()) ?? []
  await choose(setup, { name: 'pat', siteName: 'Town', siteZone: 'UTC', baseUrl: '' })
  const pat = await visitorAt(origin, 'pat')
  const invited = await pat.submit('/admin/users', { name: 'ann', email: 'ann@example.org', role: 'author' })
  assert.equal(invited.status, 200)
  const corrected = await pat.submit('/admin/users/ann', { action: 'address', email: 'ann@example.net' })
  const [link = ''] = /\/admin\/link\/[\w-]+/.exec(corrected.text) ?? []
  await choose(link, {})
  const change = async (form: Readonly<Record<string, string>>, status = 200) => {
    const { text } = await pat.show('/admin/users/ann')
    const csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const body = new URLSearchParams({ _csrf: csrf, ...form })
    const headers = { cookie: pat.cookie, origin }
    const sent = await fetch(`${origin}/admin/users/ann`, { method: 'POST', redirect: 'manual', headers, body })
    assert.equal(sent.status, status)
  }
  await change({ action: 'role', role: 'nothing of the kind' }, 400)
  await change({ action: 'role', role: 'editor' })
  await change({ action: 'password', label: 'phone' })
  await change({ action: 'revoke', id: '9999', confirmed: 'true' })
  await change({ action: 'revoke', id: '2', confirmed: 'true' })
  await change({ action: 'end-all' })
  await change({ action: 'disable' })
  await change({ action: 'enable' })
  assert.equal(await server.stop('SIGTERM'), 0)
  const log = server.problems()
  for (const secret of [PASSWORD, link, setup, 'ann@'])
    assert.ok(!log.includes(secret.replace(/.*(token=|link\/)/, '')))
  const lines = linesIn(log).filter(({ msg, by }) => msg === 'audit' && by !== 'first start')
  assert.deepEqual(
    lines.map(({ change: what, user, role, by }) => [what, user, role, by]),
    [
      ['user added', 'pat', 'administrator', 'link'],
      ['own password chosen', 'pat', undefined, 'link'],
      ['user added', 'ann', 'author', 'pat'],
      ['link made', 'ann', undefined, 'pat'],
      ['address changed', 'ann', undefined, 'pat'],
      ['link made', 'ann', undefined, 'pat'],
      ['own password chosen', 'ann', undefined, 'link'],
      ['role set', 'ann', 'editor', 'pat'],
      ['password added', 'ann', undefined, 'pat'],
      ['password revoked', 'ann', undefined, 'pat'],
      ['sessions ended', 'ann', undefined, 'pat'],
      ['user disabled', 'ann', undefined, 'pat'],
      ['user enabled', 'ann', undefined, 'pat'],
    ],
  )
})

test('changes of webhooks are lines of the log, with the host of their address alone', async (t) => {
  const data = await openDataFolder(t)
  const server = await startServer(data, ['--log-level', 'info'])
  const authorization = administratorOf(server)
  const url = `${server.origin}/kalends/v1/webhooks`
  const json = { url: 'https://hooks.example/token-1', events: ['event.created'], audience: 'administrators' }
  const made = await ask(url, sending(authorization, json))
  const id = made?.body.id
  assert.equal((await ask(`${url}/${id}`, sending(authorization, { audience: 'public' }, 'PATCH')))?.status, 200)
  assert.equal((await ask(`${url}/${id}/secret`, sending(authorization, {})))?.status, 200)
  assert.equal((await ask(`${url}/${id}`, sending(authorization, { events: [] }, 'PATCH')))?.status, 400)
  assert.equal((await ask(`${url}/${id}`, { method: 'DELETE', headers: { authorization } }))?.status, 200)
  assert.equal(await server.stop('SIGTERM'), 0)
  const log = server.problems()
  assert.doesNotMatch(log, /token-/)
  const lines = linesIn(log).filter(({ msg, change }) => msg === 'audit' && /webhook/.test(String(change)))
  assert.deepEqual(
    lines.map(({ change, webhookId, host, audience, by }) => [change, webhookId === id, host, audience, by]),
    [
      ['webhook added', true, 'hooks.example', 'administrators', 'admin'],
      ['webhook changed', true, 'hooks.example', 'public', 'admin'],
      ['secret of webhook replaced', true, 'hooks.example', 'public', 'admin'],
      ['webhook removed', true, 'hooks.example', 'public', 'admin'],
    ],
  )
})

test('a calendar that comes as a whole is a line of the log, and each user that an import brings', async (t) => {
  const data = await openDataFolder(t)
  const folder = await openDataFolder(t)
  await kalends('user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org', '--data', data)
  await kalends('export', join(folder, 'export'), '--data', data)
  await kalends('backup', join(folder, 'backups'), '--data', data)
  const backup = readdirSync(join(folder, 'backups')).find((name) => !name.startsWith('.')) ?? ''
  const audited = async (...command: readonly string[]) => {
    const { stderr } = await kalendsBoth(...command, '--data', await openDataFolder(t))
    const lines = linesIn(stderr).filter(({ msg }) => msg === 'audit')
    return lines.map(({ change, user, role, by }) => [change, user, role, by])
  }
  assert.deepEqual(await audited('import', join(folder, 'export')), [
    ['calendar imported', undefined, undefined, 'command'],
    ['user added', 'ann', 'editor', 'command'],
  ])
  assert.deepEqual(await audited('restore', join(folder, 'backups', backup)), [
    ['calendar restored', undefined, undefined, 'command'],
  ])
})

test('a calendar with a made-up host says so on the system page, not in the log, and one with a host does not', async (t) => {
  const data = await openDataFolder(t)
  const server = await startServer(data, ['--log-level', 'warn'])
  const authorization = administratorOf(server)
  const system = async ({ origin }: { readonly origin: string }): Promise<string> =>
    (await fetch(`${origin}/admin/system`, { headers: { authorization } })).text()
  assert.match(await system(server), /<bdi>kalends-[0-9a-f]{8}\.invalid<\/bdi><p class="warning">Made up, because/)
  await server.stop('SIGTERM')
  assert.equal(server.problems(), '')
  const named = await startServer(data, ['--log-level', 'warn', '--site-host', 'calendar.example'])
  const text = await system(named)
  assert.match(text, /<bdi>calendar\.example<\/bdi>/)
  assert.doesNotMatch(text, /Made up/)
  await named.stop('SIGTERM')
  assert.equal(named.problems(), '')
  const other = await openDataFolder(t)
  const based = await startServer(other, ['--log-level', 'warn', '--base-url', 'https://calendar.example'])
  await based.stop('SIGTERM')
  assert.equal(based.problems(), '')
})
