#!/usr/bin/env node
// Starts Kalends. This file alone also runs on an old Node (12 and newer): it then hands everything over to the Node
// that was installed with the packages.
import { spawn } from 'child_process'
import { existsSync, readFileSync } from 'fs'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
// Not the link in .bin: npm 9 removes it together with the package for the other processor.
const newerNode = join(modules, `node-linux-${process.arch}`, 'bin', 'node')
const least = /\d+(\.\d+)*/.exec(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node)[0]

// Options of Node for less memory, which cost hardly any time.
const SMALL_HEAP = ['--max-semi-space-size=16', '--heap-growing-percent=60', '--v8-pool-size=1']

if (!existsSync(join(modules, '.package-lock.json'))) {
  stop(`the packages are not installed: run "npm start" or "npm ci" in ${root}`)
} else if (isEnough(process.versions.node)) {
  run()
} else if (existsSync(newerNode) && process.env.KALENDS_HANDED_OVER === undefined) {
  handOver()
} else {
  stop(`needs Node ${least} or newer, and this is ${process.versions.node}: see https://nodejs.org`)
}

function run() {
  if (process.argv[2] === 'serve') replaceWithTuned([])
  if (process.argv[2] === 'import') replaceWithTuned(SMALL_HEAP)
  const handedOverBy = process.env.KALENDS_HANDED_OVER
  delete process.env.KALENDS_HANDED_OVER
  // The program ends with an old Node that has started it, and not those that it starts itself.
  const env = Object.assign({}, process.env, handedOverBy && { KALENDS_WRAPPER: handedOverBy })
  // What Node made of the sources is kept beside the packages, so that later starts need not make it again.
  import('module')
    .then((module) => module.enableCompileCache(join(modules, '.cache', 'kalends')))
    .then(() => import('../src/main.ts'))
    .then((entry) => entry.main(process.argv, env))
    .then(
      (code) => {
        process.exitCode = code
      },
      (error) => {
        console.error(error)
        process.exitCode = 1
      },
    )
}

// The C library reads these once, when a process starts: large buffers get memory of their own, which goes back to the system
// as soon as it is free, and the C library would raise both numbers by itself, until a server keeps for good what a crowd of
// large request bodies once took. SQLite takes 90 KB for each temporary table, several in each write: if these were large, or
// were given back one by one, the system would have to clear two dozen pages for each of them.
//
// An import reads and forgets many megabytes: Node would let young objects take a hundred of them before it looks again.
function replaceWithTuned(flags) {
  const tuned = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' }
  const isSet = Object.keys(tuned).some((name) => process.env[name] !== undefined)
  // Another program in the same process would lose the channel to a parent that has one.
  if (process.platform !== 'linux' || isSet || process.execve === undefined || process.send !== undefined) return
  const nameOf = (flag) => flag.split('=')[0]
  const fresh = flags.filter((flag) => process.execArgv.every((own) => nameOf(own) !== nameOf(flag)))
  const command = [process.argv0].concat(process.execArgv, fresh, process.argv.slice(1))
  process.execve(process.execPath, command, Object.assign({}, process.env, tuned))
}

function handOver() {
  const env = Object.assign({}, process.env, { KALENDS_HANDED_OVER: String(process.pid) })
  const command = process.execArgv.concat([fileURLToPath(import.meta.url)], process.argv.slice(2))
  const child = spawn(newerNode, command, {
    stdio: 'inherit',
    env: env,
  })
  const forward = (signal) => {
    // Ctrl-C in a terminal reaches the whole group of processes; said twice it would mean "at once".
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
  for (const signal of signals) process.on(signal, forward)
  child.on('error', (error) => stop(`cannot run ${newerNode}: ${error.message}`))
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeListener(name, forward)
    if (signal === null) process.exitCode = code
    else process.kill(process.pid, signal)
  })
}

function isEnough(version) {
  const have = version.split('.').map(Number)
  const need = least.split('.').map(Number)
  const at = need.findIndex((number, place) => number !== have[place])
  return at === -1 || have[at] > need[at]
}

function stop(message) {
  console.error(`kalends: ${message}`)
  process.exitCode = 1
}
