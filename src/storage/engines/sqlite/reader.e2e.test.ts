import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const READER = join(import.meta.dirname, 'reader.ts')

test('a reader whose server has gone before it is told of that ends without a word', async (t) => {
  const reader = spawn(process.execPath, [READER, 'none.db'], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  t.after(() => reader.kill('SIGKILL'))
  // Its lifeline stays: only the channel can tell it.
  ;(reader.stdio[3] as Socket).destroy()
  const [said, [, signal]] = await Promise.all([text(reader.stderr as Readable), once(reader, 'exit')])
  assert.equal(said, '')
  assert.equal(signal, 'SIGKILL')
})
