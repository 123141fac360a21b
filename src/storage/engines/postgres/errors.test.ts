import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isConnectionGone, isConnectionLoss, isUnsent } from './errors.ts'

const withCode = (code: string): Error => Object.assign(new Error('x'), { code })

test('every way in which a connection is lost is known', () => {
  for (const code of ['57P01', '57P02', '57P03', '57P04', '57P05', '08000', '08003', '08006', '08P01'])
    assert.ok(isConnectionLoss(withCode(code)), code)
  for (const code of ['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'ENOENT'])
    assert.ok(isConnectionLoss(withCode(code)), code)
  for (const message of [
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Query read timeout',
  ])
    assert.ok(isConnectionLoss(new Error(message)), message)
})

test('what a statement did wrong is no lost connection', () => {
  for (const code of ['23505', '25P02', '40001', '42P01', '57014', '53300', '22021'])
    assert.ok(!isConnectionGone(withCode(code)), code)
  assert.ok(!isConnectionGone(new TypeError('x is not a function')))
})

test('a statement that never left is told from one without an answer', () => {
  assert.ok(isUnsent(new Error('Client has encountered a connection error and is not queryable')))
  assert.ok(!isUnsent(new Error('Connection terminated unexpectedly')))
})
