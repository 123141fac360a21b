// npm test: all tests, or those of the files and folders given. What begins with a dash goes to Node's test runner:
//   npm test -- src/time test/arrows.test.ts --test-name-pattern="gap"
// With --counts=FILE the numbers {passed, failed} are written to that file, too.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const given = process.argv.slice(2)
const counts = given.find((text) => text.startsWith('--counts='))?.slice('--counts='.length)
const flags = given.filter((text) => text.startsWith('-') && !text.startsWith('--counts='))
const places = given.filter((text) => !text.startsWith('-')).map((text) => text.replace(/^\.\/|\/+$/g, ''))
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'])
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => places.length === 0 || places.some((place) => path === place || path.startsWith(`${place}/`)))
  .sort()

if (files.length === 0) {
  console.error(`no test file in ${places.join(', ')}`)
  process.exit(1)
}

const options = ['--test', `--test-concurrency=${availableParallelism()}`, '--test-timeout=300000']
const reporters = flags.some((flag) => flag.startsWith('--test-reporter')) ? [] : report('spec', 'stdout')
if (counts !== undefined) reporters.push(...report('./scripts/count-reporter.js', counts))
const runner = spawn(process.execPath, [...options, ...reporters, ...flags, ...files], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => runner.kill(signal))
runner.on('exit', (code, signal) => {
  process.exitCode = signal === null ? code : 1
})

function report(name, destination) {
  return [`--test-reporter=${name}`, `--test-reporter-destination=${destination}`]
}
