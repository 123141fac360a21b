import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/limits.md', 'docs/api.md']
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The words of a page that are written as code, in a line or a drawing: `a b` is two of them. */
function codeOf(text: string): string[] {
  const drawings = [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, drawing = '']) => drawing.split(/[\s;]+/))
  return [...drawings, ...[...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '))]
}

/** A path of the project: with a folder, or a file name with one of the extensions in use. */
function isPath(word: string): boolean {
  return /^\.?\w[\w.-]*(\/[\w.-]+)*\/?$/.test(word) && /\/|[\w-]\.(ts|js|mjs|cjs|json|md)$/.test(word)
}

/** Where a path may be: from the root, or anywhere below `src` for a bare file name; `x` and `xx` stand for any name. */
function isThere(path: string): boolean {
  const pattern = path.replace(/(^|\/)xx?\./, '$1*.').replace(/\/$/, '')
  const places = path.includes('/') ? [pattern] : [pattern, `src/**/${pattern}`]
  return globSync(places, { cwd: ROOT }).length > 0
}

for (const page of PAGES) {
  test(`every file and folder that ${page} names is there`, () => {
    const paths = [...new Set(codeOf(read(page)).filter(isPath))]
    assert.deepEqual(
      paths.filter((path) => !isThere(path)),
      [],
    )
  })

  test(`every script that ${page} names is one of package.json`, () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }
    for (const [, name = ''] of read(page).matchAll(/npm run ([\w:]+)/g)) assert.ok(Object.hasOwn(scripts, name), name)
  })
}

test('the pages name enough paths for these tests to mean something', () => {
  assert.ok(codeOf(read('ARCHITECTURE.md')).filter(isPath).length > 50)
  assert.ok(codeOf(read('CONTRIBUTING.md')).filter(isPath).length > 50)
  assert.ok(!isThere('src/nowhere/') && !isThere('nowhere.ts') && !isThere('src/xx.nowhere'))
})

test('ARCHITECTURE.md has a place for every folder and file directly below src', () => {
  const named = new Set(codeOf(read('ARCHITECTURE.md')).map((word) => word.replace(/\/$/, '')))
  const present = readdirSync(join(ROOT, 'src')).filter((name) => !name.endsWith('.test.ts'))
  assert.deepEqual(
    present.filter((name) => !named.has(`src/${name}`)),
    [],
  )
})

test('ARCHITECTURE.md is read in ten minutes', () => {
  assert.ok(read('ARCHITECTURE.md').split(/\s+/).length <= 1500)
})
