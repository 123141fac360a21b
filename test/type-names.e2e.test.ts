import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testFolder } from './support/test-storage.ts'

const CHECK = join(import.meta.dirname, '../scripts/lint/type-names.ts')

function check(t: TestContext, files: Readonly<Record<string, string>>): { red: boolean; output: string } {
  const folder = testFolder(t)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, folder], { encoding: 'utf8' })
  return { red: status !== 0, output: stdout + stderr }
}

test('a name that two files export for different types is red and names both', (t) => {
  const { red, output } = check(t, {
    'src/a/place.ts': 'export interface Harbour {\n  readonly depth: number\n}\n',
    'src/b/seat.ts': "export type Harbour = 'here' | 'there'\n",
    'src/c/other.ts': 'export class Ship {}\n',
  })
  assert.ok(red)
  assert.match(output, /Harbour means several things: src\/a\/place\.ts, src\/b\/seat\.ts/)
  assert.doesNotMatch(output, /Ship means/)
})

test('a file may re-export a type, and a test or a type that is not exported may share its name', (t) => {
  const { red, output } = check(t, {
    'src/a/place.ts': 'export interface Harbour {\n  readonly depth: number\n}\n',
    'src/a/index.ts': "export type { Harbour } from './place.ts'\nexport { type Harbour as Port } from './place.ts'\n",
    'src/b/own.ts': 'interface Harbour {\n  readonly own: true\n}\nexport const own: Harbour = { own: true }\n',
    'src/b/own.test.ts': 'export type Harbour = 2\n',
  })
  assert.ok(!red, output)
})
