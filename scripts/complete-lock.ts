// npm run lock: enters into package-lock.json the packages for other systems that npm left out of it. That happens when
// the registry at hand does not carry them; `npm ci` then refuses the lock file, on every system. Their content is
// checked on the systems that install them only, so they have no integrity here. With --check it only reports.
import { readFileSync, writeFileSync } from 'node:fs'

interface Entry {
  readonly version?: string
  readonly dev?: boolean
  readonly optionalDependencies?: Record<string, string>
  readonly [other: string]: unknown
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const left = Object.entries(lock.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isEntered(path, name))
    .map(([name, version]) => ({ name, entry: platformEntry(name, version, entry.dev === true) })),
)

for (const { name, entry } of left) {
  console.log(`${name} ${entry.version} is not in package-lock.json`)
  lock.packages[`node_modules/${name}`] = entry
}
if (process.argv.includes('--check')) {
  process.exitCode = left.length === 0 ? 0 : 1
} else if (left.length > 0) {
  const packages = Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en'))
  writeFileSync(
    'package-lock.json',
    `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`,
  )
  console.log(`entered ${left.length} packages`)
}

/** Whether a package is found from where it is wanted, in the way Node looks for it. */
function isEntered(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (`${folder}/node_modules/${name}`.replace(/^\//, '') in lock.packages) return true
    if (folder === '') return false
  }
}

function platformEntry(name: string, version: string, dev: boolean): Entry {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => SYSTEMS.includes(word))
  const cpu = words.filter((word) => PROCESSORS.includes(word))
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`the name ${name} does not tell the system it is for`)
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : ['glibc']
  return { version, cpu, ...(dev ? { dev } : {}), ...(os[0] === 'linux' ? { libc } : {}), optional: true, os }
}
