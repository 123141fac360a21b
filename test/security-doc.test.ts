import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const PAGE = read('docs/security.md')

/** The tests that a text names: `file`: title. */
function testsIn(text: string): { file: string; title: string }[] {
  const found = text.matchAll(/^- `([\w/.-]+\.test\.ts)`: (.+)$/gm)
  return Array.from(found, ([, file = '', title = '']) => ({ file, title }))
}

/** The titles of the tests in a file, as they are written there. */
function titlesIn(file: string): string[] {
  return Array.from(read(file).matchAll(/\btest\(\s*(['`"])(.+?)\1,/gs), ([, , title = '']) => title)
}

test('every test that docs/security.md names is there', () => {
  const named = testsIn(PAGE)
  assert.equal(named.length, PAGE.split('\n').filter((line) => line.includes('.test.ts`')).length)
  for (const { file, title } of named) assert.ok(titlesIn(file).includes(title), `${file}: ${title}`)
})

test('each of the ten risks says what covers it, and which tests prove it', () => {
  const sections = PAGE.split(/^#+ /m)
  for (let number = 1; number <= 10; number += 1) {
    const [section, ...others] = sections.filter((one) => one.startsWith(`API${number} `))
    assert.deepEqual([section === undefined, others.length], [false, 0], `API${number}`)
    assert.ok(testsIn(section ?? '').length >= 2, `API${number}`)
  }
})

test('every page that SECURITY.md and docs/security.md link to is there', () => {
  for (const [folder, page] of [
    ['.', read('SECURITY.md')],
    ['docs', PAGE],
  ] as const) {
    for (const [, target = ''] of page.matchAll(/\]\(([^)#]+)\)/g)) assert.ok(read(join(folder, target)) !== '', target)
  }
})

test('packages for production have exact versions and run nothing when they are installed', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> }
  assert.deepEqual(
    Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  )
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, { dev?: boolean; hasInstallScript?: boolean; integrity?: string }>>
  }
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  assert.ok(installed.length > 50)
  for (const [path, { hasInstallScript = false, integrity = '' }] of installed)
    assert.deepEqual([hasInstallScript, integrity.startsWith('sha512-')], [false, true], path)
})
