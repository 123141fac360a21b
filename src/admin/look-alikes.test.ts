import assert from 'node:assert/strict'
import test from 'node:test'
import { lookAlike } from './look-alikes.ts'

test('names that differ in accents, spaces, signs or one letter look alike', () => {
  for (const [one, other] of [
    ['Café Zoé', 'Cafe Zoe'],
    ['Town-Hall', 'town hall'],
    ['Harbour Hall', 'Habour Hall'],
    ['Harbour Hall', 'Harbour Halls'],
    ['Harbour Hall', 'Harbour Hell'],
  ] as const) {
    assert.equal(lookAlike(one, ['Somewhere else', other]), other)
    assert.equal(lookAlike(other, [one]), one)
  }
})

test('names that differ in numbers, in more letters, or are short, do not', () => {
  for (const [one, other] of [
    ['Conference room 1', 'Conference room 2'],
    ['Conference room 1', 'Conference room 11'],
    ['North Hall', 'South Hall'],
    ['Bar', 'Car'],
    ['Hall', 'Hall'],
    ['…', '!'],
  ] as const)
    assert.equal(lookAlike(one, [other]), undefined)
})
