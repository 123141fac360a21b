// Checks that no two files under src/ export a type, interface or class of the same name, so that a name means one thing.
// Test files are left out, and a file may re-export what another one declares.
//   node scripts/lint/type-names.ts [FOLDER]
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `export interface X`, `export type X =`, `export class X`; a formatted file has them at the beginning of a line. */
const DECLARED = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm

const folder = process.argv[2] ?? '.'
const owners = new Map<string, string[]>()
for (const path of globSync('src/**/*.ts', { cwd: folder }).sort()) {
  if (path.endsWith('.test.ts')) continue
  const names = [...readFileSync(join(folder, path), 'utf8').matchAll(DECLARED)].map(([, name]) => name as string)
  for (const name of new Set(names)) owners.set(name, [...(owners.get(name) ?? []), path])
}

const shared = [...owners].filter(([, paths]) => paths.length > 1)
for (const [name, paths] of shared) console.log(`${name} means several things: ${paths.join(', ')}`)
console.log(`${owners.size} types, ${shared.length} names that mean several things`)
process.exitCode = shared.length === 0 ? 0 : 1
