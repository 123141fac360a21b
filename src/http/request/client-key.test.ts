import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientKey } from './clients.ts'

const KEYS: readonly (readonly [string | undefined, string])[] = [
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:51234', '192.0.2.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001::', '2001:db8:0:1::/64'],
  ['[2001:db8:0:1::9]:443', '2001:db8:0:1::/64'],
  ['[2001:db8:0:1::9]', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'unknown'],
  ['', 'unknown'],
  ['300.1.1.1', 'unknown'],
  ['example.org', 'unknown'],
  ['1:2', 'unknown'],
]

for (const [address, key] of KEYS) {
  test(`the key of ${String(address)} is ${key}`, () => {
    assert.equal(clientKey(address), key)
  })
}

test('all addresses of a /64 have one key, however they are written, and no others have it', () => {
  const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      const text = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':')
      const sibling = [...one.slice(0, 4), ...other.slice(4)]
      const shortened = new URL(`http://[${text(sibling)}]/`).hostname
      fc.pre(one.slice(0, 4).some((part) => part !== 0))
      assert.equal(clientKey(text(one)), clientKey(shortened))
      const isSame = one.slice(0, 4).every((part, index) => part === other[index])
      assert.equal(clientKey(text(one)) === clientKey(text(other)), isSame)
    }),
  )
})

test('whatever is sent as an address, the key is short', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => clientKey(text).length <= 40))
})
