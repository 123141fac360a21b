import assert from 'node:assert/strict'
import test from 'node:test'
import { generatePassword, groupPassword, hashPassword, placeAmongHashes, plainPassword } from './authenticate.ts'

test('a generated password has 24 letters and digits and is never the same', () => {
  const passwords = Array.from({ length: 200 }, () => generatePassword())
  for (const password of passwords) assert.match(password, /^[A-Za-z0-9]{24}$/)
  assert.equal(new Set(passwords).size, passwords.length)
  assert.equal(new Set(passwords.join('')).size, 62)
})

test('it is shown in six groups of four, and the spaces do not count', () => {
  const password = generatePassword()
  assert.match(groupPassword(password), /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
  assert.equal(plainPassword(groupPassword(password)), password)
  assert.equal(hashPassword('key', groupPassword(password)), hashPassword('key', password))
})

test('the hash is HMAC-SHA-256 in hexadecimal', () => {
  // Expected value computed with the hmac module of Python.
  const expected = '02fa42e57c130bfff4f07ec160d0d111d116fb7f5f5335606c607c93bc851250'
  assert.equal(hashPassword('key', 'The quick brown fox'), expected)
  assert.notEqual(hashPassword('other key', 'The quick brown fox'), expected)
})

test('a hash is found among several, and nothing is found among none', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((password) => hashPassword('key', password))
  assert.ok(first && second && third)
  assert.equal(placeAmongHashes(first, [first, second]), 0)
  assert.equal(placeAmongHashes(second, [first, second]), 1)
  assert.equal(placeAmongHashes(third, [first, second]), -1)
  assert.equal(placeAmongHashes(first, []), -1)
})
