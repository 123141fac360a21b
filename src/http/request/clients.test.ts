import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import test from 'node:test'
import { clientOf, networksOf } from './clients.ts'

function addressFor(trusted: readonly string[], peer: string | undefined, forwarded?: string): string {
  const socket = { remoteAddress: peer } as Socket
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientOf({ socket, headers }, networksOf(trusted)).address
}

test('without trusted proxies the client is the other side of the connection, whatever it says', () => {
  assert.equal(addressFor([], '192.0.2.1', '203.0.113.9'), '192.0.2.1')
  assert.equal(addressFor([], '::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(addressFor([], '2001:db8::1'), '2001:db8::1')
  assert.equal(addressFor([], undefined), 'unknown')
})

test('a trusted proxy names the client, and what the client wrote itself is not believed', () => {
  const proxies = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']
  assert.equal(addressFor(proxies, '10.1.2.3', '203.0.113.9'), '203.0.113.9')
  assert.equal(addressFor(proxies, '::ffff:10.1.2.3', '203.0.113.9'), '203.0.113.9')
  assert.equal(addressFor(proxies, '10.1.2.3', '198.51.100.1, 203.0.113.9'), '203.0.113.9')
  assert.equal(addressFor(proxies, '10.1.2.3', '203.0.113.9, 192.0.2.1, 2001:db8::7'), '203.0.113.9')
  assert.equal(addressFor(proxies, '203.0.113.5', '198.51.100.1'), '203.0.113.5')
})

test('what is no address is not shown as one', () => {
  const proxies = ['10.0.0.0/8']
  assert.equal(addressFor(proxies, '10.1.2.3', '<b>'), 'unknown')
  assert.equal(addressFor(proxies, '10.1.2.3', '203.0.113.9, "evil"\n'), 'unknown')
  assert.equal(addressFor(proxies, '10.1.2.3', ''), '10.1.2.3')
  assert.equal(addressFor(proxies, undefined, '203.0.113.9'), 'unknown')
  assert.equal(addressFor(proxies, '10.0.0.1', Array(1000).fill('10.0.0.2').join(',')), '10.0.0.2')
})
