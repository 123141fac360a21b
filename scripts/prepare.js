// Runs before `npm start` and `npm test`: installs what package-lock.json asks for if it is not there yet, and makes
// sure that a Node of the right version will run what follows. Plain JavaScript: the host's own Node may be 18.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const MODULES = join(ROOT, 'node_modules')
const LOCK = join(ROOT, '.install-lock')
const GIVE_UP_AFTER_MS = 10 * 60 * 1000

// Options of the surrounding npm must not reach the npm that we start: `npm test --omit=dev` would remove the tests' tools.
const NOT_INHERITED =
  /^npm_config_(omit|include|only|also|production|dev|optional|ignore_scripts|dry_run|package_lock|package_lock_only|global|location|prefix|local_prefix|workspace|workspaces|include_workspace_root|install_strategy|legacy_bundling|global_style|force|save.*|loglevel|silent|json|if_present)$/i

const withDev = !process.argv.includes('--omit-dev')

if (!isInstalled()) {
  const release = takeLock()
  try {
    if (!isInstalled()) install()
  } finally {
    release()
  }
}
linkNode()
findNode()

/** Whether every package that is wanted here is installed in the version of the lock file. */
function isInstalled() {
  const wanted = readPackages(join(ROOT, 'package-lock.json'))
  const there = readPackages(join(MODULES, '.package-lock.json'))
  if (wanted === undefined)
    stop('package-lock.json is missing or damaged: get it back with `git checkout package-lock.json`')
  if (there === undefined) return false
  return Object.keys(wanted).every((path) => {
    const entry = wanted[path]
    const found = there[path]
    if (path === '' || (entry.dev && !withDev)) return true
    // Optional packages are made for other platforms, too: npm decides, and findNode() has the last word.
    if (found === undefined) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && sameContent(found, entry) && existsSync(join(ROOT, path, 'package.json'))
  })
}

function sameContent(found, entry) {
  return !found.integrity || !entry.integrity || found.integrity === entry.integrity
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

function install() {
  const options = withDev ? ['--include=dev'] : ['--omit=dev']
  const command = [
    'ci',
    ...options,
    '--include=optional',
    '--include=prod',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]
  console.error(`kalends: installing packages (npm ci ${options.join(' ')}), this takes up to a minute`)
  const started = Date.now()
  const npm = npmCommand()
  const run = spawnSync(npm[0], [...npm.slice(1), ...command], {
    cwd: ROOT,
    env: cleanEnvironment(),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && npm.length === 1,
  })
  if (run.error) stop(`cannot start npm (${run.error.message}): install npm, or run \`npm ci\` yourself`)
  if (run.status !== 0) stop(`\`npm ${command.join(' ')}\` failed with ${run.status ?? run.signal}, see above`)
  if (!isInstalled()) stop('npm ci ended well, but packages are missing: remove node_modules and try again')
  console.error(`kalends: installed in ${Math.round((Date.now() - started) / 1000)} s`)
}

/** The npm that runs us, started with a Node that does not vanish while node_modules is replaced; else the one in PATH. */
function npmCommand() {
  const path = process.env.npm_execpath
  if (path === undefined || !/npm-cli\.js$/.test(path) || !existsSync(path)) return ['npm']
  const inModules = process.execPath.startsWith(MODULES + sep)
  return [inModules ? 'node' : process.execPath, path]
}

function cleanEnvironment() {
  const env = {}
  for (const name of Object.keys(process.env)) {
    if (/^npm_(package|lifecycle)_/i.test(name) || NOT_INHERITED.test(name)) continue
    env[name] = process.env[name]
  }
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH')
  if (path !== undefined)
    env[path] = env[path]
      .split(delimiter)
      .filter((folder) => !folder.startsWith(MODULES))
      .join(delimiter)
  return env
}

/** One installation at a time: the second one waits and then finds everything there. */
function takeLock() {
  const started = Date.now()
  for (let said = false; ; said = true) {
    try {
      mkdirSync(LOCK)
      writeFileSync(join(LOCK, 'pid'), String(process.pid))
      return () => rmSync(LOCK, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') stop(`cannot write to ${ROOT}: ${error.message}`)
    }
    if (isAbandoned()) {
      clearAbandoned()
      continue
    }
    if (!said) console.error('kalends: another process is installing packages, waiting for it')
    if (Date.now() - started > GIVE_UP_AFTER_MS) stop(`gave up waiting; if nothing is being installed, remove ${LOCK}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

function isAbandoned() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs < 2000) return false
    process.kill(Number(readFileSync(join(LOCK, 'pid'), 'utf8')), 0)
    return false
  } catch (error) {
    // ESRCH: its process is gone. EPERM: it lives and belongs to someone else. ENOENT: it was given back just now, or
    // its process died before it wrote its number.
    return error.code === 'ESRCH' || (error.code === 'ENOENT' && existsSync(LOCK))
  }
}

function clearAbandoned() {
  const aside = `${LOCK}-${process.pid}`
  try {
    renameSync(LOCK, aside)
  } catch {
    return // another waiting process was quicker
  }
  rmSync(aside, { recursive: true, force: true })
}

/** What follows runs in node_modules/.bin/node if it exists (npm looks there first), else in the Node that runs us. */
function findNode() {
  const least = /\d+(\.\d+)*/.exec(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node)[0]
  if (isEnough(process.versions.node, least)) return
  const own = join(MODULES, '.bin', 'node')
  if (existsSync(own)) {
    const run = spawnSync(own, ['--version'], { encoding: 'utf8' })
    if (run.status === 0 && isEnough(run.stdout.trim().slice(1), least)) return
  }
  stop(
    `needs Node ${least} or newer, and this is ${process.versions.node}: install it from https://nodejs.org and try again`,
  )
}

/** npm 9 removes the link to the Node that it has installed together with the package for the other processor. */
function linkNode() {
  const link = join(MODULES, '.bin', 'node')
  const installed = join(MODULES, `node-linux-${process.arch}`, 'bin', 'node')
  if (existsSync(link) || !existsSync(installed)) return
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(relative(dirname(link), installed), link)
}

function isEnough(version, least) {
  const have = version.split('.').map(Number)
  const need = least.split('.').map(Number)
  for (let i = 0; i < need.length; i++) {
    if ((have[i] || 0) !== need[i]) return (have[i] || 0) > need[i]
  }
  return true
}

function stop(message) {
  console.error(`kalends: ${message}`)
  process.exit(1)
}
