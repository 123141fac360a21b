// npm test: all tests, or those of the files and folders given. What begins with a dash goes to Node's test runner:
//   npm test -- src/time test/arrows.test.ts --test-name-pattern="gap"
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const given = process.argv.slice(2)
const flags = given.filter((text) => text.startsWith('-'))
const places = given.filter((text) => !text.startsWith('-')).map((text) => text.replace(/^\.\/|\/+$/g, ''))
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => places.length === 0 || places.some((place) => path === place || path.startsWith(`${place}/`)))
  .sort()

if (files.length === 0) {
  console.error(`no test file in ${places.join(', ')}`)
  process.exit(1)
}

const options = ['--test', `--test-concurrency=${availableParallelism()}`, '--test-timeout=300000']
const reporter = flags.some((flag) => flag.startsWith('--test-reporter')) ? [] : ['--test-reporter=spec']
const runner = spawn(process.execPath, [...options, ...reporter, ...flags, ...files], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => runner.kill(signal))
runner.on('exit', (code, signal) => {
  process.exitCode = signal === null ? code : 1
})
