import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('a trace names the functions that a request enters, and the files they lie in', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/trace.ts', 'by-id', '--all'])
  const [, sums = '', ...lines] = stdout.trim().split('\n')
  const [name, functions, files, changes] = sums.trim().split(/\s+/)
  assert.equal(name, 'by-id')
  assert.equal(Number(functions), lines.length)
  const entered = lines.map((line) => line.trim().split(':')[0] ?? '')
  assert.ok(entered.every((file) => file.startsWith('src/') && existsSync(file)))
  assert.equal(Number(files), new Set(entered).size)
  assert.equal(Number(changes), entered.filter((file, index) => file !== entered[index - 1]).length)
  assert.ok(lines.some((line) => /src\/http\/.*\d+ dispatch$/.test(line)))
})
