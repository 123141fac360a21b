import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../../../test/support/test-storage.ts'
import { readPostgresAddress } from './address.ts'

test('messages name server and database of an address, and neither user nor password', () => {
  const { location, client } = readPostgresAddress(
    'postgres://ann:s%3Acret@db.example:5433/calendar?application_name=x',
  )
  assert.equal(location, 'postgres://db.example:5433/calendar')
  const { user, password, host, port, database, application_name } = client
  assert.deepEqual(
    { user, password, host, port, database, application_name },
    {
      user: 'ann',
      password: 's:cret',
      host: 'db.example',
      port: 5433,
      database: 'calendar',
      application_name: 'x',
    },
  )
})

test('without sslmode and with disable nothing is encrypted', () => {
  for (const options of ['', '?sslmode=disable']) {
    assert.ok(!readPostgresAddress(`postgres://db.example/calendar${options}`).client.ssl)
  }
})

test('require encrypts and believes any certificate, verify-full believes none but known ones of the host', () => {
  const tls = (mode: string) => readPostgresAddress(`postgres://db.example/calendar?sslmode=${mode}`).client.ssl
  assert.deepEqual({ ...(tls('require') as object) }, { rejectUnauthorized: false })
  assert.deepEqual({ ...(tls('verify-full') as object) }, {})
})

test('sslrootcert names the file of the certificates that are believed', (t) => {
  const file = join(testFolder(t), 'ca.pem')
  writeFileSync(file, 'certificates')
  const address = `postgres://db.example/calendar?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`
  assert.deepEqual({ ...(readPostgresAddress(address).client.ssl as object) }, { ca: 'certificates' })
})

test('a mode that promises what it does not keep, and a file that is not there, are refused without the password', () => {
  for (const options of [
    'sslmode=prefer',
    'sslmode=allow',
    'sslmode=verify-ca',
    'sslmode=require&sslrootcert=/none/ca',
  ]) {
    assert.throws(
      () => readPostgresAddress(`postgres://zoe:hidden@db.example/calendar?${options}`),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'database_not_usable')
        assert.doesNotMatch(error.message, /hidden|zoe/)
        return true
      },
      options,
    )
  }
})
