import { resolve } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { fail } from '../base/errors.ts'
import type { BackupReport } from '../ops/backup/index.ts'
import { assertCalendar } from './calendar-files.ts'
import { type CommandGroup, declare } from './command.ts'
import { progressOn } from './output.ts'

/** `kalends backup`: copy the calendar into a new folder, while servers run or not. */
export function declareBackup(shell: CommandGroup): void {
  const declared = {
    usage: 'backup <target>',
    summary: 'back up database, images and key to a new folder in TARGET, even while the server runs',
    optional: { '--keep <N>': 'delete older backups of this calendar in TARGET, so that N remain' },
  }
  declare(shell, declared, async (called) => {
    const { config, world } = called
    const keep = keepOf(called.option('keep'))
    await assertCalendar(config, { mayBegin: false })
    // Loaded only here: no other command needs it.
    const { makeBackup } = await import('../ops/backup/index.ts')
    const target = resolve(called.argument(0))
    const { version } = packageFile
    const { env, now } = world
    called.show(
      await makeBackup({ config, target, keep, version, env, now, onProgress: progressOn(world.stderr, world.now) }),
      describe,
    )
  })
}

/** @throws wrong_usage */
function keepOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw fail('wrong_usage', { reason: '--keep must be a whole number of 1 or more' })
  return Number(text)
}

function describe({ folder, rows, journal, pictures, bytes, key, missing, removed }: BackupReport): string {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`
  const files = `${pictures} image files`
  const lines = [`${folder}: ${rows} rows up to change ${journal}, ${files}, ${size}.`]
  if (key === 'environment') lines.push('KALENDS_SECRET is not included: store it elsewhere.')
  if (missing.length > 0)
    lines.push(`${missing.length} image files are missing from the calendar: ${missing.join(', ')}`)
  for (const old of removed) lines.push(`Removed ${old}.`)
  return `${lines.join('\n')}\n`
}
