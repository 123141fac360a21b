import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { runHere } from '../../test/support/cli.ts'
import { type TestScope, testFolder } from '../../test/support/test-storage.ts'
import { OPTION_LIST } from '../base/config.ts'

const COMMANDS = [
  ['serve'],
  ['migrate'],
  ['import'],
  ['user', 'add'],
  ['user', 'list'],
  ['user', 'role'],
  ['user', 'disable'],
  ['user', 'enable'],
  ['password', 'add'],
  ['password', 'list'],
  ['password', 'revoke'],
]

for (const command of COMMANDS) {
  test(`${command.join(' ')} --help names --json and every option of the configuration`, async (t) => {
    const run = await runHere(testFolder(t), ...command, '--help')
    assert.equal(run.code, 0)
    assert.match(run.stdout, /--json/)
    const shared = run.stdout.indexOf('Configuration, the same for every command:')
    assert.ok(run.stdout.indexOf('--json') < shared, 'its own options come first')
    for (const [, option] of OPTION_LIST) {
      if (option.flag !== undefined) assert.ok(run.stdout.includes(` ${option.flag} `), option.flag)
    }
  })
}

const ANN = ['ann', '--role', 'editor', '--email', 'ann@example.org']

/** A folder with a calendar in it. */
async function calendarFolder(t: TestScope): Promise<string> {
  const data = testFolder(t)
  await runHere(data, 'user', 'add', 'bob', '--role', 'author', '--email', 'bob@example.org')
  return data
}

const WRONG: readonly [command: string[], line: RegExp][] = [
  [['serve', '--prot', '1'], /^kalends: unknown option '--prot'.*\n$/],
  [['dance'], /^kalends: unknown command 'dance'.*\n$/],
  [['user', 'dance'], /^kalends: unknown command 'dance'.*\n$/],
  [['user', 'add'], /^kalends: required option '--role <ROLE>' not specified\n$/],
  [['user', 'add', 'ann', '--role', 'editor'], /^kalends: .*--email.*\n$/],
  [['user', 'list', 'more'], /^kalends: too many arguments.*\n$/],
  [['import'], /^kalends: missing required argument 'source'\n$/],
  [['user', 'list', '--port', 'x', '--log-level', 'loud'], /^kalends: .*--port must .*; --log-level must .*\n$/],
  [['user', 'role', 'ann', 'editor'], /^kalends: There is no user named "ann"\.\n$/],
  [['user', 'role', 'ann', 'boss'], /^kalends: There is no role "boss"\. Roles are: administrator, .*\n$/],
  [['password', 'revoke', 'ann', 'x'], /^kalends: .*with the id x\.\n$/],
  [['import', '/nowhere/at-all.json'], /^kalends: The file \/nowhere\/at-all\.json cannot be read: .*\n$/],
  [
    ['user', 'add', ...ANN, '--data', '/proc/nowhere'],
    /^kalends: The data folder \/proc\/nowhere cannot be written to: .*\n$/,
  ],
  [['user', 'list', '--data', '/dev/null/x'], /^kalends: The data folder \/dev\/null\/x cannot be written to: .*\n$/],
]

for (const [command, line] of WRONG) {
  test(`kalends ${command.join(' ')} ends with one line and code 1`, async (t) => {
    const run = await runHere(await calendarFolder(t), ...command)
    assert.equal(run.code, 1)
    assert.equal(run.stdout, '')
    assert.match(run.stderr, line)
  })
}

test('with --json an error is one JSON object', async (t) => {
  const run = await runHere(await calendarFolder(t), 'user', 'disable', 'ann', '--json')
  const message = 'There is no user named "ann".'
  assert.deepEqual(JSON.parse(run.stderr), { error: { code: 'no_such_user', message } })
  const usage = await runHere(testFolder(t), 'user', 'list', '--prot', '1', '--json')
  assert.equal(JSON.parse(usage.stderr).error.code, 'wrong_usage')
})

test('kalends alone shows its commands and ends with code 1', async (t) => {
  const run = await runHere(testFolder(t))
  assert.equal(run.code, 1)
  for (const [name] of COMMANDS) assert.match(run.stderr, new RegExp(`^ {2}${name} `, 'm'))
})

test('--version prints the version alone', async (t) => {
  assert.match((await runHere(testFolder(t), '--version')).stdout, /^\d+\.\d+\.\d+\n$/)
})

test('users and passwords are managed one command after the other', async (t) => {
  const data = join(testFolder(t), 'new', 'folder')
  const added = await runHere(data, 'user', 'add', 'ann', '--role', 'editor', '--email', 'ann@example.org')
  assert.equal(added.stdout, 'Added ann, editor, with the ID 1. Next: kalends password add ann\n')
  const password = await runHere(data, 'password', 'add', 'ann', '--label', 'phone')
  assert.match(password.stdout, /^ {4}([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/m)
  const again = JSON.parse((await runHere(data, 'password', 'add', 'ann', '--json')).stdout)
  assert.match(again.password, /^[A-Za-z0-9]{24}$/)
  assert.equal((await runHere(data, 'password', 'revoke', 'ann', '1')).code, 0)
  assert.equal(
    (await runHere(data, 'password', 'list', 'ann')).stdout,
    [
      'id  label  made                 last use  state',
      '1   phone  2026-05-01 10:30:00            revoked 2026-05-01 10:30:00',
      '2          2026-05-01 10:30:00            valid',
      '',
    ].join('\n'),
  )
  await runHere(data, 'user', 'role', 'ann', 'author')
  await runHere(data, 'user', 'disable', 'ann')
  const { users } = JSON.parse((await runHere(data, 'user', 'list', '--json')).stdout)
  assert.deepEqual(users, [
    {
      id: 1,
      name: 'ann',
      email: 'ann@example.org',
      role: 'author',
      displayName: 'ann',
      createdAt: '2026-05-01 10:30:00',
      disabledAt: '2026-05-01 10:30:00',
    },
  ])
})

test('import hands over the files and tells what became of them', async (t) => {
  const data = await calendarFolder(t)
  const paths = ['full.json', 'empty.json'].map((name) => join(data, name))
  await writeFile(paths[0] ?? '', '{}')
  await writeFile(paths[1] ?? '', '')
  const run = await runHere(data, 'import', ...paths, '--author', 'ann')
  assert.equal(run.stderr, '')
  assert.equal(run.stdout, `event: 1 created, 0 updated, 0 unchanged\n1 skipped\n  ${paths[1]}: empty, for ann\n`)
})

test('migrate tells where the database is and what it has', async (t) => {
  const data = await calendarFolder(t)
  const run = await runHere(data, 'migrate', '--json')
  const state = JSON.parse(run.stdout)
  assert.equal(state.database, join(data, 'kalends.db'))
  assert.equal(state.migrations[0].name, 'initial schema')
})
