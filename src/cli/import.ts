import { readFile } from 'node:fs/promises'
import { fail } from '../errors.ts'
import { declare, type Shell } from './command.ts'
import type { ImportReport, JsonFile } from './types.ts'

/** `kalends import`: take recorded answers of a calendar over. */
export function declareImport(shell: Shell): void {
  const declared = {
    usage: 'import <file...>',
    summary: 'import recorded answers of this interface (JSON files)',
    optional: { '--author <NAME>': 'user who gets what is imported; the first administrator when not given' },
  }
  declare(shell, declared, async (called) => {
    const files: JsonFile[] = []
    for (const path of called.arguments(0)) files.push(await readRecorded(path))
    called.show(await called.operate('import', { files, author: called.option('author') }), describe)
  })
}

async function readRecorded(path: string): Promise<JsonFile> {
  try {
    return { name: path, text: await readFile(path, 'utf8') }
  } catch (error) {
    throw fail('file_not_readable', { path, reason: error instanceof Error ? error.message : String(error) })
  }
}

function describe(report: ImportReport): string {
  const { created, updated, unchanged, skipped } = report
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped.length} left out\n`
  return counts + skipped.map(({ what, why }) => `  ${what}: ${why}\n`).join('')
}
