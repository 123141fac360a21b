import { fail } from '../base/errors.ts'
import type { Finding } from '../ops/doctor/index.ts'
import { migrate } from '../storage/migrate.ts'
import { openStorage } from '../storage/open.ts'
import { storageOptions } from '../storage/options.ts'
import { addressForRepair, isServed } from '../storage/served.ts'
import { assertCalendar } from './calendar-files.ts'
import { type CommandGroup, declare, type Invocation } from './command.ts'
import { lockDataFolder } from './data-folder.ts'
import { table } from './output.ts'
import { privateFiles } from './private-files.ts'

/** Exit code when something is not as it should be. */
const PROBLEMS = 2

/** `kalends doctor`: check the calendar. */
export function declareDoctor(shell: CommandGroup): void {
  const declared = {
    usage: 'doctor',
    summary: 'check database, indexes and files, even while the server runs; exit code 2 if something is wrong',
    optional: { '--repair': 'rebuild derived data; stop the servers first' },
  }
  declare(shell, declared, async (called) => {
    await assertCalendar(called.config, { mayBegin: false })
    const findings = called.option('repair') === undefined ? await look(called) : await mend(called)
    const problems = findings.reduce((sum, one) => sum + one.problems, 0)
    called.show({ problems, findings }, describe)
    if (problems > 0) called.exitWith(PROBLEMS)
  })
}

async function look({ config, world }: Invocation): Promise<readonly Finding[]> {
  const { examine } = await import('../ops/doctor/index.ts')
  return (await examine({ ...config, files: privateFiles(config), now: world.now() })).findings
}

async function mend(called: Invocation): Promise<readonly Finding[]> {
  const { config, world } = called
  const { examine, repair } = await import('../ops/doctor/index.ts')
  const lock = lockDataFolder(config)
  if (lock === undefined) throw fail('doctor_in_use', { database: config.data })
  const options = storageOptions({ ...config, databaseRead: '' })
  try {
    const storage = await openStorage({ ...options, database: addressForRepair(config.database) })
    try {
      if (await isServed(storage)) throw fail('doctor_in_use', { database: storage.location })
      await migrate(storage, { now: world.now })
      const data = { ...config, files: privateFiles(config), now: world.now() }
      const { broken, findings } = await examine(data)
      if (broken === undefined) return findings
      await repair(storage, { ...data, broken })
    } finally {
      await storage.close()
    }
    return await look(called)
  } finally {
    lock.release()
  }
}

function describe({ problems, findings }: { problems: number; findings: readonly Finding[] }): string {
  const rows = findings.map(({ check, problems: count, detail, isDerived }) => [
    check,
    count === 0 ? 'ok' : `${count} wrong${isDerived ? ', --repair fixes it' : ''}`,
    detail,
  ])
  const end = problems === 0 ? 'No problems found.' : `${problems} problems found.`
  return `${table(['check', 'state', 'what'], rows)}${end}\n`
}
