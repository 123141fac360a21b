// npm run check: every check of the project except its tests.
//   npm run check -- types arrows    only these parts        --counts FILE    write {passed, failed} to a file
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

/** The parts, slowest first, each a program of node_modules/.bin or `node` with its arguments. */
const PARTS = [
  { name: 'lint', run: ['biome', 'ci', '--error-on-warnings', '--colors=off', '.'] },
  { name: 'promises', run: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types', run: ['node', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'] },
  { name: 'client', run: ['node', 'scripts/client-types.ts', '--check'] },
  { name: 'client-types', run: ['node', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'clients/typescript'] },
  { name: 'unused', run: ['knip', '--no-progress'] },
  { name: 'names', run: ['node', 'scripts/lint/type-names.ts'] },
  { name: 'arrows', run: ['node', 'scripts/arrows.ts'] },
  { name: 'lock', run: ['node', 'scripts/complete-lock.ts', '--check'] },
  { name: 'docs', run: ['node', 'scripts/docs.ts', '--check'] },
]

const { values, positionals } = parseArgs({ options: { counts: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(', ')}; there are ${PARTS.map((part) => part.name).join(', ')}`)
  process.exit(1)
}

const chosen = PARTS.filter((part) => positionals.length === 0 || positionals.includes(part.name))
const waiting = [...chosen]
const red = []

await Promise.all(Array.from({ length: Math.min(availableParallelism(), chosen.length) }, worker))

for (const { name, output } of red) console.log(`\n--- ${name} ---\n${output.trim()}`)
console.log(red.length === 0 ? '\nall parts are green' : `\nred: ${red.map((part) => part.name).join(', ')}`)
if (values.counts !== undefined) {
  writeFileSync(values.counts, JSON.stringify({ passed: chosen.length - red.length, failed: red.length }))
}
process.exitCode = red.length === 0 ? 0 : 1

async function worker() {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const started = Date.now()
    const { green, output } = await execute(part.run)
    if (!green) red.push({ name: part.name, output })
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    console.log(`${green ? 'ok  ' : 'RED '} ${part.name.padEnd(10)} ${seconds.padStart(5)} s`)
  }
}

function execute([program, ...parameters]) {
  const path = program === 'node' ? process.execPath : `node_modules/.bin/${program}`
  const child = spawn(path, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  return new Promise((done) => {
    child.on('error', (error) => done({ green: false, output: error.message }))
    child.on('close', (code) => done({ green: code === 0, output }))
  })
}
