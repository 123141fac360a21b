import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('every page that SECURITY.md and docs/security.md link to is there', () => {
  for (const [folder, page] of [
    ['.', read('SECURITY.md')],
    ['docs', read('docs/security.md')],
  ] as const) {
    for (const [, target = ''] of page.matchAll(/\]\(([^)#]+)\)/g)) assert.ok(read(join(folder, target)) !== '', target)
  }
})

test('packages for production have exact versions and run nothing when they are installed', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> }
  assert.deepEqual(
    Object.entries(dependencies).filter(([, version]) => !/^(npm:[\w./@-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
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
