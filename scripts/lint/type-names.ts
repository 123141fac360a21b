// Checks that no two files under src/ export a type, interface or class of the same name, so that a name means one thing.
// Tests and their helpers are left out, and a file may pass on what another one exports.
//   node scripts/lint/type-names.ts [FOLDER]
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names that still mean several things. The list only shrinks. */
const SHARED: readonly string[] = [
  'AnsweredWrite',
  'Asked',
  'Asking',
  'Cause',
  'Counter',
  'DateParts',
  'Reading',
  'Refusal',
  'Sending',
  'Sent',
  'Shown',
  'Target',
  'Term',
  'Urls',
]

/** `export interface X`, `export type X =`, `export class X`; a formatted file has them at the beginning of a line. */
const DECLARED = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm

const folder = process.argv[2] ?? '.'
const owners = new Map<string, string[]>()
for (const path of globSync('src/**/*.ts', { cwd: folder }).sort()) {
  if (/(\.test|(^|\/)testing)\.ts$/.test(path)) continue
  const names = [...readFileSync(join(folder, path), 'utf8').matchAll(DECLARED)].map(([, name]) => name as string)
  for (const name of new Set(names)) owners.set(name, [...(owners.get(name) ?? []), path])
}

const shared = [...owners].filter(([, paths]) => paths.length > 1)
const found = shared.filter(([name]) => !SHARED.includes(name))
for (const [name, paths] of found) console.log(`${name} means several things: ${paths.join(', ')}`)
for (const name of SHARED.filter((one) => (owners.get(one)?.length ?? 0) === 1))
  console.log(`${name} means one thing now: take it out of SHARED in scripts/lint/type-names.ts`)
console.log(`${owners.size} types, ${found.length} names that mean several things`)
process.exitCode = found.length === 0 ? 0 : 1
