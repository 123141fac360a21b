import assert from 'node:assert/strict'
import test from 'node:test'
import { mayGoTo, openAddress } from './credentials.ts'

test('credentials go to what was entered, the same host over https, and with www.', () => {
  const cases: readonly (readonly [entered: string, address: string, may: boolean])[] = [
    ['https://club.example', 'https://club.example/wp-json/', true],
    ['https://club.example/diary', 'https://CLUB.example:443/', true],
    ['http://club.example', 'https://club.example/', true],
    ['http://club.example', 'https://www.club.example/', true],
    ['https://club.example', 'https://www.club.example/', true],
    ['http://club.example:8080', 'http://club.example:8080/x', true],
    ['https://club.example', 'http://club.example/', false],
    ['https://club.example', 'http://www.club.example/', false],
    ['https://club.example', 'https://club.example:8443/', false],
    ['https://club.example', 'https://api.club.example/', false],
    ['https://club.example', 'https://www.club.example.evil.example/', false],
    ['https://club.example', 'https://club.example@evil.example/', false],
    ['https://club.example', 'https://evil.example/?club.example', false],
    ['https://club.example', 'ftp://club.example/', false],
    ['https://club.example', '//club.example', false],
  ]
  for (const [entered, address, may] of cases) assert.equal(mayGoTo(address, entered), may, `${entered} ${address}`)
})

test('name and password are taken out of an address as they were typed', () => {
  const cases = [
    ['https://ada:secret@club.example/a.ics?b=c', 'https://club.example/a.ics?b=c', 'ada', 'secret'],
    ['https://ada%40club.example:p%3A%2Fw@club.example/', 'https://club.example/', 'ada@club.example', 'p:/w'],
    ['https://token@club.example/', 'https://club.example/', 'token', ''],
    ['http://:key@club.example/', 'http://club.example/', '', 'key'],
    ['https://ada:100%25%20%zz@club.example/', 'https://club.example/', 'ada', '100%25%20%zz'],
  ] as const
  for (const [given, address, user, password] of cases)
    assert.deepEqual(openAddress(given), { address, credentials: { user, password } })
  for (const address of ['https://club.example/@ada', 'no address', 'https://club.example'])
    assert.deepEqual(openAddress(address), { address, credentials: undefined })
})
