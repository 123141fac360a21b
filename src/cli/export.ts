import { resolve } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { listUsers } from '../accounts/users/index.ts'
import { fail } from '../base/errors.ts'
import type { ExportReport, RestoredCalendar } from '../ops/export/index.ts'
import { openStorage } from '../storage/open.ts'
import { storageOptions } from '../storage/options.ts'
import { auditCalendar, auditLog } from './audit.ts'
import { assertCalendar } from './calendar-files.ts'
import { type CommandGroup, declare, type Invocation } from './command.ts'
import { lockDataFolder, prepareDataFolder } from './data-folder.ts'
import { progressOn } from './output.ts'

/** `kalends export`: write everything into a new folder, while servers run or not. */
export function declareExport(shell: CommandGroup): void {
  const declared = {
    usage: 'export <folder>',
    summary: 'write the whole calendar to a new FOLDER as JSON lines and images, even while the server runs',
    optional: { '--with-secrets': 'include password hashes, sessions, stored responses and their key' },
  }
  declare(shell, declared, async (called) => {
    const { config, world } = called
    await assertCalendar(config, { mayBegin: false })
    // Loaded only here: no other command needs it.
    const { exportCalendar } = await import('../ops/export/index.ts')
    const folder = resolve(called.argument(0))
    const withSecrets = called.option('withSecrets') !== undefined
    const { version } = packageFile
    const onProgress = progressOn(world.stderr, world.now)
    called.show(await exportCalendar({ config, folder, withSecrets, version, onProgress }), describeExport)
  })
}

function describeExport({ folder, rows, journal, pictures, missing, secrets, needsKey }: ExportReport): string {
  const lines = [`${folder}: ${rows} rows up to change ${journal}, ${pictures} image files.`]
  if (missing.length > 0)
    lines.push(`${missing.length} image files are missing from the calendar: ${missing.join(', ')}`)
  if (!secrets) lines.push('Passwords and sessions are not included: --with-secrets adds them.')
  if (needsKey) lines.push('KALENDS_SECRET is not included: store it elsewhere.')
  return `${lines.join('\n')}\n`
}

/** Imports the folder of an export, when the only argument is one; false when it is something else. */
export async function importFolder(called: Invocation): Promise<boolean> {
  const [first = '', ...others] = called.arguments(0)
  const { importCalendar, isExport } = await import('../ops/export/index.ts')
  if (!(await isExport(first))) return false
  if (others.length > 0) throw fail('wrong_usage', { reason: 'an export must be imported by itself' })
  const { config: given, world } = called
  const config = { ...given, databaseRead: '', statementTimeout: DAY, readTimeout: DAY }
  await prepareDataFolder(config.data)
  const lock = lockDataFolder(config)
  if (lock === undefined)
    throw fail('import_target_in_use', { database: config.data, reason: 'another process is using it' })
  try {
    await assertCalendar(config, { mayBegin: true })
    const storage = await openStorage(storageOptions(config))
    try {
      const job = {
        folder: resolve(first),
        config,
        storage,
        now: world.now,
        onProgress: progressOn(world.stderr, world.now),
      }
      const report = await importCalendar(job)
      auditCalendar(auditLog(called), 'calendar imported', await listUsers({ storage }))
      called.show(report, (shown) => describeImport(called, shown))
    } finally {
      await storage.close()
    }
  } finally {
    lock.release()
  }
  return true
}

/** Milliseconds. */
const DAY = 86_400_000

function describeImport({ config }: Invocation, report: RestoredCalendar): string {
  const { database, rows, journal, pictures, secrets, missing } = report
  const lines = [`Imported ${rows} rows up to change ${journal} and ${pictures} image files into ${database}.`]
  if (missing.length > 0) lines.push(`${missing.length} image files were missing: ${missing.join(', ')}`)
  if (!secrets) lines.push('Users need new passwords: create links with "kalends user link NAME".')
  lines.push(`Next: kalends serve --data ${config.data}`)
  return `${lines.join('\n')}\n`
}
