// Checks the arrows of .dependency-cruiser.cjs for the tree in the current folder, and that no module was left out: a
// parser that cannot read TypeScript follows nothing and reports no violation.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser'

const FOLDERS = ['src', 'test', 'scripts', 'bin', 'bench']

const config = createRequire(import.meta.url)(resolve('.dependency-cruiser.cjs'))
const present = globSync('src/**/*.ts').sort()
const folders = FOLDERS.filter((folder) => globSync(`${folder}/**/*.{ts,js,mjs}`).length > 0)
const { output } = await cruise(folders, { ...config.options, validate: true, ruleSet: config as IFlattenedRuleSet })
const result = output as ICruiseResult

const modules = result.modules.filter((module) => module.source.startsWith('src/'))
const seen = new Set(modules.filter((module) => module.dependencies.length > 0).map((module) => module.source))
const known = new Set(modules.map((module) => module.source))
const left = present.filter((path) => !known.has(path) || (!seen.has(path) && hasImports(path)))

for (const violation of result.summary.violations) {
  const way = violation.cycle?.map((step) => step.name).join(' -> ') ?? violation.to
  const rule = config.forbidden.find((candidate: { name: string }) => candidate.name === violation.rule.name)
  console.log(`${violation.rule.name}: ${violation.from} -> ${way}\n    ${rule?.comment ?? ''}`)
}
for (const path of left) console.log(`left out: ${path} was not read, or none of its imports was seen`)

const red = result.summary.violations.length + left.length
console.log(`${modules.length} modules of src, ${red} things not as they should be`)
process.exitCode = red === 0 ? 0 : 1

function hasImports(path: string): boolean {
  return /^(import|export .* from) ?['"{*a-zA-Z]/m.test(readFileSync(path, 'utf8'))
}
