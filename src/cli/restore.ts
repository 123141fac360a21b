import { resolve } from 'node:path'
import { fail } from '../base/errors.ts'
import type { RestoreReport } from '../ops/backup/index.ts'
import { sqlitePath } from '../storage/open.ts'
import { auditCalendar, auditLog } from './audit.ts'
import { type CommandGroup, declare, type Invocation } from './command.ts'
import { lockDataFolder, prepareDataFolder } from './data-folder.ts'
import { progressOn } from './output.ts'

/** `kalends restore`: restore a backup. */
export function declareRestore(shell: CommandGroup): void {
  const declared = {
    usage: 'restore <source>',
    summary: 'restore the backup in the folder SOURCE into an empty data folder or database',
  }
  declare(shell, declared, async (called) => called.show(await restore(called), (report) => describe(called, report)))
}

async function restore(called: Invocation): Promise<RestoreReport> {
  const { config, world } = called
  const { data } = config
  await prepareDataFolder(data)
  const lock = lockDataFolder(config)
  if (lock === undefined) throw fail('restore_target_in_use', { path: data, reason: 'another process is using it' })
  try {
    const { restoreBackup } = await import('../ops/backup/index.ts')
    const source = resolve(called.argument(0))
    const onProgress = progressOn(world.stderr, world.now)
    const report = await restoreBackup({ config, source, env: world.env, onProgress })
    auditCalendar(auditLog(called), 'calendar restored')
    return report
  } finally {
    lock.release()
  }
}

function describe({ config }: Invocation, { database, rows, journal, pictures, key, made_at }: RestoreReport): string {
  const lines = [`Restored ${rows} rows up to change ${journal} and ${pictures} image files into ${database}.`]
  lines.push(`The backup is from ${made_at} UTC.`)
  if (key === 'environment') lines.push('Its passwords need its KALENDS_SECRET.')
  const where = sqlitePath(config.database) === '' ? ` with this DATABASE_URL` : ''
  lines.push(`Next: kalends serve --data ${config.data}${where}`)
  return `${lines.join('\n')}\n`
}
