import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditional, validated } from './representation.ts'

const ANSWER = {
  status: 200,
  headers: { 'content-type': 'application/json', vary: 'Origin', allow: 'GET' },
  body: Buffer.from('{"a":1}'),
}

function ask(ifNoneMatch: string | undefined, more: { method?: string; secret?: boolean; body?: string } = {}) {
  const { method = 'GET', secret = false } = more
  const body = more.body === undefined ? ANSWER.body : Buffer.from(more.body)
  return conditional(validated({ ...ANSWER, body }, { reply: { secret }, method }), ifNoneMatch)
}

test('an answer has a tag that follows its body', () => {
  const tag = ask(undefined).headers['etag']
  assert.match(tag ?? '', /^"[\w-]{22}"$/)
  assert.equal(ask(undefined).headers['etag'], tag)
  assert.notEqual(ask(undefined, { body: '{"a":2}' }).headers['etag'], tag)
})

test('a client that names the tag gets 304 without body and type, with the other headers', () => {
  const tag = ask(undefined).headers['etag'] ?? ''
  for (const header of [tag, `W/${tag}`, '*', `"other", ${tag}`]) {
    const { 'content-type': _type, ...headers } = ask(undefined).headers as Record<string, string>
    assert.deepEqual(ask(header), { status: 304, headers, body: Buffer.alloc(0) }, header)
  }
  assert.equal(ask('"other"').status, 200)
  assert.equal(ask(tag, { method: 'HEAD' }).status, 304)
})

test('writes, errors and answers that a password opened have no tag', () => {
  assert.equal(ask('*', { method: 'POST' }).headers['etag'], undefined)
  assert.equal(ask('*', { secret: true }).status, 200)
  const missing = conditional(validated({ ...ANSWER, status: 404 }, { reply: {}, method: 'GET' }), '*')
  assert.equal(missing.status, 404)
})

test('the tag of an answer put together from texts follows each of them, their order and the rest', () => {
  const tagOf = (texts: readonly string[], rest: string): string | undefined => {
    const pieces = { texts: texts.map((text) => Buffer.from(text)), rest, all: [] }
    return validated(ANSWER, { reply: { text: pieces }, method: 'GET' }).headers['etag']
  }
  const tag = tagOf(['a', 'b'], 'c')
  assert.match(tag ?? '', /^"[\w-]{22}"$/)
  assert.equal(tagOf(['a', 'b'], 'c'), tag)
  const others = [
    tagOf(['b', 'a'], 'c'),
    tagOf(['ab'], 'c'),
    tagOf(['a', 'b'], 'd'),
    tagOf(['a'], 'bc'),
    tagOf([], 'abc'),
  ]
  assert.equal(new Set([tag, ...others]).size, 6)
})
