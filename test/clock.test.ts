import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const SOURCES = new URL('../src/', import.meta.url)

test('only the entry of the program reads the clock and the environment', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  // Scripts of pages run in the browser, whose clock nobody hands in.
  const programs = files.filter(
    (name) => /\.ts$/.test(name) && !/(\.test|^main)\.ts$/.test(name) && !name.startsWith('pages/client/'),
  )
  assert.ok(programs.length > 100)
  for (const name of programs) {
    const code = readFileSync(new URL(name, SOURCES), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    assert.doesNotMatch(code, /Date\.now|new Date\(\)|performance\.now|process\.(env|hrtime)|Temporal\.Now/, name)
  }
})
