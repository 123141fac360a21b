import { readFile } from 'node:fs/promises'
import { fail } from '../base/errors.ts'
import { type CommandGroup, declare } from './command.ts'
import { importFolder } from './export.ts'
import { CALENDAR_OPTIONS, COLUMN_OPTIONS, importCalendars } from './import-calendars.ts'
import { describeCounts } from './import-counts.ts'
import { importSite, SITE_OPTIONS } from './import-site.ts'
import type { ImportReport, JsonFile } from './types.ts'

/** `kalends import`: import a site by its address, calendar files, JSON saved from its API, or the folder of an export. */
export function declareImport(shell: CommandGroup): void {
  const declared = {
    usage: 'import <source...>',
    summary:
      'import a site by its URL, calendar files (iCalendar, CSV), saved API responses (JSON files), or the folder of an export into an empty calendar',
    optional: {
      '--author <NAME>': 'owner of imported items (default: the first administrator)',
      ...SITE_OPTIONS,
      ...CALENDAR_OPTIONS,
    },
    repeatable: COLUMN_OPTIONS,
  }
  declare(shell, declared, async (called) => {
    if (await importFolder(called)) return
    if (await importCalendars(called)) return
    if (await importSite(called)) return
    const files: JsonFile[] = []
    for (const path of called.arguments(0)) files.push(await readRecorded(path))
    called.show(await called.operate('import', { files, author: called.option('author') }), describe)
  })
}

async function readRecorded(path: string): Promise<JsonFile> {
  try {
    return { name: path, bytes: await readFile(path) }
  } catch (error) {
    throw fail('file_not_readable', { path, reason: error instanceof Error ? error.message : String(error) })
  }
}

function describe({ counts, skipped, notes }: ImportReport): string {
  const lines = [...skipped, ...notes].map(({ what, why }) => `  ${what}: ${why}\n`)
  return describeCounts(counts, skipped.length) + lines.join('')
}
