import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import test from 'node:test'
import { configReference } from './config/reference.ts'
import { maskSecrets, OPTION_LIST, readConfig } from './config.ts'
import { Failure } from './errors.ts'

test('without flags and environment every option has its default', () => {
  const config = readConfig({}, {})
  assert.equal(config.port, 3000)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.data, resolve('data'))
  assert.equal(config.database, `sqlite:${resolve('data', 'kalends.db')}`)
  assert.deepEqual(config.namespaces, ['tribe/events/v1'])
  assert.ok(Object.isFrozen(config))
})

test('a flag wins over the environment, and an empty variable counts as not set', () => {
  assert.equal(readConfig({}, { KALENDS_PORT: '4000' }).port, 4000)
  assert.equal(readConfig({ port: '5000' }, { KALENDS_PORT: '4000' }).port, 5000)
  assert.equal(readConfig({}, { KALENDS_PORT: '' }).port, 3000)
})

test('an empty flag empties a list or a text', () => {
  assert.deepEqual(readConfig({ namespaces: '' }, {}).namespaces, [])
  assert.equal(readConfig({ currencySymbol: '' }, {}).currencySymbol, '')
})

test('all problems are named at once, with the flag or variable that holds the value', () => {
  const env = { KALENDS_PORT: 'x', KALENDS_LOG_LEVEL: 'loud', KALENDS_SECRET: 'too short' }
  assert.throws(
    () => readConfig({ siteZone: 'Mars/Olympus' }, env),
    (error) => {
      assert.ok(error instanceof Failure)
      assert.equal(error.code, 'bad_configuration')
      const problems = error.data['problems'] as string[]
      assert.equal(problems.length, 4)
      for (const source of ['KALENDS_PORT', 'KALENDS_LOG_LEVEL', 'KALENDS_SECRET', '--site-zone']) {
        assert.match(error.message, new RegExp(`${source} must`))
      }
      assert.doesNotMatch(error.message, /too short|\n/)
      return true
    },
  )
})

const REFUSED: readonly [string, string][] = [
  ['port', '65536'],
  ['port', '-1'],
  ['port', '1.5'],
  ['port', ''],
  ['host', 'a b'],
  ['data', ''],
  ['database', 'mysql://x'],
  ['database', 'sqlite:'],
  ['baseUrl', 'ftp://x'],
  ...[
    ...['https://x/?a=1', 'https://x/?', 'https://x/#', 'https://x#a', 'https://:secret@x', 'https://user@x'],
    ...['https://x, https://y', 'https://x,https://y', 'https://x https://y', 'https:/x', 'https:x', 'https://x\\y'],
    ...['https://x/a b', 'https://x/">', "https://x/'", 'https://x:99999', 'https://'],
  ].map((address): [string, string] => ['baseUrl', address]),
  ['siteHost', 'https://x'],
  ['namespaces', 'tribe'],
  ['namespaces', 'wp/v2'],
  ['namespaces', 'tribe/events/v1,kalends/v1'],
  ['trustedProxies', '10.0.0.0/33'],
  ['trustedProxies', 'proxy'],
  ['corsOrigins', 'https://x/'],
  ['corsOrigins', '*'],
  ['currencyPosition', 'middle'],
  ['language', 'english'],
  ['bodyLimit', '10'],
  ['synchronous', 'OFF'],
]

for (const [name, value] of REFUSED) {
  test(`${name} refuses "${value}"`, () => {
    assert.throws(() => readConfig({ [name]: value }, {}), Failure)
  })
}

test('the public address loses the slash at its end', () => {
  assert.equal(readConfig({ baseUrl: 'https://example.org/site/' }, {}).baseUrl, 'https://example.org/site')
})

test('secret values are masked, a database file is not', () => {
  const secret = 's'.repeat(32)
  const masked = maskSecrets(readConfig({ database: 'postgres://me:hidden@db/kalends' }, { KALENDS_SECRET: secret }))
  assert.equal(masked.secret, '***')
  assert.equal(masked.database, '***')
  assert.equal(maskSecrets(readConfig({}, {})).secret, '')
  assert.match(String(maskSecrets(readConfig({}, {})).database), /^sqlite:/)
})

test('no two options share a flag or a variable, and the reference names all of them', () => {
  const page = configReference()
  const flags = OPTION_LIST.flatMap(([, declared]) => declared.flag ?? [])
  const variables = OPTION_LIST.map(([, declared]) => declared.env)
  assert.equal(new Set(flags).size, flags.length)
  assert.equal(new Set(variables).size, variables.length)
  for (const variable of variables) assert.equal(page.split(`\`${variable}\``).length, 2, variable)
})
