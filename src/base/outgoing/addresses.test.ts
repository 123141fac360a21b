import assert from 'node:assert/strict'
import test from 'node:test'
import { addressGate } from './addresses.ts'

const CLOSED = [
  '127.0.0.1 127.8.9.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1',
  '100.100.100.200 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1',
  '255.255.255.255 168.63.129.16 ::1 :: fe80::1 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 2002:7f00:1:: 2001::1',
  '64:ff9b::7f00:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1 fec0::1 100::1 fe80::1%eth0',
]
  .join(' ')
  .split(' ')

test('private, loopback, link-local, shared, multicast, metadata and other special addresses are closed', () => {
  const gate = addressGate([])
  for (const address of CLOSED) assert.equal(gate(address), false, address)
})

test('public addresses are open', () => {
  const gate = addressGate([])
  for (const address of ['93.184.216.34', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])
    assert.equal(gate(address), true, address)
})

test('configured addresses and networks are open, and nothing beside them', () => {
  const gate = addressGate(['127.0.0.1', '10.1.0.0/16', 'fd00::/8', '::1'])
  for (const address of ['127.0.0.1', '10.1.255.1', 'fd12::1', '::1', '::ffff:127.0.0.1'])
    assert.equal(gate(address), true, address)
  for (const address of ['127.0.0.2', '10.2.0.1', 'fe80::1']) assert.equal(gate(address), false, address)
})

test('what is no address is closed', () => {
  const gate = addressGate(['127.0.0.1'])
  for (const text of ['', 'localhost', '127.1', '0x7f000001', '2130706433', 'example.org'])
    assert.equal(gate(text), false, text)
})
